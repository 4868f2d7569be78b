const clock = String.raw`\d{1,2}[:.h]\d{2}`;
const half = String.raw`\s*[ap]\.?m\.?(?!\w)`;
const partOfDay = String.raw`(?:\s+in\s+the\s+(?:morning|afternoon|evening))?`;

/** A time of day, as a pattern with the group `time`. A bare number needs its "at": "daily 7 top stories" has no time. */
export const timePattern = String.raw`(?<time>(?:at\s+\d{1,2}(?:${half})?|(?:at\s+)?(?:${clock}(?:${half})?|\d{1,2}${half}|noon|midnight))${partOfDay})`;

/** "08:30" for "at 8:30", "8.30 am", "noon", "8 in the evening"; undefined for what no clock shows. */
export function readTime(text: string): string | undefined {
  const bare = text.toLowerCase().replace(/^at\s+/, "");
  if (bare === "noon") return "12:00";
  if (bare === "midnight") return "00:00";
  const parts = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(?:([ap])\.?m\.?)?(?:\s+in\s+the\s+(\w+))?$/.exec(bare);
  if (parts === null) return undefined;
  const [, hourText, minuteText = "00", letter, part] = parts;
  const hour = Number(hourText);
  const isHalf = letter !== undefined || part !== undefined;
  if (isHalf && (hour < 1 || hour > 12)) return undefined;
  if (hour > 23 || Number(minuteText) > 59) return undefined;
  if (letter !== undefined && part !== undefined && (letter === "a") !== (part === "morning")) return undefined;
  const isLate = letter === "p" || (letter === undefined && part !== undefined && part !== "morning");
  const full = isHalf ? (hour % 12) + (isLate ? 12 : 0) : hour;
  return `${String(full).padStart(2, "0")}:${minuteText}`;
}

const words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const units = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 } as const;

/** An amount of time, as a pattern with the groups `count` and `unit`. */
export const amountPattern = String.raw`(?:(?<count>\d{1,6}|${words.join("|")}|half(?:\s+an)?|an?)\s*)?(?<unit>minutes?|mins?|hours?|hrs?|h|days?|weeks?)`;

/** Minutes; undefined where a fraction of them would be left. Without a count: one. */
export function readAmount(count: string | undefined, unit: string): number | undefined {
  const each = units[unit.toLowerCase().charAt(0) as keyof typeof units];
  const text = count?.toLowerCase() ?? "1";
  const named = words.indexOf(text);
  const number = text.startsWith("half") ? 0.5 : /^an?$/.test(text) ? 1 : named >= 0 ? named + 1 : Number(text);
  return Number.isInteger(number * each) ? number * each : undefined;
}
