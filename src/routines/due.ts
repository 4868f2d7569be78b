import { dueBetween, nextDue, type Schedule } from "./schedule.ts";

/** What begins so long after it was due says that it is late. */
const lateAfterMs = 2 * 60_000;

/** The due times that stand open, as one: the last of them, and those before it. */
export interface OpenDue {
  readonly scheduledFor: Date;
  readonly late: boolean;
  readonly missed: number;
  /** The first of the missed ones. */
  readonly missedSince: Date | null;
}

interface Timed {
  readonly schedule: Schedule;
  readonly timezone: string;
}

/**
 * What is due by now, counted from `nextDueAt` on. What is `settled` was run, covered or skipped before: after a clock that
 * was set back, nothing up to that moment is due again.
 */
export function openDue(
  { schedule, timezone, nextDueAt, settled }: Timed & { readonly nextDueAt: Date; readonly settled: Date | null },
  now: Date,
): OpenDue | undefined {
  const after = later(new Date(nextDueAt.getTime() - 1), settled);
  const due = dueBetween(schedule, timezone, after, now);
  if (due === undefined) return undefined;
  const missed = due.count - 1;
  return {
    scheduledFor: due.last,
    late: now.getTime() - due.last.getTime() > lateAfterMs,
    missed,
    missedSince: missed > 0 ? due.first : null,
  };
}

/** The same without its last due time; undefined where that is the only one. */
export function missedOf(open: OpenDue, { schedule, timezone }: Timed): OpenDue | undefined {
  if (open.missedSince === null) return undefined;
  const before = new Date(open.missedSince.getTime() - 1);
  const due = dueBetween(schedule, timezone, before, new Date(open.scheduledFor.getTime() - 1));
  if (due === undefined) return undefined;
  const missed = due.count - 1;
  return { scheduledFor: due.last, late: true, missed, missedSince: missed > 0 ? due.first : null };
}

/** When it is due next, strictly after now and after what is settled; null where it never is. */
export function dueAfter({ schedule, timezone }: Timed, now: Date, settled: Date | null): Date | null {
  return nextDue(schedule, timezone, later(now, settled)) ?? null;
}

function later(one: Date, other: Date | null): Date {
  return other !== null && other > one ? other : one;
}
