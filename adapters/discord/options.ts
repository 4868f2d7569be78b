import type { AdapterLog, RetryTiming } from "../../src/chat/index.ts";

export interface DiscordAdapterOptions {
  readonly token: string;
  /** The API without its version, without a slash at the end; Discord's own by default. */
  readonly apiUrl?: string | undefined;
  readonly log?: AdapterLog | undefined;
  /** Servers whose commands are registered one by one, which shows at once; without any, everywhere. */
  readonly guildIds?: readonly string[] | undefined;
  /** Waiting times, for tests and slow lines. */
  readonly timing?: Partial<DiscordTiming> | undefined;
}

/** All in milliseconds. */
export interface DiscordTiming extends RetryTiming {
  /** After this long without a response a request counts as lost. */
  readonly requestMs: number;
  readonly uploadMs: number;
  /** A rate limit up to this long is waited out; a longer one is told. */
  readonly patienceMs: number;
  /** How long `start` waits for the first events to be able to come. */
  readonly startMs: number;
  /** How long a channel that lets us have no webhook is left alone. */
  readonly webhookPauseMs: number;
  /** How long a token that Discord refused is not shown again. */
  readonly refusedMs: number;
}

export const defaultTiming: DiscordTiming = {
  retryMs: 500,
  retryMaxMs: 30_000,
  requestMs: 15_000,
  uploadMs: 300_000,
  patienceMs: 1500,
  startMs: 15_000,
  webhookPauseMs: 10 * 60_000,
  refusedMs: 60_000,
};
