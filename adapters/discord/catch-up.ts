import { setTimeout as delay } from "node:timers/promises";
import { RateLimitError } from "discord.js";
import { backoff, type KnownPlace, type RetryTiming } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { describe, isRefusal, waitOf } from "./errors.ts";
import type { Reader } from "./events.ts";
import { catchUpMessages } from "./limits.ts";
import type { Receiver } from "./receive.ts";

export interface CatchUpDeps extends RetryTiming {
  readonly api: Api;
  readonly reader: Reader;
  readonly receiver: Receiver;
  readonly warn: (message: string, detail: string) => void;
}

const pageSize = 100;
/** Channels asked at the same time: a bot in many places must not spend its requests on the past. */
const atOnce = 4;
const mostTries = 6;

/** Fetches what was said in known places since we last listened, each in front of everything that comes live from there. */
export function createCatchUp({ api, reader, receiver, warn, ...timing }: CatchUpDeps) {
  const inTurn = createTurns(atOnce);

  const fetchPage = async (channel: string, after: string) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await inTurn(() => api.messages(channel, { after, limit: pageSize }, receiver.signal));
      } catch (error) {
        receiver.signal.throwIfAborted();
        // A place that is gone or closed to us has nothing to tell.
        if (isRefusal(error)) return [];
        if (attempt + 1 >= mostTries) {
          warn(`what was said in ${channel} meanwhile could not be fetched`, describe(error));
          return [];
        }
        const pause = error instanceof RateLimitError ? waitOf(error) : backoff(timing, attempt);
        await delay(pause, undefined, { signal: receiver.signal });
      }
    }
  };

  const catchUp = async (channel: string, since: Date): Promise<void> => {
    let after = snowflakeBefore(since);
    for (let count = 0; count < catchUpMessages; count += pageSize) {
      const page = [...(await fetchPage(channel, after))].sort(byAge);
      for (const message of page) {
        await receiver.readAndOffer(`message ${message.id}`, () => reader.message(message));
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return;
      after = last.id;
    }
  };

  return (places: readonly KnownPlace[]): void => {
    for (const { channel, threads, since } of places) {
      for (const lane of new Set([channel, ...threads])) receiver.inLane(lane, () => catchUp(lane, since));
    }
  };
}

/** Discord counts from the first second of 2015. */
const epoch = 1_420_070_400_000;

/** The highest id that a message of an earlier moment can have. */
export function snowflakeBefore(moment: Date): string {
  return String((BigInt(Math.max(0, moment.getTime() - epoch)) << 22n) - 1n).replace(/^-1$/, "0");
}

export function sentAtOf(id: string): Date {
  return new Date(Number(BigInt(id) >> 22n) + epoch);
}

function byAge(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
}

/** Lets so many run at once; the others wait for their turn. */
function createTurns(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
