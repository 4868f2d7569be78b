import { cleanText, plain } from "../chat/index.ts";
import type { RoutineBriefing } from "../routines/index.ts";
import { clockTime, redact } from "../shared/index.ts";
import type { ActiveRun } from "./active-run.ts";

export interface ReportText {
  /** As it is posted. */
  readonly whole: string;
  /** What a later turn is told of it: redacted, and cut. */
  readonly digest: string;
}

/** A title line, why it is late or went wrong, and what there is to say: nothing about how it was made. */
export function reportText(
  { words, context }: Pick<ActiveRun, "words" | "context">,
  { name, late, scheduledFor, timezone, failure }: RoutineBriefing,
  said: string,
  now: Date,
): ReportText {
  const locale = context.requester?.locale ?? null;
  const title = titleOf(name);
  const due = late ? ` ${words.reports.late(clockTime(scheduledFor, now, timezone, locale))}` : "";
  const trouble = failure === null ? "" : words.reports.couldNotFinish(failure);
  const body = [trouble, said].filter((part) => part.trim() !== "").join("\n\n");
  return { whole: [`${title}${due}`, body].filter((part) => part !== "").join("\n\n"), digest: digestOf(body) };
}

/** All of one report that a later turn is told, in characters. */
export const longestDigest = 1_500;

/** Redacted before it is cut, and cut at the end of a line or a word where one is near. */
export function digestOf(text: string): string {
  const whole = redact(cleanText(text)).trim();
  if (whole.length <= longestDigest) return whole;
  const start = whole.slice(0, longestDigest - 1).toWellFormed();
  const line = start.lastIndexOf("\n");
  const word = start.search(/\s\S*$/u);
  const end = line > longestDigest * 0.8 ? line : word > longestDigest * 0.8 ? word : start.length;
  return `${start.slice(0, end).trimEnd()}…`;
}

/** The name of a routine, as what it posts begins. */
export function titleOf(name: string): string {
  return `**${plain(name)}**`;
}
