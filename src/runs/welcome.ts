import { issueTokens } from "../attention/index.ts";
import type { Button } from "../chat/index.ts";
import type { Unit } from "../storage/index.ts";
import type { Teammate, Teammates } from "../teammates/index.ts";
import type { Words } from "../words/index.ts";

/** `joined`: somebody new, to whoever is there. `met`: to one person who had nothing to do with it before. */
export const welcomes = ["joined", "met"] as const;
export type WelcomeKind = (typeof welcomes)[number];

export interface Welcome {
  readonly kind: WelcomeKind;
  readonly teammate: Pick<Teammate, "id" | "name" | "title" | "job">;
  /** The one who may press. */
  readonly personId: string;
  /** Name and title as Markdown shows them letter by letter. */
  readonly plain: (name: string) => string;
  /** What people type before what they want of it, such as "/ask Penny". */
  readonly ask: string;
  /** What is still offered; all of it when absent. */
  readonly left?: readonly string[] | undefined;
}

/** The first words of a teammate: who it is, up to three things to try, each a button, and how to write something else. */
export async function welcomePost(
  unit: Unit,
  teammates: Pick<Teammates, "firstTasks">,
  words: Words,
  { kind, teammate, personId, plain, ask, left }: Welcome,
): Promise<{ readonly text: string; readonly buttons: readonly (readonly Button[])[] }> {
  const { id: teammateId, name, title, job } = teammate;
  const tasks =
    left ?? (await teammates.firstTasks(unit.db, teammateId)) ?? words.teammates.tasksFor(`${title} ${job}`);
  // A group of its own for each: trying one does not use up the others.
  const buttons: Button[][] = [];
  for (const text of tasks) {
    const others = tasks.filter((each) => each !== text);
    const { task } = await issueTokens(unit, {
      choices: [{ key: "task", action: "teammate_task", payload: { teammateId, kind, text, left: others } }],
      personId,
    });
    buttons.push([{ label: text, token: task }]);
  }
  const text = words.teammates.welcome[kind](plain(name), plain(title), plain(ask), tasks.length > 0);
  return { text, buttons };
}
