import type { Schedule } from "./schedule.ts";
import { type Weekday, weekdays } from "./schedule-shape.ts";
import { day, wallOf } from "./schedule-zone.ts";

export interface WhenContext {
  readonly now: Date;
  readonly zone: string;
}
type Groups = Readonly<Record<string, string | undefined>>;

/** Days in words: a pattern, and what they are with a time ("08:30") on them. Undefined: no such days. */
export interface DayRule {
  readonly pattern: string;
  readonly at: (time: string, groups: Groups, context: WhenContext) => Schedule | undefined;
  /** It says by itself that it comes again: without a time there is only that to ask for. */
  readonly repeats?: boolean;
}

const weekday = String.raw`(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?(?!\w)`;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const month = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const nth = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const ofTheMonth = String.raw`of\s+(?:every|each|the)\s+month`;
const monthly = String.raw`(?:monthly|every\s+month|each\s+month)`;

export const dayRules: readonly DayRule[] = [
  {
    pattern: String.raw`(?:every\s*day|each\s+day|daily)`,
    at: (at) => ({ kind: "daily", at }),
    repeats: true,
  },
  {
    pattern: String.raw`(?:(?:every|each)\s+(?:weekday|workday|working\s+day|business\s+day)|(?:on\s+)?(?:weekdays|workdays|working\s+days|business\s+days))`,
    at: (at) => ({ kind: "weekdays", at }),
    repeats: true,
  },
  {
    pattern: String.raw`(?:on\s+)?weekends`,
    at: (at) => ({ kind: "weekly", days: ["sat", "sun"], at }),
    repeats: true,
  },
  {
    pattern: String.raw`(?:(?:every|each|(?:weekly\s+)?on)\s+)?(?<from>${weekday})\s*(?:-|–|to|through)\s*(?<to>${weekday})`,
    at: (at, { from = "", to = "" }) => weekly(span(readWeekday(from), readWeekday(to)), at),
    repeats: true,
  },
  {
    pattern: String.raw`(?<lead>every|each|weekly\s+on)\s+(?<days>${weekday}(?:\s*(?:,\s*and|,|and|&|\+|/)\s*${weekday})*)`,
    at: (at, { days = "" }) => weekly(readWeekdays(days), at),
    repeats: true,
  },
  {
    // "On Monday" is the coming one; "Mondays", "mon and thu" and a bare "mon 9am" come again.
    pattern: String.raw`(?:(?<lead>on|this)\s+)?(?<days>${weekday}(?:\s*(?:,\s*and|,|and|&|\+|/)\s*${weekday})*)`,
    at: (at, { lead, days = "" }, context) => {
      const named = readWeekdays(days);
      const [only] = named;
      const once = lead !== undefined && named.length === 1 && !/days$/i.test(days);
      return once && only !== undefined ? coming(only, at, context) : weekly(named, at);
    },
  },
  {
    pattern: String.raw`(?:on\s+)?the\s+${nth}\s+(?:day\s+)?${ofTheMonth}`,
    at: (at, { day: text }) => monthlyOn(Number(text), at),
    repeats: true,
  },
  {
    pattern: String.raw`${monthly}\s+on\s+(?:the\s+|day\s+)?${nth}`,
    at: (at, { day: text }) => monthlyOn(Number(text), at),
    repeats: true,
  },
  {
    pattern: String.raw`(?:(?:on\s+)?the\s+(?<which>first|last)\s+day\s+${ofTheMonth}|${monthly}\s+on\s+the\s+(?:first|last)\s+day)`,
    at: (at, { all = "" }) => monthlyOn(/last/i.test(all) ? 31 : 1, at),
    repeats: true,
  },
  {
    pattern: String.raw`(?:(?<today>today)|(?<tomorrow>tomorrow)|the\s+day\s+after\s+tomorrow)`,
    at: (at, { today, tomorrow }, context) => once(localDay(context, today ? 0 : tomorrow ? 1 : 2), at),
  },
  {
    pattern: String.raw`(?:on\s+)?(?<date>\d{4}-\d{2}-\d{2})`,
    at: (at, { date = "" }) => once(date, at),
  },
  {
    pattern: String.raw`(?:on\s+)?(?:the\s+)?${nth}\s+(?:of\s+)?${month}(?:,?\s+(?<year>\d{4}))?`,
    at: onDate,
  },
  {
    pattern: String.raw`(?:on\s+)?${month}\s+(?:the\s+)?${nth}(?:,?\s+(?<year>\d{4}))?`,
    at: onDate,
  },
];

function readWeekday(text: string): number {
  return weekdays.findIndex((name) => text.toLowerCase().startsWith(name));
}

function readWeekdays(text: string): Weekday[] {
  return ordered((text.match(new RegExp(weekday, "gi")) ?? []).map(readWeekday));
}

function span(from: number, to: number): Weekday[] {
  return ordered(Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, more) => (from + more) % 7));
}

/** Each once, Monday first. */
function ordered(numbers: readonly number[]): Weekday[] {
  const sorted = [...new Set(numbers)].sort((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
  return sorted.flatMap((number) => weekdays[number] ?? []);
}

function weekly(days: Weekday[], at: string): Schedule {
  return days.join() === "mon,tue,wed,thu,fri" ? { kind: "weekdays", at } : { kind: "weekly", days, at };
}

function monthlyOn(number: number, at: string): Schedule | undefined {
  return number >= 1 && number <= 31 ? { kind: "monthly", day: number, at } : undefined;
}

function once(date: string, at: string): Schedule {
  return { kind: "once", at: `${date}T${at}` };
}

/** The local date so many days from now. */
function localDay({ now, zone }: WhenContext, days: number): string {
  return new Date(wallOf(zone, now.getTime()) + days * day).toISOString().slice(0, 10);
}

function coming(name: Weekday, at: string, context: WhenContext): Schedule {
  const wall = new Date(wallOf(context.zone, context.now.getTime()));
  const days = (weekdays.indexOf(name) - wall.getUTCDay() + 7) % 7;
  return once(localDay(context, days === 0 && wall.toISOString().slice(11, 16) >= at ? 7 : days), at);
}

/** Without a year: the next such date. */
function onDate(
  at: string,
  { day: dayText = "", month: name = "", year }: Groups,
  { now, zone }: WhenContext,
): Schedule {
  const number = months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const date = `${String(number).padStart(2, "0")}-${dayText.padStart(2, "0")}`;
  const here = new Date(wallOf(zone, now.getTime())).toISOString().slice(0, 16);
  const thisYear = `${here.slice(0, 4)}-${date}`;
  if (year !== undefined) return once(`${year}-${date}`, at);
  return once(`${thisYear}T${at}` > here ? thisYear : `${Number(here.slice(0, 4)) + 1}-${date}`, at);
}
