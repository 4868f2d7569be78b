import { type CronFields, readCron } from "./schedule-cron.ts";
import { type Schedule, weekdays } from "./schedule-shape.ts";
import { day, minute, type Stretch } from "./schedule-zone.ts";

/**
 * The walls of a schedule: the days it is due on, and the minutes of such a day.
 *
 * A wall that the clocks leave out is moved on by as much as they jump, never skipped. One that they show twice is
 * due the first time; where the schedule follows real time (every hour), both times.
 */
export interface Pattern {
  /** Minutes of the day, ascending. */
  readonly minutes: readonly number[];
  readonly onDay: (date: Date) => boolean;
  readonly realTime: boolean;
}

/** Undefined for what has no pattern: single times, intervals, and cron lines that cannot be read. */
export function patternOf(schedule: Schedule): Pattern | undefined {
  switch (schedule.kind) {
    case "hourly":
      return { minutes: hours.map((hour) => hour * 60 + schedule.minute), onDay: () => true, realTime: true };
    case "daily":
      return at(schedule.at, () => true);
    case "weekdays":
      return at(schedule.at, (date) => date.getUTCDay() % 6 !== 0);
    case "weekly":
      return at(schedule.at, (date) => schedule.days.some((name) => weekdays.indexOf(name) === date.getUTCDay()));
    case "monthly":
      return at(schedule.at, (date) => date.getUTCDate() === Math.min(schedule.day, lastDay(date)));
    case "cron": {
      const fields = readCron(schedule.expression);
      return "part" in fields ? undefined : ofCron(fields);
    }
    case "interval":
    case "once":
      return undefined;
  }
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

function at(time: string, onDay: Pattern["onDay"]): Pattern {
  const [hour, minutes] = time.split(":").map(Number);
  return { minutes: [(hour ?? 0) * 60 + (minutes ?? 0)], onDay, realTime: false };
}

function lastDay(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function ofCron(fields: CronFields): Pattern {
  const minutes = [...fields.hours].flatMap((hour) => [...fields.minutes].map((past) => hour * 60 + past));
  return {
    minutes: minutes.sort((one, other) => one - other),
    realTime: fields.everyHour,
    onDay: (date) => {
      if (!fields.months.has(date.getUTCMonth() + 1)) return false;
      const day = fields.days.has(date.getUTCDate());
      const weekday = fields.weekdays.has(date.getUTCDay());
      return fields.eitherDay ? day || weekday : day && weekday;
    },
  };
}

/** The pattern's walls in [from, upTo), ascending. */
export function* walls(pattern: Pattern, from: number, upTo: number): Generator<number> {
  for (let midnight = Math.floor(from / day) * day; midnight < upTo; midnight += day) {
    if (!pattern.onDay(new Date(midnight))) continue;
    for (const past of pattern.minutes) {
      const wall = midnight + past * minute;
      if (wall >= upTo) return;
      if (wall >= from) yield wall;
    }
  }
}

export function isDue(pattern: Pattern, wall: number): boolean {
  const midnight = Math.floor(wall / day) * day;
  return pattern.minutes.includes((wall - midnight) / minute) && pattern.onDay(new Date(midnight));
}

/** The first due instant in [from, stretch.end). */
export function firstDue(pattern: Pattern, stretch: Stretch, from: number): number | undefined {
  const [wall] = walls(pattern, firstWall(pattern, stretch, from), stretch.end + stretch.offset);
  const regular = wall === undefined ? undefined : wall - stretch.offset;
  const moved = movedInto(pattern, stretch).find((instant) => instant >= from);
  return moved !== undefined && (regular === undefined || moved < regular) ? moved : regular;
}

/** The due instants in [from, stretch.end), counted day by day. */
export function countDue(
  pattern: Pattern,
  stretch: Stretch,
  from: number,
): { readonly count: number; readonly last: number } | undefined {
  const moved = movedInto(pattern, stretch).filter((instant) => instant >= from && instant < stretch.end);
  let count = moved.length;
  let last = moved.at(-1);
  const first = firstWall(pattern, stretch, from);
  const end = stretch.end + stretch.offset;
  for (let midnight = Math.floor(first / day) * day; midnight < end; midnight += day) {
    if (!pattern.onDay(new Date(midnight))) continue;
    const due =
      midnight >= first && midnight + day <= end
        ? pattern.minutes
        : pattern.minutes.filter((past) => midnight + past * minute >= first && midnight + past * minute < end);
    const latest = due.at(-1);
    if (latest === undefined) continue;
    count += due.length;
    last = Math.max(last ?? Number.NEGATIVE_INFINITY, midnight + latest * minute - stretch.offset);
  }
  return last === undefined ? undefined : { count, last };
}

/** Where walls begin to count in a stretch: after those that were shown before, unless the pattern follows real time. */
function firstWall(pattern: Pattern, stretch: Stretch, from: number): number {
  const start = stretch.start + (pattern.realTime ? stretch.offset : Math.max(stretch.offset, stretch.before));
  return Math.max(start, from + stretch.offset);
}

/** The instants of due walls that the clocks left out at the start of a stretch, except where another is due then. */
function movedInto(pattern: Pattern, stretch: Stretch): number[] {
  const gap = stretch.offset - stretch.before;
  if (gap <= 0) return [];
  const leftOut = [...walls(pattern, stretch.start + stretch.before, stretch.start + stretch.offset)];
  return leftOut.filter((wall) => !isDue(pattern, wall + gap)).map((wall) => wall - stretch.before);
}
