import type { Schedule } from "../../src/routines/schedule.ts";

/**
 * When something is due, found by walking every minute of some days and reading the clock on the wall. Slow and
 * plain on purpose: it shares nothing with the code it judges but the runtime's knowledge of time zones.
 */
export const minute = 60_000;
export const day = 24 * 60 * minute;

export interface Days {
  readonly zone: string;
  readonly from: number;
  /** What the clock shows at each minute from there, as if it were UTC. */
  readonly walls: readonly number[];
}

/** A schedule as a rule about the clock on the wall. */
export interface Judged {
  readonly schedule: Schedule;
  readonly wanted: (wall: Date) => boolean;
  /** Due each time the clock shows it. */
  readonly realTime: boolean;
}

export function walk(zone: string, around: string, days = 3): Days {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const from = Date.parse(`${around}T00:00Z`) - days * day;
  const walls = Array.from({ length: (2 * days + 1) * 24 * 60 }, (_, at) => {
    const parts = new Map(format.formatToParts(from + at * minute).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? Number.NaN;
    return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  });
  return { zone, from, walls };
}

/** Every instant it is due at in those days; the first day only warms up. */
export function dueIn({ from, walls }: Days, { wanted, realTime }: Judged): number[] {
  const due = new Set<number>();
  let highest = Number.NEGATIVE_INFINITY;
  for (const [at, wall] of walls.entries()) {
    const instant = from + at * minute;
    const before = walls[at - 1];
    if (before !== undefined)
      for (let skipped = before + minute; skipped < wall; skipped += minute)
        if (wanted(new Date(skipped))) due.add(instant + skipped - (before + minute));
    if ((realTime || wall > highest) && wanted(new Date(wall))) due.add(instant);
    highest = Math.max(highest, wall);
  }
  return [...due].filter((instant) => instant >= from + day).sort((one, other) => one - other);
}
