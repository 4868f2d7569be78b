import { issueTokens } from "../attention/index.ts";
import { type Button, plain } from "../chat/index.ts";
import type { Unit } from "../storage/index.ts";
import { askName, type Teammate, type Teammates } from "../teammates/index.ts";
import type { Words } from "../words/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { requesterOf } from "./run-context.store.ts";
import type { RunDeps } from "./settings.ts";

/** `joined`: somebody new, to whoever is there. `met`: to one person who had nothing to do with it before. */
export const welcomes = ["joined", "met"] as const;
export type WelcomeKind = (typeof welcomes)[number];

export interface Welcome {
  readonly kind: WelcomeKind;
  readonly teammate: Pick<Teammate, "id" | "handle" | "name" | "title" | "job">;
  /** The one who may press. */
  readonly personId: string;
  /** As people type it here. */
  readonly command: string;
  /** What is still offered; all of it when absent. */
  readonly left?: readonly string[] | undefined;
}

/** The first words of a teammate: who it is, up to three things to try, each a button, and how to write something else. */
export async function welcomePost(
  unit: Unit,
  teammates: Pick<Teammates, "firstTasks">,
  words: Words,
  { kind, teammate, personId, command, left }: Welcome,
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
  const ask = `${command} ${plain(askName(teammate))}`;
  return { text: words.teammates.welcome[kind](plain(name), plain(title), ask, tasks.length > 0), buttons };
}

/** Says in the conversation of a run who joined, once. Whoever asked for it has met them thereby. */
export async function welcomeNewcomer(
  deps: Pick<RunDeps, "outbox" | "teammates" | "adapters">,
  unit: Unit,
  { context, words }: Pick<ActiveRun, "context" | "words">,
  newcomer: Teammate,
): Promise<void> {
  const { runId, conversationId, to } = context;
  const personId = await requesterOf(unit.db, runId);
  if (personId === null) return;
  await deps.teammates.meet(unit, newcomer.id, { id: personId });
  const command = `${deps.adapters.get(to.connectionId)?.capabilities.commandPrefix ?? "/"}ask`;
  const post = await welcomePost(unit, deps.teammates, words, {
    kind: "joined",
    teammate: newcomer,
    personId,
    command,
  });
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: { ...post, notify: false },
    to,
    purpose: "card",
    lane: `conversation:${conversationId}`,
    dedupKey: `welcome:${newcomer.id}`,
    conversationId,
    runId,
  });
}
