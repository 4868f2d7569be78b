import { knownZone } from "../shared/index.ts";

export const periods = ["today", "week", "month"] as const;
/** Today, or the last seven or thirty days with today. */
export type Period = (typeof periods)[number];

export function isPeriod(word: string): word is Period {
  return periods.some((each) => each === word);
}

/** A time in somebody's zone, and the hours (of today) or days it is made of. */
export interface Span {
  readonly period: Period;
  readonly from: Date;
  readonly to: Date;
  /** Where each hour or day begins, oldest first; the first one is `from`. */
  readonly steps: readonly Date[];
  /** A zone that this runtime knows; UTC where none is known. */
  readonly zone: string;
}

const days = { today: 1, week: 7, month: 30 } as const;

export function spanOf(period: Period, now: Date, timezone: string | null): Span {
  const zone = knownZone(timezone) ?? "UTC";
  const { year, month, day } = wallClock(now, zone);
  const start = (back: number) => startOfDay(new Date(Date.UTC(year, month - 1, day - back)), zone);
  const from = start(days[period] - 1);
  const steps =
    period === "today"
      ? hours(from, start(-1))
      : Array.from({ length: days[period] }, (_, index) => start(days[period] - 1 - index));
  return { period, from, to: now, steps, zone };
}

/** 23 or 25 of them on days when the clock is changed. */
function hours(from: Date, until: Date): readonly Date[] {
  const count = Math.round((until.getTime() - from.getTime()) / 3_600_000);
  return Array.from({ length: count }, (_, hour) => new Date(from.getTime() + hour * 3_600_000));
}

/** When a calendar day (given as its midnight in UTC) begins in a zone. */
function startOfDay(midnight: Date, zone: string): Date {
  const first = new Date(midnight.getTime() - aheadOfUtc(midnight, zone));
  // The clock may have been changed between the two midnights.
  return new Date(midnight.getTime() - aheadOfUtc(first, zone));
}

function aheadOfUtc(at: Date, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1000) * 1000;
}

function wallClock(at: Date, zone: string) {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  return {
    year: read("year"),
    month: read("month"),
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
    second: read("second"),
  };
}
