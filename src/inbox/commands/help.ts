import { allows } from "../../people/index.ts";
import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { byPerson, type Scene, say } from "../scene.ts";
import { type CommandName, commandSpecs } from "./menu.ts";

/** Names that are of no use to whoever reads the help. */
const known: readonly string[] = ["help", "start"];

/** What its giver may use here. `who` tells for whom a command is. */
export function helpCommand(who: (name: CommandName) => Command["who"]): Command<"help"> {
  return {
    name: "help",
    who: "anyone",
    async run(scene) {
      const usable = commandSpecs(scene.words).filter(({ name }) => !known.includes(name) && mayUse(scene, who(name)));
      await say(scene, scene.words.commands.help(usable));
      return handled;
    },
  };
}

function mayUse(scene: Scene, who: Command["who"]): boolean {
  if (who === "anyone") return true;
  if (!byPerson(scene)) return false;
  return who === "person" || allows(scene.person.role, who);
}
