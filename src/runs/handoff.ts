import { z } from "zod";
import { cleanText } from "../chat/index.ts";
import { redact } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import { type HistoryLine, history, type PastStep, pastSteps } from "./history.store.ts";

/** All of it together, in characters: what the prompt has room for. */
export const handoffLimit = 8_000;
const handoffLines = 60;
const lineLimit = 1_500;
const nameLimit = 100;
const stepLimit = 160;
const stepsPerRun = 8;
const runsWithSteps = 10;

export interface HandoffOf {
  readonly conversationId: string;
  readonly teammateName: string;
  /** Nothing before this moment: the conversation's last reset, or the last change of what is remembered. */
  readonly since: Date | null;
  /** The messages the next turn is about: they are not part of what was before. */
  readonly without: readonly string[];
  /** For less than all the room there is, in characters. */
  readonly limit?: number | undefined;
}

/**
 * What was said and done in a conversation, for a Codex thread that does not know it: the newest that has room, oldest first;
 * null where there is nothing. Everything is redacted before it is cut. Reasoning, diffs and pictures stay behind.
 */
export async function buildHandoff(db: Db, of: HandoffOf): Promise<string | null> {
  const [lines, steps] = await Promise.all([
    history(db, of.conversationId, of.since, of.without, handoffLines),
    pastSteps(db, of.conversationId, of.since, { runs: runsWithSteps, steps: stepsPerRun }),
  ]);
  return newestWithin(together(lines.toReversed(), doneIn(steps), of.teammateName), of.limit ?? handoffLimit);
}

/** The newest entries that have room, in their order; null where there are none. */
export function newestWithin(entries: readonly string[], limit: number): string | null {
  const kept: string[] = [];
  let length = 0;
  for (const entry of entries.toReversed()) {
    if (length + entry.length + 2 > limit) break;
    kept.unshift(entry);
    length += entry.length + 2;
  }
  return kept.length === 0 ? null : kept.join("\n\n");
}

interface Done {
  readonly endedAt: Date;
  readonly what: readonly string[];
}

/** The steps of a turn stand before the answer it ended with. */
function together(lines: readonly HistoryLine[], done: readonly Done[], name: string): string[] {
  const waiting = [...done];
  const entries: string[] = [];
  const place = (before: Date | undefined) => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (before !== undefined && next.endedAt > before) return;
      waiting.shift();
      if (next.what.length > 0) entries.push(`(${kept(name, nameLimit)} ${next.what.join("; ")})`);
    }
  };
  for (const line of lines) {
    place(line.sentAt);
    entries.push(lineText(line));
  }
  place(undefined);
  return entries;
}

/** One message, redacted and cut. */
export function lineText({ authorName, text, forwardedFrom, files }: HistoryLine): string {
  const who = kept(authorName, nameLimit);
  const forwarded = forwardedFrom === null ? "" : ` (forwarded from ${kept(forwardedFrom, nameLimit)})`;
  const sent = files.length === 0 ? "" : `[${files.map((name) => kept(name, nameLimit)).join(", ")}]`;
  return `${who}${forwarded}: ${[words(text), sent].filter((part) => part !== "").join(" ")}`;
}

const stepShape = z.object({
  outcome: z.enum(["ok", "failed", "declined"]),
  step: z.union([
    z.object({ kind: z.literal("command"), command: z.string() }),
    z.object({ kind: z.literal("edit"), paths: z.array(z.string()).min(1) }),
  ]),
});
const fileShape = z.object({ name: z.string() });

/** By turn, in their order. What cannot be read is no step. */
function doneIn(steps: readonly PastStep[]): Done[] {
  const runs = new Map<string, { endedAt: Date; what: string[] }>();
  for (const { runId, endedAt, kind, payload } of steps) {
    const what = kind === "file" ? fileText(payload) : stepText(payload);
    if (what === undefined) continue;
    const run = runs.get(runId) ?? { endedAt, what: [] };
    runs.set(runId, run);
    if (!run.what.includes(what)) run.what.push(what);
  }
  return [...runs.values()];
}

function fileText(payload: unknown): string | undefined {
  const file = fileShape.safeParse(payload).data;
  return file && `sent ${kept(file.name, nameLimit)}`;
}

function stepText(payload: unknown): string | undefined {
  const found = stepShape.safeParse(payload).data;
  if (found === undefined || found.outcome === "declined") return undefined;
  const { step, outcome } = found;
  const failed = outcome === "failed" ? ", which failed" : "";
  if (step.kind === "command") return `ran ${kept(step.command, stepLimit)}${failed}`;
  return `edited ${kept(step.paths.join(", "), stepLimit)}${failed}`;
}

/** Further lines are indented, so that one message cannot pass for two. */
function words(text: string): string {
  return cut(redact(cleanText(text)).trim(), lineLimit).replaceAll("\n", "\n  ");
}

/** On one line. Redacted first: half a secret would not be recognised any more. */
function kept(text: string, limit: number): string {
  return cut(redact(cleanText(text)).replaceAll(/\s+/gu, " ").trim(), limit);
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit - 1).toWellFormed();
  return `${start.trimEnd()}…`;
}
