import { knownZone } from "../shared/index.ts";
import { type CronProblem, readCron } from "./schedule-cron.ts";
import { countDue, firstDue, isDue, type Pattern, patternOf } from "./schedule-pattern.ts";
import { type Schedule, scheduleLimits } from "./schedule-shape.ts";
import { day, instantOf, minute, stretches, wallOf } from "./schedule-zone.ts";

export { type Schedule, scheduleSchema } from "./schedule-shape.ts";

export type ScheduleProblem =
  | { readonly kind: "zone"; readonly zone: string }
  | { readonly kind: "cron"; readonly expression: string; readonly problem: CronProblem }
  | { readonly kind: "never" }
  /** Minutes between two due times. */
  | { readonly kind: "too_often"; readonly minutes: number; readonly least: number }
  | { readonly kind: "too_rare"; readonly days: number }
  /** Local time, 2026-12-04T09:00. */
  | { readonly kind: "past"; readonly at: string }
  /** A day or time that is in no calendar, as it was given. */
  | { readonly kind: "no_such_date"; readonly at: string }
  | { readonly kind: "anchor"; readonly anchor: string }
  /** A day without a time. */
  | { readonly kind: "no_time" };

/** Whether a routine can live there: an IANA name that this runtime knows. */
export function isZone(zone: string): boolean {
  return /^[A-Za-z]/.test(zone) && knownZone(zone) !== undefined;
}

/** What keeps a schedule from being saved, if anything. */
export function problemIn(schedule: Schedule, zone: string, now: Date): ScheduleProblem | null {
  if (!isZone(zone)) return { kind: "zone", zone };
  switch (schedule.kind) {
    case "once":
      return singleProblem(schedule.at, zone, now);
    case "interval":
      return intervalProblem(schedule);
    case "cron": {
      const fields = readCron(schedule.expression);
      if ("part" in fields) return { kind: "cron", expression: schedule.expression, problem: fields };
    }
  }
  const pattern = patternOf(schedule);
  if (pattern === undefined || nextDue(schedule, zone, now) === undefined) return { kind: "never" };
  const minutes = closest(pattern, schedule, zone, now);
  return minutes < scheduleLimits.leastMinutes
    ? { kind: "too_often", minutes, least: scheduleLimits.leastMinutes }
    : null;
}

function singleProblem(at: string, zone: string, now: Date): ScheduleProblem | null {
  const due = single(at, zone);
  if (due === undefined) return { kind: "no_such_date", at };
  return due > now.getTime() ? null : { kind: "past", at: isoWall(wallOf(zone, due)) };
}

function intervalProblem(schedule: Extract<Schedule, { kind: "interval" }>): ScheduleProblem | null {
  const { everyMinutes: minutes, anchor } = schedule;
  if (instant(anchor) === undefined) return { kind: "anchor", anchor };
  const { leastMinutes, mostMinutes } = scheduleLimits;
  if (minutes < leastMinutes) return { kind: "too_often", minutes, least: leastMinutes };
  return minutes > mostMinutes ? { kind: "too_rare", days: mostMinutes / (24 * 60) } : null;
}

/** The fewest minutes between two due times: on ordinary days, and where the zone's clocks change in the next years. */
function closest(pattern: Pattern, schedule: Schedule, zone: string, now: Date): number {
  const { minutes } = pattern;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, past] of minutes.entries()) least = Math.min(least, (minutes[at + 1] ?? least + past) - past);
  const overMidnight = (minutes[0] ?? 0) + 24 * 60 - (minutes.at(-1) ?? 0);
  if (overMidnight < scheduleLimits.leastMinutes && hasDaysInARow(pattern, now)) least = Math.min(least, overMidnight);
  const from = now.getTime();
  for (const { start, offset, before } of stretches(zone, from, from + horizon)) {
    if (offset === before) continue;
    const around = 2 * scheduleLimits.leastMinutes * minute;
    const end = start + Math.abs(offset - before) + around;
    for (let due = nextDue(schedule, zone, new Date(start - around)); due !== undefined && due.getTime() < end; ) {
      const next = nextDue(schedule, zone, due);
      if (next !== undefined) least = Math.min(least, (next.getTime() - due.getTime()) / minute);
      due = next;
    }
  }
  return least;
}

