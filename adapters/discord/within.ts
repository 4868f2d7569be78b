import { setTimeout as delay } from "node:timers/promises";

/** The outcome if it comes in time and is not a failure; undefined otherwise. */
export function within<T>(ms: number, outcome: Promise<T>): Promise<T | undefined> {
  return Promise.race([outcome.catch(() => undefined), delay(ms, undefined, { ref: false })]);
}
