import { plain } from "../chat/index.ts";
import type { Routine } from "../routines/index.ts";
import type { Unit } from "../storage/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { RunDeps } from "./settings.ts";

export interface RoutineNote {
  readonly became: "paused" | "deleted";
  readonly routine: Pick<Routine, "id" | "name">;
  /** The call that did it: told once, however often the call comes. */
  readonly callId: string;
}

/** Says in the conversation of a run what became of a routine by it. Without a sound: the answer follows. */
export async function noteRoutine(
  { outbox }: Pick<RunDeps, "outbox">,
  unit: Unit,
  { context, words }: Pick<ActiveRun, "context" | "words">,
  { became, routine, callId }: RoutineNote,
): Promise<void> {
  const { runId, conversationId, to, teammate } = context;
  const text = words.routineTalk.noted[became](plain(teammate.name), plain(routine.name));
  await outbox.enqueue(unit, {
    op: "post",
    post: { text, notify: false },
    to,
    purpose: "notice",
    lane: `conversation:${conversationId}`,
    dedupKey: `routine:${routine.id}:${became}:${runId}/${callId}`,
    conversationId,
    runId,
  });
}