function hasDaysInARow(pattern: Pattern, now: Date): boolean {
  const first = Math.floor(now.getTime() / day) * day;
  let before = false;
  for (let midnight = first; midnight < first + horizon; midnight += day) {
    const today = pattern.onDay(new Date(midnight));
    if (today && before) return true;
    before = today;
  }
  return false;
}

const horizon = (scheduleLimits.years * 365 + 2) * day;
/** Most schedules are due within days: further ahead the zone's changes are looked up only where it is needed. */
const steps = [3 * day, 40 * day, horizon];

/**
 * The first due time strictly after an instant; undefined where there is none in five years.
 * RangeError for a zone that is none.
 */
export function nextDue(schedule: Schedule, zone: string, after: Date): Date | undefined {
  const from = after.getTime() + 1;
  if (schedule.kind === "once") {
    const due = single(schedule.at, zone);
    return due !== undefined && due >= from ? new Date(due) : undefined;
  }
  if (schedule.kind === "interval") {
    const between = intervalBetween(schedule, from, Number.POSITIVE_INFINITY);
    return between === undefined ? undefined : new Date(between.first);
  }
  const pattern = patternOf(schedule);
  if (pattern === undefined) return undefined;
  for (const step of steps) {
    for (const stretch of stretches(zone, from, from + step)) {
      const due = firstDue(pattern, stretch, from);
      if (due !== undefined && due < from + step) return new Date(due);
    }
  }
  return undefined;
}

/** Where a due time is later than asked, since the clocks leave that out: both as local times, 2026-03-29T02:30. */
export function movedFrom(
  schedule: Schedule,
  zone: string,
  due: Date,
): { readonly wanted: string; readonly runs: string } | undefined {
  const at = due.getTime();
  const [stretch] = stretches(zone, at, at + 1);
  if (stretch === undefined || at - stretch.start >= stretch.offset - stretch.before) return undefined;
  const wanted = isoWall(at + stretch.before);
  const pattern = patternOf(schedule);
  const asked =
    pattern === undefined
      ? schedule.kind === "once" && schedule.at === wanted
      : isDue(pattern, at + stretch.before) && !isDue(pattern, at + stretch.offset);
  return asked ? { wanted, runs: isoWall(at + stretch.offset) } : undefined;
}

function isoWall(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16);
}

/** The due times in (after, upTo], counted exactly; the work grows with the days between, not with the due times. */
export function dueBetween(
  schedule: Schedule,
  zone: string,
  after: Date,
  upTo: Date,
): { first: Date; last: Date; count: number } | undefined {
  const from = after.getTime() + 1;
  const end = upTo.getTime() + 1;
  const first = nextDue(schedule, zone, after);
  if (first === undefined || first.getTime() >= end) return undefined;
  if (schedule.kind === "once") return { first, last: first, count: 1 };
  if (schedule.kind === "interval") {
    const between = intervalBetween(schedule, from, end);
    return between && { first, last: new Date(between.last), count: between.count };
  }
  const pattern = patternOf(schedule);
  if (pattern === undefined) return undefined;
  let count = 0;
  let last = first.getTime();
  for (const stretch of stretches(zone, from, end)) {
    const due = countDue(pattern, stretch, from);
    count += due?.count ?? 0;
    last = Math.max(last, due?.last ?? last);
  }
  return { first, last: new Date(last), count };
}

function intervalBetween(schedule: Extract<Schedule, { kind: "interval" }>, from: number, end: number) {
  const anchor = instant(schedule.anchor);
  if (anchor === undefined) return undefined;
  const every = schedule.everyMinutes * minute;
  const first = anchor + Math.max(0, Math.ceil((from - anchor) / every)) * every;
  if (first >= end) return undefined;
  const more = Math.ceil((end - first) / every) - 1;
  return { first, last: first + more * every, count: more + 1 };
}

/** The instant of a single time, local unless it ends in Z; undefined for a date that is in no calendar. */
function single(at: string, zone: string): number | undefined {
  const wall = Date.parse(`${at.replace(/Z$/, "")}:00Z`);
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(at.replace(/Z$/, ""))) return undefined;
  return at.endsWith("Z") ? wall : instantOf(zone, wall);
}

/** An instant has an offset: without one it would be a different moment on every machine. */
function instant(text: string): number | undefined {
  const at = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
