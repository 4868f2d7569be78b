/** What a cron line says. Five fields: minute, hour, day of month, month, weekday. */
export interface CronFields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Both a day and a weekday are given: either will do. */
  readonly eitherDay: boolean;
  /** The hours begin with `*`: the line follows real time, not the clock on the wall. */
  readonly everyHour: boolean;
}

export type CronField = "minute" | "hour" | "day" | "month" | "weekday";
export type CronProblem = { readonly part: CronField; readonly text: string } | { readonly part: "count" };

interface Range {
  readonly field: CronField;
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const ranges = [
  { field: "minute", from: 0, to: 59, names: [] },
  { field: "hour", from: 0, to: 23, names: [] },
  { field: "day", from: 1, to: 31, names: [] },
  { field: "month", from: 1, to: 12, names: monthNames },
  // 7 is Sunday too.
  { field: "weekday", from: 0, to: 7, names: weekdayNames },
] as const satisfies readonly Range[];

const nicknames = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);

/** The fields of a line, or what is wrong with the first that cannot be read. */
export function readCron(expression: string): CronFields | CronProblem {
  const line = expression.trim().toLowerCase();
  const texts = (nicknames.get(line) ?? line).split(/\s+/);
  if (texts.length !== 5) return { part: "count" };
  const [minutes, hours, days, months, weekdays] = ranges.map((range, at) => readField(texts[at] ?? "", range));
  for (const read of [minutes, hours, days, months, weekdays]) if (read !== undefined && "part" in read) return read;
  const [, hourText = "", dayText = "", , weekdayText = ""] = texts;
  return {
    minutes: asSet(minutes),
    hours: asSet(hours),
    days: asSet(days),
    months: asSet(months),
    weekdays: new Set([...asSet(weekdays)].map((weekday) => weekday % 7)),
    eitherDay: !/^[*?]/.test(dayText) && !/^[*?]/.test(weekdayText),
    everyHour: hourText.startsWith("*"),
  };
}

function asSet(read: Set<number> | CronProblem | undefined): Set<number> {
  return read instanceof Set ? read : new Set();
}

function readField(text: string, range: Range): Set<number> | CronProblem {
  const values = new Set<number>();
  for (const item of text.split(",")) {
    const span = readItem(item, range);
    if (span === undefined) return { part: range.field, text };
    for (let value = span.from; value <= span.to; value += span.step) values.add(value);
  }
  return values;
}

/** `*`, `8`, `mon`, `9-17`, each with a step; `5/10` is from 5 on. */
function readItem(item: string, range: Range): { from: number; to: number; step: number } | undefined {
  const parts = /^(?:(\*|\?)|(\w+)(?:-(\w+))?)(?:\/(\d{1,2}))?$/.exec(item);
  if (parts === null) return undefined;
  const [, all, first = "", last, stepText] = parts;
  if (all === "?" && (stepText !== undefined || (range.field !== "day" && range.field !== "weekday"))) return undefined;
  const step = stepText === undefined ? 1 : Number(stepText);
  const highest = range.field === "weekday" ? 6 : range.to;
  if (step < 1 || step > range.to) return undefined;
  if (all !== undefined) return { from: range.from, to: highest, step };
  const from = readValue(first, range);
  const to = last === undefined ? (stepText === undefined ? from : highest) : readValue(last, range);
  if (from === undefined || to === undefined || to < from) return undefined;
  return { from, to, step };
}

function readValue(text: string, range: Range): number | undefined {
  const named = range.names.indexOf(text);
  if (named >= 0) return range.field === "month" ? named + 1 : named;
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= range.from && value <= range.to ? value : undefined;
}
