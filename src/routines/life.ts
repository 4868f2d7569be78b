import type { Unit } from "../storage/index.ts";
import { type Actor, isTeammate } from "../teammates/index.ts";
import { begin, end, endOf } from "./begin.ts";
import { dueAfter } from "./due.ts";
import { takeOverProblem } from "./problems.ts";
import { mayMakeRoutines } from "./rights.ts";
import * as store from "./routines.store.ts";
import type { RoutineSaved, RoutinesDeps, StartedFromWebhook, StartedNow } from "./routines.ts";
import * as runs from "./runs.store.ts";
import * as saving from "./save.store.ts";
import { forChange, refused, reload, trace } from "./save.ts";
import { problemIn } from "./schedule.ts";
import { settle } from "./settle.ts";
import { deleteOf } from "./webhooks.store.ts";

/** So many calls wait at most: what comes then would only grow old. */
const mostWaiting = 64;

export async function pauseRoutine(deps: RoutinesDeps, unit: Unit, by: Actor, id: string): Promise<RoutineSaved> {
  const { routine, problem } = await forChange(unit, by, id);
  if (problem) return refused(problem);
  if (!routine.active) return { kind: "saved", routine };
  const now = deps.clock.now();
  await settle(deps, unit, routine, { now, skip: routine.hidden ? "hidden" : "paused" });
  await saving.change(unit.db, id, { active: false, stoppedBecause: null, nextDueAt: null }, now);
  await deps.cancelLane(unit, routine.conversationId);
  await trace(unit, by, routine, "routine_paused", {});
  return reload(deps, unit, id);
}

/** One whose author may not have it any more becomes the routine of the person who has it go on. */
export async function resumeRoutine(deps: RoutinesDeps, unit: Unit, by: Actor, id: string): Promise<RoutineSaved> {
  const { routine, person, problem } = await forChange(unit, by, id);
  if (problem) return refused(problem);
  if (routine.active) return { kind: "saved", routine };
  const ends = endOf(routine);
  if (ends === "author" && (isTeammate(by) || !mayMakeRoutines(person))) return refused({ kind: "not_allowed" });
  const closed = ends === "author" ? await takeOverProblem(unit.db, person, routine) : null;
  if (closed) return refused(closed);
  if (!routine.hasPlace) return refused({ kind: "place", placeId: (routine.destinations[0] ?? routine.home).placeId });
  const now = deps.clock.now();
  const { trigger, timezone } = routine;
  let nextDueAt: Date | null = null;
  if (trigger.kind === "schedule") {
    const { settled } = await runs.laneState(unit.db, routine);
    nextDueAt = dueAfter({ schedule: trigger.schedule, timezone }, now, settled);
    if (nextDueAt === null) {
      return refused({ kind: "schedule", problem: problemIn(trigger.schedule, timezone, now) ?? { kind: "never" } });
    }
  }
  const taken = ends === "author" ? { createdBy: person.id } : {};
  // Whoever it belonged to knows the secret, and would start what runs with another one's rights.
  if (ends === "author") await deleteOf(unit.db, id);
  await saving.change(unit.db, id, { active: true, stoppedBecause: null, nextDueAt, ...taken }, now);
  await trace(unit, by, routine, "routine_resumed", taken);
  return reload(deps, unit, id);
}

export async function removeRoutine(deps: RoutinesDeps, unit: Unit, by: Actor, id: string): Promise<RoutineSaved> {
  const { routine, person, problem } = await forChange(unit, by, id);
  if (problem) return refused(problem);
  await saving.markDeleted(unit.db, id, deps.clock.now());
  // What waits goes first: else the lane would take it up as soon as the run is over.
  await deps.cancelLane(unit, routine.conversationId);
  await deps.stopLane(unit, routine.conversationId, person);
  await trace(unit, by, routine, "routine_deleted", { name: routine.name });
  return { kind: "saved", routine };
}

export async function runNow(
  deps: RoutinesDeps,
  unit: Unit,
  by: Actor,
  { id, how, key }: { readonly id: string; readonly how: "manual" | "test"; readonly key: string },
): Promise<StartedNow> {
  const { routine, person, problem } = await forChange(unit, by, id);
  if (problem) return refused(problem);
  const idempotencyKey = `routine:${id}:${how}:${key}`;
  const made = await runs.runOfKey(unit.db, idempotencyKey);
  if (made !== undefined) return { kind: "queued", routineRunId: made };
  if (routine.hidden) return refused({ kind: "no_teammate" });
  const ends = endOf(routine);
  if (ends === "author") return refused({ kind: "not_allowed" });
  if (ends === "place") return refused({ kind: "place", placeId: (routine.destinations[0] ?? routine.home).placeId });
  const lane = await runs.laneState(unit.db, routine);
  if (lane.working || lane.waiting > 0) return { kind: "running" };
  const scheduledFor = await runs.freeMoment(unit.db, id, how, deps.clock.now());
  const run = { ...fresh, source: how, scheduledFor, payload: null, personId: person.id, key: idempotencyKey };
  const routineRunId = await begin(deps, unit, routine, run);
  if (routineRunId === undefined) throw new Error("a moment that was free was taken meanwhile");
  await trace(unit, by, routine, "routine_started", { how });
  return { kind: "queued", routineRunId };
}

const fresh = { late: false, missed: 0, missedSince: null } as const;

export async function startFromWebhook(
  deps: RoutinesDeps,
  unit: Unit,
  id: string,
  { payload, at }: { readonly payload: string; readonly at: Date },
): Promise<StartedFromWebhook> {
  const routine = await store.lock(unit.db, id);
  if (routine?.trigger.kind !== "webhook" || !routine.active || routine.hidden) return { kind: "paused" };
  const ends = endOf(routine);
  if (ends !== null) {
    await end(deps, unit, routine, ends);
    return { kind: "paused" };
  }
  const lane = await runs.laneState(unit.db, routine);
  if (lane.waiting >= mostWaiting) return { kind: "full" };
  const scheduledFor = await runs.freeMoment(unit.db, id, "webhook", at);
  const run = { ...fresh, source: "webhook", scheduledFor, payload, personId: null } as const;
  const routineRunId = await begin(deps, unit, routine, run);
  if (routineRunId === undefined) throw new Error("a moment that was free was taken meanwhile");
  return { kind: "queued", routineRunId };
}

/** What was due of a teammate's routines while it was away. */
export async function catchUp(deps: RoutinesDeps, unit: Unit, teammateId: string): Promise<void> {
  const now = deps.clock.now();
  for (const routine of await store.lockDueOf(unit.db, teammateId, now)) {
    await settle(deps, unit, routine, { now, skip: "hidden" });
  }
  unit.afterCommit(() => deps.queues.add("clock", { task: "routines" }, { dedupe: "routines" }));
}
