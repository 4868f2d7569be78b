import { setTimeout as delay } from "node:timers/promises";

/** The first and the longest pause before something is tried again, in milliseconds. */
export interface RetryTiming {
  readonly retryMs: number;
  readonly retryMaxMs: number;
}

/** The pause after the failure of a try, in milliseconds: twice as long each time. Tries count from 0. */
export function backoff({ retryMs, retryMaxMs }: RetryTiming, attempt: number): number {
  return Math.min(retryMaxMs, retryMs * 2 ** Math.min(attempt, 16));
}

export interface Persistence extends RetryTiming {
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

/** Repeats what fails until it does not. Rejects only once it was aborted, and even then lets the first try run. */
export async function persist<T>(work: () => Promise<T>, { signal, onFailure, ...timing }: Persistence): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      onFailure(error);
      await delay(backoff(timing, attempt), undefined, { signal });
    }
  }
}

/** The outcome if it comes in time and is not a failure; undefined otherwise. */
export function within<T>(ms: number, outcome: Promise<T>): Promise<T | undefined> {
  return Promise.race([outcome.catch(() => undefined), delay(ms, undefined, { ref: false })]);
}
