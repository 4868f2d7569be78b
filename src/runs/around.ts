import type { PastMessage } from "../chat/index.ts";
import { type Line, longestSaid, saidAround } from "../places/index.ts";
import type { Teammate } from "../teammates/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Around, Colleague, SaidLine } from "./prompt-around.ts";
import { endOfWords } from "./redacted-stream.ts";
import type { RunDeps } from "./settings.ts";
import type { ThreadRow } from "./threads.store.ts";

const seenLines = 10;
const earlierMessages = 30;
const longestEarlier = 12_000;

/** The other teammates that can be asked in the place of a run; nobody in a direct message, or where a bot is one teammate's own. */
export function colleaguesOf(run: ActiveRun, team: readonly Teammate[]): readonly Colleague[] {
  const { place, teammate } = run.context;
  return place.kind === "dm" || place.isOwnBot ? [] : team.filter((each) => each.id !== teammate.id);
}

/** What surrounds a run in a shared place; undefined in a direct message. Never rejects: a run does without it. */
export async function lookAround(
  deps: RunDeps,
  run: ActiveRun,
  thread: ThreadRow | undefined,
): Promise<Omit<Around, "colleagues"> | undefined> {
  if (run.context.place.kind === "dm") return undefined;
  const [seen, earlier] = await Promise.all([seenAround(deps, run), earlierInThread(deps, run, thread)]);
  if (earlier === undefined) return { said: seen, source: "seen" };
  if (earlier === "unread") return { said: seen, source: "unread" };
  return { said: newest(together(seen, earlier), longestEarlier), source: "thread" };
}

/** The thread hangs on one of the messages of this run: then it is the channel that surrounds it. */
function rootOf(run: ActiveRun): string | null {
  const { thread } = run.context.to.address;
  return thread !== undefined && run.deliveries.some((each) => each.platformMessageId === thread) ? thread : null;
}

async function seenAround(deps: RunDeps, run: ActiveRun): Promise<SaidLine[]> {
  const { context, deliveries } = run;
  try {
    const lines = await saidAround(deps.db, {
      placeId: context.place.id,
      thread: context.to.address.thread ?? "",
      root: rootOf(run),
      conversationId: context.conversationId,
      teammateId: context.teammate.id,
      before: deliveries.at(-1)?.sentAt ?? deps.clock.now(),
      people: seenLines,
      teammates: seenLines,
    });
    return lines.map(wholeWords);
  } catch (error) {
    deps.log.warn({ err: error, runId: context.runId }, "what was said around a run could not be read");
    return [];
  }
}

/** A word cut in two may be half a secret, which nothing recognises any more. */
function wholeWords(line: Line): Line {
  return line.text.length < longestSaid ? line : { ...line, text: `${line.text.slice(0, endOfWords(line.text))}…` };
}

/**
 * What was said in a thread before we were first asked in the middle of it, as the platform tells it; undefined where that is not so
 * or the platform tells nothing. A teammate's Codex thread knows the rest once a turn completed in it.
 */
async function earlierInThread(
  deps: RunDeps,
  run: ActiveRun,
  thread: ThreadRow | undefined,
): Promise<SaidLine[] | "unread" | undefined> {
  const { to, resetAt, runId } = run.context;
  const adapter = deps.adapters.get(to.connectionId);
  const before = run.deliveries.findLast((each) => each.platformMessageId !== null)?.platformMessageId;
  const isFirst = (thread === undefined || thread.status === "provisional") && resetAt === null;
  if (adapter?.history === undefined || to.address.thread === undefined || before == null) return undefined;
  if (!isFirst || rootOf(run) !== null) return undefined;
  const within = new AbortController();
  const timer = setTimeout(() => within.abort(new Error("it took too long")), deps.limits.historyMs);
  const signal = AbortSignal.any([within.signal, run.abort.signal]);
  try {
    // A signal that was given already is not given again.
    signal.throwIfAborted();
    // Also an adapter that does not look at the signal delays nobody.
    const given = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => given.reject(signal.reason), { once: true });
    const past = await Promise.race([adapter.history(to.address, before, earlierMessages, signal), given.promise]);
    const own = new Set(run.deliveries.map((each) => each.platformMessageId));
    return past.filter((each) => !own.has(each.messageId) && each.text.trim() !== "").map(toLine);
  } catch (error) {
    deps.log.warn({ err: error, runId }, "the earlier messages of a thread could not be read");
    return "unread";
  } finally {
    clearTimeout(timer);
  }
}

const authors = { person: "person", bot: "bot", us: "teammate" } as const satisfies Record<
  PastMessage["authorKind"],
  SaidLine["author"]
>;

function toLine({ authorKind, authorName, text, sentAt }: PastMessage): SaidLine {
  return { author: authors[authorKind], name: authorName, text, sentAt };
}

/** Some platforms tell the time in whole seconds only. */
const sameMomentMs = 1_000;

/** The platform's own account, and what people said that is not in it, such as the message that the thread hangs on. */
function together(seen: readonly SaidLine[], earlier: readonly SaidLine[]): SaidLine[] {
  const isKnown = (line: SaidLine) =>
    earlier.some(({ name, sentAt }) => {
      return name === line.name && Math.abs(sentAt.getTime() - line.sentAt.getTime()) <= sameMomentMs;
    });
  const more = seen.filter((line) => line.author === "person" && !isKnown(line));
  return [...more, ...earlier].sort((a, b) => a.sentAt.getTime() - b.sentAt.getTime());
}

/** The last lines that have room together. */
function newest(lines: readonly SaidLine[], room: number): SaidLine[] {
  const kept: SaidLine[] = [];
  let left = room;
  for (const line of lines.toReversed()) {
    left -= Math.min(line.text.length, longestSaid);
    if (left < 0) break;
    kept.unshift(line);
  }
  return kept;
}
