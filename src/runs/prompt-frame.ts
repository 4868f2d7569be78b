import { cleanText } from "../chat/index.ts";
import { redact } from "../shared/index.ts";

/**
 * How text from outside is put into a prompt: in blocks that only we can open and close, names and titles as quoted
 * strings on one line. Everything is redacted before it is cut.
 */
export type BlockTag =
  | "message"
  | "quoted"
  | "forwarded"
  | "edited"
  | "earlier_conversation"
  | "said_around"
  | "memories"
  | "reports"
  | "instruction"
  | "payload"
  | "files";

const anyBlock =
  /<(?=\s*\/?\s*(?:message|quoted|forwarded|edited|earlier_conversation|said_around|memories|reports|instruction|payload|files|shipmate_place)\b)/giu;
const longestName = 100;

/** `<tag name="value">`, the text, `</tag>`. A tag of ours inside the text loses its bracket and is mere text. */
export function block(tag: BlockTag, attributes: Readonly<Record<string, string | undefined>>, text: string): string {
  const given = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}=${quotedName(value)}`],
  );
  return `<${tag}${given.join("")}>\n${data(text)}\n</${tag}>`;
}

/** Text from outside that cannot end the block it stands in. */
export function data(text: string): string {
  return redact(cleanText(text)).replace(anyBlock, "‹").trim();
}

/** A name, a title or a path as one quoted string: no line breaks, no brackets, at most 100 characters. */
export function quotedName(name: string, longest: number = longestName): string {
  const flat = redact(cleanText(name)).replaceAll(/\s+/gu, " ").replaceAll("<", "‹").replaceAll(">", "›").trim();
  return JSON.stringify(clipped(flat, longest));
}

/** At most so many characters, with a mark where something is missing. Give it redacted text. */
export function clipped(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed().trimEnd()}…`;
}

/** `Friday, 31 October 2026, 09:14 (Europe/Lisbon)`; the host's zone where the given one is absent or unknown. */
export function clockText(now: Date, timezone: string | undefined): string {
  const format = clockFormat(timezone) ?? clockFormat(undefined);
  if (format === undefined) return now.toISOString();
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  const day = `${part("weekday")}, ${part("day")} ${part("month")} ${part("year")}`;
  return `${day}, ${part("hour")}:${part("minute")} (${format.resolvedOptions().timeZone})`;
}

/** `09:14` in the same zone. */
export function timeText(at: Date, timezone: string | undefined): string {
  return clockText(at, timezone).replace(/^.*, (\d\d:\d\d) \(.*$/u, "$1");
}

/** A memo of pure values, by zone: making one takes 0.1 ms, and every prompt needs two. */
const clockFormats = new Map<string | undefined, Intl.DateTimeFormat>();

function clockFormat(timeZone: string | undefined): Intl.DateTimeFormat | undefined {
  const known = clockFormats.get(timeZone);
  if (known !== undefined) return known;
  const made = newClockFormat(timeZone);
  if (made !== undefined) clockFormats.set(timeZone, made);
  return made;
}

function newClockFormat(timeZone: string | undefined): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      weekday: "long",
      day: "numeric",
      month: "long",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone,
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
