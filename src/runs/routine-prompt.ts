import { reportTargets } from "../routines/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { RoutineFrame } from "./prompt-routine.ts";
import type { RoutineState } from "./routine-run.ts";
import type { RunDeps } from "./settings.ts";
import type { PromptMessage } from "./types.ts";

/** What a routine is to do is its author's word, said with their rights whoever started the run. */
export function instructionMessage({ context, deliveries }: ActiveRun, { briefing }: RoutineState): PromptMessage {
  const { author, instruction, scheduledFor } = briefing;
  return {
    messageId: deliveries[0]?.messageId ?? "",
    author: "person",
    authorName: author?.name ?? "",
    authorRole: context.requester?.role,
    text: instruction,
    sentAt: scheduledFor,
    edited: false,
    files: [],
  };
}

/** Whether nobody but the requester reads what the run says: the reports of a routine may go elsewhere than where it was made. */
export async function isForOneAlone({ db }: Pick<RunDeps, "db">, { context, routine }: ActiveRun): Promise<boolean> {
  if (context.place.kind !== "dm") return false;
  if (routine === undefined || routine.briefing.source === "test") return true;
  const targets = await reportTargets(db, routine.briefing.routineId);
  return targets.every(({ kind }) => kind === "dm");
}

export async function routineFrame(
  { db }: Pick<RunDeps, "db">,
  { context, deliveries }: ActiveRun,
  { briefing }: RoutineState,
): Promise<RoutineFrame> {
  const answers = deliveries.filter(({ trigger }) => trigger !== "routine").map(({ text }) => text);
  const answered = answers.length === 0 ? undefined : answers.join("\n\n");
  if (briefing.source === "test") return { briefing, answered, reportsTo: [context.place] };
  const targets = await reportTargets(db, briefing.routineId);
  return { briefing, answered, reportsTo: targets.filter(({ isArchived }) => !isArchived) };
}
