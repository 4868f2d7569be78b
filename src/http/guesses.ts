import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import type { Clock } from "../shared/index.ts";

/** Counts wrong guesses by who makes them. */
export interface Guesses {
  /** True while this one guessed wrong too often. */
  tooMany(from: string): boolean;
  wrong(from: string): void;
}

const windowMs = 60_000;
/** By then whoever guessed too often may try again. */
export const retrySeconds = windowMs / 1000;
const mostWrong = 20;
/** More than this many who guess at a time are counted as one. */
const mostGuessers = 1_000;

/** Nobody hits a link of 128 random bits by guessing; this keeps whoever tries from costing us a look into the database each time. */
export function createGuesses(clock: Clock): Guesses {
  let until = 0;
  const counts = new Map<string, number>();
  const named = (from: string) => (counts.has(from) || counts.size < mostGuessers ? from : "");
  function renew(): void {
    const now = clock.now().getTime();
    if (now < until) return;
    until = now + windowMs;
    counts.clear();
  }
  return {
    tooMany(from) {
      renew();
      return (counts.get(named(from)) ?? 0) >= mostWrong;
    },
    wrong(from) {
      renew();
      const name = named(from);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
  };
}

/** Who is counted: an address of the network. */
export function fromWhere(context: Context): string {
  return getConnInfo(context).remote.address ?? "";
}
