import { type Words, wordsFor } from "../words/index.ts";
import type { CalendarEvent } from "./calendar-file.ts";
import { dueBetween, nextDue } from "./schedule.ts";
import { day, instantOf, wallOf } from "./schedule-zone.ts";
import type { Routine } from "./types.ts";

/** A routine with where its reports go, in words. */
export interface Placed {
  readonly routine: Routine;
  readonly where: string;
}

export const calendarLimits = { days: 30, events: 5_000, aDay: 8 } as const;

/**
 * When routines are due in the next 30 days, the first one first. What is due more than eight times a day on average has one entry
 * a day, which says how often. Entries beyond 5,000 are left out, and the last one says so.
 */
export function calendarEvents(placed: readonly Placed[], now: Date, locale: string | null): CalendarEvent[] {
  const words = wordsFor(locale).outside.calendar;
  const end = new Date(now.getTime() + calendarLimits.days * day);
  const events = firstOf(
    placed.map((each) => eventsOf(each, now, end, words)),
    now,
    calendarLimits.events + 1,
  );
  const cut = events[calendarLimits.events];
  if (cut === undefined) return events;
  const note = { summary: words.more, description: words.moreWhy(calendarLimits.events), location: "" };
  return [...events.slice(0, calendarLimits.events - 1), { ...cut, id: "more@shipmate", end: undefined, ...note }];
}

/** At least the first so many of several series, each of them in order. Days after those are not worked out. */
function firstOf(series: readonly Generator<CalendarEvent, void>[], from: Date, most: number): CalendarEvent[] {
  const events: CalendarEvent[] = [];
  let left = series.map((rest) => ({ rest, next: rest.next().value }));
  for (let upTo = from.getTime() + day; left.length > 0 && events.length < most; upTo += day) {
    const today: CalendarEvent[] = [];
    for (const each of left) {
      while (each.next && each.next.start.getTime() <= upTo) {
        today.push(each.next);
        each.next = each.rest.next().value;
      }
    }
    events.push(...today.toSorted((one, other) => one.start.getTime() - other.start.getTime()));
    left = left.filter(({ next }) => next !== undefined);
  }
  return events;
}

type CalendarWords = Words["outside"]["calendar"];

function* eventsOf(
  { routine, where }: Placed,
  now: Date,
  end: Date,
  words: CalendarWords,
): Generator<CalendarEvent, void> {
  const { trigger, timezone, teammateName } = routine;
  if (trigger.kind !== "schedule") return;
  const due = dueBetween(trigger.schedule, timezone, now, end);
  if (due === undefined) return;
  const common = { location: where, changedAt: routine.createdAt };
  if (due.count > calendarLimits.days * calendarLimits.aDay) {
    for (const { date, first, last, count } of daysOf(routine, now, end)) {
      yield {
        ...common,
        id: `${routine.id}.${date}@shipmate`,
        start: first,
        end: last > first ? last : undefined,
        summary: words.often(routine.name, count),
        description: words.oftenWhy(teammateName, count, where),
      };
    }
    return;
  }
  let start: Date | undefined = due.first;
  while (start !== undefined && start <= end) {
    yield {
      ...common,
      id: `${routine.id}.${start.getTime() / 1000}@shipmate`,
      start,
      summary: routine.name,
      description: words.once(teammateName, where),
    };
    start = nextDue(trigger.schedule, timezone, start);
  }
}

/** The days of its zone on which it is due, with how often. */
function daysOf({ trigger, timezone }: Routine, now: Date, end: Date) {
  if (trigger.kind !== "schedule") return [];
  const { schedule } = trigger;
  const today = Math.floor(wallOf(timezone, now.getTime()) / day) * day;
  const walls = Array.from({ length: calendarLimits.days + 2 }, (_, index) => today + index * day);
  return walls.flatMap((wall) => {
    const from = Math.max(now.getTime(), instantOf(timezone, wall) - 1);
    const upTo = Math.min(end.getTime(), instantOf(timezone, wall + day) - 1);
    const due = upTo > from ? dueBetween(schedule, timezone, new Date(from), new Date(upTo)) : undefined;
    return due === undefined ? [] : [{ ...due, date: new Date(wall).toISOString().slice(0, 10) }];
  });
}
