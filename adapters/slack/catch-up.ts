import { setTimeout as delay } from "node:timers/promises";
import { WebAPIRateLimitedError, type WebClient } from "@slack/web-api";
import { backoff, type KnownPlace, type RetryTiming } from "../../src/chat/index.ts";
import { describe, toFailure } from "./errors.ts";
import { channelPage, type Page, threadPage } from "./history.ts";
import type { Intake } from "./intake.ts";
import { fromMessage, type Reader } from "./read.ts";
import type { SlackMessage } from "./shapes.ts";

export interface CatchUpDeps {
  readonly client: WebClient;
  readonly reader: Reader;
  readonly intake: Intake;
  readonly stopping: AbortSignal;
  readonly warn: (message: string, detail: string) => void;
  readonly timing: RetryTiming;
}

/** A thousand messages a place: what is more was no gap but an absence. */
const mostPages = 5;
const mostTries = 5;

/** Hands over what was said in a place since we last heard from there, oldest first. Rejects only when stopped before all is stored. */
export async function catchUp(place: KnownPlace, deps: CatchUpDeps): Promise<void> {
  const { reader, intake, stopping, warn } = deps;
  const missed = await missedIn(place, deps).catch((error: unknown) => {
    // We may have been taken out of it, or it is gone: then nothing there is ours to answer.
    if (!isGone(error) && !stopping.aborted)
      warn(`what was missed in ${place.channel} could not be fetched`, describe(error));
    return [];
  });
  for (const message of missed) {
    const event = await fromMessage(message, place.channel, reader);
    if (event) await intake.store(event);
  }
}

async function missedIn({ channel, threads, since }: KnownPlace, deps: CatchUpDeps): Promise<readonly SlackMessage[]> {
  const oldest = toTs(since);
  const { client } = deps;
  const said = await allPages(deps, (cursor) => channelPage(client, channel, { oldest, cursor }));
  const newThreads = said.filter((message) => (message.reply_count ?? 0) > 0).map((message) => message.ts);
  const replies: SlackMessage[] = [];
  for (const thread of new Set([...threads, ...newThreads])) {
    const found = await allPages(deps, (cursor) => threadPage(client, channel, thread, { oldest, cursor })).catch(
      (error: unknown) => {
        // The thread's root may be gone while the place is not.
        if (isGone(error)) return [];
        throw error;
      },
    );
    replies.push(...found);
  }
  const byTs = new Map([...said, ...replies].map((message) => [message.ts, message]));
  return [...byTs.values()]
    .filter((message) => Number(message.ts) > Number(oldest))
    .sort((a, b) => Number(a.ts) - Number(b.ts));
}

async function allPages(
  deps: CatchUpDeps,
  ask: (cursor: string | undefined) => Promise<Page>,
): Promise<SlackMessage[]> {
  const messages: SlackMessage[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const found = await patiently(deps, () => ask(cursor));
    messages.push(...found.messages);
    cursor = found.cursor;
    if (cursor === undefined) break;
  }
  return messages;
}

/** Reading changes nothing, so that it may be repeated; Slack is given the time it asks for. */
async function patiently<T>({ stopping, timing }: CatchUpDeps, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    stopping.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      const failure = toFailure(error, (text) => text);
      const passing = failure.outcome === "unknown" || (failure.outcome === "failed" && isPassing(failure.error.kind));
      if (!passing || attempt >= mostTries) throw error;
      const pause = error instanceof WebAPIRateLimitedError ? error.retryAfter * 1000 : backoff(timing, attempt);
      await delay(pause, undefined, { signal: stopping });
    }
  }
}

function isPassing(kind: string): boolean {
  return kind === "rate_limited" || kind === "unavailable";
}

function isGone(error: unknown): boolean {
  const failure = toFailure(error, (text) => text);
  return failure.outcome === "failed" && failure.error.kind === "gone";
}

/** A date as Slack writes the time of a message. */
function toTs(date: Date): string {
  return (date.getTime() / 1000).toFixed(6);
}
