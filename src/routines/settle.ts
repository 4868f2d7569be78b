import type { RoutineSkip, Unit } from "../storage/index.ts";
import { begin, end, endOf } from "./begin.ts";
import { dueAfter, missedOf, type OpenDue, openDue } from "./due.ts";
import type * as routines from "./routines.store.ts";
import type { RoutinesDeps } from "./routines.ts";
import * as runs from "./runs.store.ts";
import * as saving from "./save.store.ts";

export interface Settling {
  readonly now: Date;
  /** Nothing runs, for this reason. */
  readonly skip?: RoutineSkip | undefined;
  /** So much later than now a run begins, in milliseconds. */
  readonly delayMs?: number | undefined;
}

/**
 * Settles what is due of a routine that the caller holds, and says when it is due next: one run for all of it, or rows that
 * say why not. Row, delivery and next due time are one transaction, so that a crash leaves all of it or nothing.
 */
export async function settle(
  deps: RoutinesDeps,
  unit: Unit,
  routine: routines.StoredRoutine,
  { now, skip, delayMs = 0 }: Settling,
): Promise<void> {
  const { trigger, timezone, nextDueAt } = routine;
  if (trigger.kind !== "schedule" || nextDueAt === null || nextDueAt > now) return;
  const timed = { schedule: trigger.schedule, timezone };
  const lane = await runs.laneState(unit.db, routine);
  const open = openDue({ ...timed, nextDueAt, settled: lane.settled }, now);
  const ends = skip === undefined ? endOf(routine) : null;
  if (open !== undefined) {
    const readyAt = delayMs > 0 ? new Date(now.getTime() + delayMs) : undefined;
    for (const { due, skipped } of decide(open, missedOf(open, timed), routine, lane, skip ?? ends)) {
      const keep = async (each: OpenDue) =>
        skipped === null
          ? (await runScheduled(deps, unit, routine, each, readyAt)) !== undefined
          : runs.addSkipped(unit.db, routine, each, skipped, now);
      // A moment that an earlier trigger took (a clock was set back) is not taken twice; those before it still count.
      for (let each: OpenDue | undefined = due; each && !(await keep(each)); ) each = missedOf(each, timed);
    }
  }
  if (ends !== null) return end(deps, unit, routine, ends);
  await advance(unit, routine, now, dueAfter(timed, now, lane.settled));
}

async function advance(unit: Unit, { id }: routines.StoredRoutine, now: Date, next: Date | null): Promise<void> {
  const over = { active: false, stoppedBecause: "over", nextDueAt: null } as const;
  await saving.change(unit.db, id, next === null ? over : { nextDueAt: next }, now);
}

interface Decided {
  readonly due: OpenDue;
  /** Null where it runs. */
  readonly skipped: RoutineSkip | null;
}

/** What becomes of the open due times, in their order. */
function decide(
  open: OpenDue,
  before: OpenDue | undefined,
  routine: routines.StoredRoutine,
  lane: runs.LaneState,
  skip: RoutineSkip | null,
): Decided[] {
  if (skip !== null) return [{ due: open, skipped: skip }];
  const overlap = overlaps(routine, lane) ? "overlap" : null;
  if (routine.missed === "run_once") return [{ due: open, skipped: overlap }];
  if (open.late) return [{ due: open, skipped: "missed" }];
  const alone: Decided = { due: { ...open, missed: 0, missedSince: null }, skipped: overlap };
  return before === undefined ? [alone] : [{ due: before, skipped: "missed" }, alone];
}

/** While it is at work, one more may wait where what is missed is made up for. */
function overlaps({ missed }: routines.StoredRoutine, { working, waiting }: runs.LaneState): boolean {
  return waiting > 0 || (working && missed === "skip");
}

async function runScheduled(
  deps: RoutinesDeps,
  unit: Unit,
  routine: routines.StoredRoutine,
  due: OpenDue,
  readyAt: Date | undefined,
): Promise<string | undefined> {
  return begin(deps, unit, routine, { ...due, source: "schedule", payload: null, personId: null, readyAt });
}
