import { isZone, problemIn, type Schedule, type ScheduleProblem } from "./schedule.ts";
import { instantOf, minute, wallOf } from "./schedule-zone.ts";
import { dayRules, type WhenContext } from "./when-days.ts";
import { amountPattern, readAmount, readTime, timePattern } from "./when-time.ts";

export type WhenReading =
  | { readonly kind: "read"; readonly schedule: Schedule; readonly rest: string }
  | { readonly kind: "unread" }
  | { readonly kind: "problem"; readonly problem: ScheduleProblem };

type Groups = Readonly<Record<string, string | undefined>>;
type Found = Schedule | "no_time" | undefined;

interface Rule {
  readonly pattern: string;
  readonly read: (groups: Groups, context: WhenContext) => Found;
}

const cronPart = String.raw`[\d*/,-]+`;

const rules: readonly Rule[] = [
  {
    pattern: String.raw`(?:cron:?\s+)?\x60?(?<expression>@(?:hourly|daily|midnight|weekly|monthly|yearly|annually)|${cronPart}\s+${cronPart}\s+[\d*/,?-]+\s+(?:${cronPart}|[a-z]{3}(?:[-,][a-z]{3})*)\s+(?:[\d*/,?-]+|[a-z]{3}(?:[-,][a-z]{3})*))\x60?`,
    read: ({ expression = "" }) => ({ kind: "cron", expression: expression.replace(/\s+/g, " ") }),
  },
  {
    pattern: String.raw`(?:on\s+)?(?<at>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z?)`,
    read: ({ at = "" }) => ({ kind: "once", at: at.toUpperCase() }),
  },
  ...dayRules.map(({ pattern, at }) => timed(`${pattern},?\\s+${timePattern}`, at)),
  ...dayRules.map(({ pattern, at }) => timed(`${timePattern},?\\s+${pattern}`, at)),
  {
    pattern: String.raw`(?:hourly|(?:every|each)\s+hour)(?:,?\s+(?:at\s+)?:(?<minute>\d{1,2})|\s+on\s+the\s+hour)?`,
    read: ({ minute: past = "0" }) => hourly(Number(past)),
  },
  {
    pattern: String.raw`(?:at\s+)?(?<minute>\d{1,3})\s*(?:minutes?|mins?)?\s+past\s+(?:(?:every|each|the)\s+)?hour`,
    read: ({ minute: past }) => hourly(Number(past)),
  },
  ...dayRules.flatMap(({ pattern, repeats }) => (repeats ? [{ pattern, read: () => "no_time" as const }] : [])),
  {
    pattern: String.raw`(?:every|each)\s+${amountPattern}`,
    // "Every week" has a day and a time that are not said.
    read: ({ count, unit = "" }, context) =>
      count === undefined && /^[dw]/i.test(unit) ? undefined : every(readAmount(count, unit), context),
  },
  {
    pattern: String.raw`in\s+${amountPattern}`,
    read: ({ count, unit = "" }, context) =>
      count === undefined ? undefined : later(readAmount(count, unit), /^[dw]/i.test(unit), context),
  },
];

function timed(pattern: string, at: (typeof dayRules)[number]["at"]): Rule {
  return {
    pattern,
    read: (groups, context) => {
      const time = readTime(groups.time ?? "");
      return time === undefined ? undefined : at(time, groups, context);
    },
  };
}

function hourly(past: number): Schedule | undefined {
  return past <= 59 ? { kind: "hourly", minute: past } : undefined;
}

function every(minutes: number | undefined, { now }: WhenContext): Schedule | undefined {
  if (minutes === undefined) return undefined;
  const anchor = new Date(Math.floor(now.getTime() / minute) * minute).toISOString();
  return { kind: "interval", everyMinutes: minutes, anchor };
}

/** Hours and minutes are real time; days and weeks are days of the calendar. Never earlier than asked. */
function later(minutes: number | undefined, byDays: boolean, { now, zone }: WhenContext): Schedule | undefined {
  if (minutes === undefined || minutes < 1) return undefined;
  const from = Math.ceil(now.getTime() / minute) * minute;
  if (byDays) return { kind: "once", at: local(wallOf(zone, from) + minutes * minute) };
  const due = from + minutes * minute;
  const wall = wallOf(zone, due);
  // Clocks that are set back show this time twice, and a local time means the first.
  return { kind: "once", at: instantOf(zone, wall) === due ? local(wall) : `${local(due)}Z` };
}

function local(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16);
}

const compiled = rules.map(({ pattern, read }) => ({
  read,
  first: new RegExp(`^(?<all>${pattern})(?!\\w|[:.,]\\d)`, "i"),
  last: new RegExp(`(?:^|[\\s,;:(–—-])(?<all>${pattern})[.!)]*$`, "i"),
}));

/** More of a schedule that was not understood: reading only half of it would be a guess. */
const goesOn =
  /^(?:[\s,–—-]*(?:and|or|except|excluding|but|not|until|till|unless|starting|beginning|from|between|at|on|every|of|o'clock|utc|gmt|[ecmpw]e?[sd]?t|cest|eest|[bij]st)(?!\w)|[\s,–—-]*[–—-]\s*\d|[\s,]*[\d*]|\s*[A-Z]\w+ time(?!\w))/i;
/** What stands before makes the time a part of the sentence. */
const belongs =
  /(?:(?:^|\s)(?:and|or|except|but|not|until|till|before|after|by|since|from|than|of|for|the|every|each|is|was|are|be|due|starts|start|next|last|other|first|second|third|fourth|alternate|\d(?:st|nd|rd|th))|[–—&+-]|\d)\s*$/i;
/** A schedule is short: what is further in is never looked at. */
const longest = 160;

/** Reads a schedule at the beginning or the end of a text. What is not clearly one is unread, never guessed at. */
export function readWhen(text: string, context: WhenContext): WhenReading {
  if (!isZone(context.zone)) return { kind: "problem", problem: { kind: "zone", zone: context.zone } };
  const whole = text.trim();
  for (const { first, read } of compiled) {
    const match = first.exec(whole.slice(0, longest));
    if (match === null) continue;
    const rest = whole.slice(match[0].length);
    return goesOn.test(rest)
      ? sixFields(whole, match.groups)
      : outcome(read(match.groups ?? {}, context), rest, context);
  }
  const tail = whole.slice(-longest);
  for (const { last, read } of compiled) {
    const match = last.exec(tail);
    if (match === null) continue;
    const rest = whole.slice(0, whole.length - tail.length + match.index);
    return belongs.test(rest) ? { kind: "unread" } : outcome(read(match.groups ?? {}, context), rest, context);
  }
  return { kind: "unread" };
}

/** A sixth field after a cron line is an easy mistake to name. */
function sixFields(whole: string, groups: Groups | undefined): WhenReading {
  if (groups?.expression === undefined) return { kind: "unread" };
  const expression = whole.split(/\s+/).slice(0, 6).join(" ");
  return { kind: "problem", problem: { kind: "cron", expression, problem: { part: "count" } } };
}

function outcome(found: Found, rest: string, { zone, now }: WhenContext): WhenReading {
  if (found === undefined) return { kind: "unread" };
  if (found === "no_time") return { kind: "problem", problem: { kind: "no_time" } };
  const problem = problemIn(found, zone, now);
  if (problem !== null) return { kind: "problem", problem };
  return { kind: "read", schedule: found, rest: rest.replace(/^[\s,;:.–—-]+|[\s,;:–—-]+$/g, "") };
}
