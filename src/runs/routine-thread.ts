import type { RoutineBriefing } from "../routines/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { buildRoutineHandoff } from "./routine-handoff.ts";
import { setRunThread } from "./runs.store.ts";
import type { RunDeps } from "./settings.ts";
import { type ChosenThread, type ThreadNeeds, threadSettings } from "./thread-choice.ts";
import { putAway } from "./threads-put-away.ts";

/** A fresh thread for one run in a routine's lane, which knows nothing but what it is told. From here on Codex may have its turn. */
export async function fleetingThread(deps: RunDeps, run: ActiveRun, needs: ThreadNeeds): Promise<ChosenThread> {
  const { context, routine } = run;
  const [handoff, info] = await Promise.all([
    buildRoutineHandoff(deps.db, {
      context,
      timezone: timezoneOf(routine?.briefing, context.requester?.timezone),
      forgottenAt: needs.memory.changedAt,
      without: needs.messageIds,
    }),
    deps.threads.startThread({
      ...threadSettings(deps, context.teammate, needs),
      dynamicTools: deps.tools.of(routine === undefined ? "conversation" : "routine").specs,
      ephemeral: true,
    }),
  ]);
  needs.attach(info.threadId);
  await setRunThread(deps.db, context.runId, info.threadId);
  return { threadId: info.threadId, model: info.model, how: "new", handoff };
}

export function timezoneOf(briefing: RoutineBriefing | undefined, ofPerson: string | null | undefined) {
  return briefing?.timezone ?? ofPerson ?? undefined;
}

/**
 * Nothing may go on in a run's thread that nobody can see or stop any more: what still runs there is stopped, also after a lost line
 * is back, and Codex may forget the thread. Never rejects.
 */
export async function leaveThread(
  deps: Pick<RunDeps, "connection" | "threads" | "log">,
  threadId: string,
  isOver: boolean,
): Promise<void> {
  try {
    if (!isOver) {
      await deps.connection.ready();
      await deps.threads.interruptAny(threadId);
    }
    await putAway(deps, threadId, () => false);
  } catch (error) {
    deps.log.debug({ err: error, threadId }, "what may still run in a routine's thread could not be stopped");
  }
}
