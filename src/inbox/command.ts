import type { CommandEvent } from "../chat/index.ts";
import type { Outcome } from "./outcome.ts";
import type { PersonScene, Scene } from "./scene.ts";

export type CommandScene = Scene<CommandEvent>;
export type PersonCommandScene = PersonScene<CommandEvent>;

interface CommandBase<Name extends string> {
  readonly name: Name;
  /** True where nobody else may read the answer: in a direct message, or where the platform shows it to one person. */
  readonly privately?: true;
}

/** One command: who may use it, and what it does. `anyone` includes strangers in places that are open to everyone. */
export type Command<Name extends string = string> = CommandBase<Name> &
  (
    | { readonly who: "anyone"; readonly run: (scene: CommandScene) => Promise<Outcome> }
    | { readonly who: "person" | "manager" | "admin"; readonly run: (scene: PersonCommandScene) => Promise<Outcome> }
  );
