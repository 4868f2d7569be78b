import { setTimeout as delay } from "node:timers/promises";
import { type ApiClientOptions, Bot, type Transformer } from "grammy";
import type { Update, UserFromGetMe } from "grammy/types";
import { backoff, type ConnectionState, type RetryTiming } from "../../src/chat/index.ts";
import { createBatch } from "./batch.ts";
import { describe } from "./errors.ts";
import { allowedUpdates } from "./events.ts";
import { words } from "./words.ts";

export interface PollingDeps {
  readonly token: string;
  readonly connection: ApiClientOptions;
  /** As the owner knows it. */
  readonly apiRoot: string;
  /** The account, if it is known already. */
  readonly me: UserFromGetMe | undefined;
  /** Takes one update; resolves true once it is stored, false when it was not and `stopping` fired. Never rejects. */
  readonly take: (update: Update, me: UserFromGetMe, stopping: AbortSignal) => Promise<boolean>;
  /** Called once, after the first updates were taken. */
  readonly onFirstBatch: () => void;
  readonly onState: (state: ConnectionState, detail?: string) => void;
  readonly warn: (message: string, detail: string) => void;
  readonly timing: PollingTiming;
}

export interface PollingTiming extends RetryTiming {
  /** How long Telegram holds an empty poll, in seconds. */
  readonly pollSeconds: number;
  /** The pause after another poller took over: shorter would only make both starve. */
  readonly conflictMs: number;
  /** How long a stop may take to tell Telegram how far we came. */
  readonly stopMs: number;
}

export const defaultPollingTiming: PollingTiming = {
  pollSeconds: 25,
  retryMs: 500,
  retryMaxMs: 30_000,
  conflictMs: 5_000,
  stopMs: 3_000,
};

export interface Polling {
  stop(): Promise<void>;
}

/**
 * Runs grammY's long-polling loop until `stop`. Two things it does otherwise: an update counts as confirmed only when `take`
 * said so (grammY also confirms what threw, and what is in hand when it stops), and every failed call is repeated here
 * with a bounded pause (grammY would give up on 401 and 409, and sleep up to 20 minutes while the network is down).
 */
export function startPolling(deps: PollingDeps): Polling {
  const bot = new Bot(deps.token, {
    client: { ...deps.connection, timeoutSeconds: deps.timing.pollSeconds + 15 },
    ...(deps.me ? { botInfo: deps.me } : {}),
  });
  const stopping = new AbortController();
  // Ends the pauses between attempts, after grammY was told to stop: told earlier, it would sleep three seconds over it.
  const pauses = new AbortController();
  const batch = createBatch((update) => deps.take(update, bot.botInfo, stopping.signal));
  const progress: Progress = { confirmed: 0, polls: 0, failing: false, stopping: false };
  const settle = async () => {
    progress.confirmed = (await batch.settle()) ?? progress.confirmed;
  };

  bot.use(({ update }) => {
    if (!progress.stopping) batch.add(update);
  });
  bot.api.config.use(persistent(deps, progress, settle, pauses.signal));

  const running = bot
    .start({ allowed_updates: allowedUpdates, timeout: deps.timing.pollSeconds })
    .catch((error: unknown) => {
      // Only a stop during start-up ends here; every other failure is repeated below.
      if (!progress.stopping) deps.warn("polling ended", describe(error));
    });
  return {
    stop: async () => {
      progress.stopping = true;
      stopping.abort();
      await Promise.race([settle(), delay(deps.timing.stopMs, undefined, { ref: false })]);
      // Tells Telegram how far we came; without it the same messages come again and are recognised by their keys.
      const saved = bot
        .stop()
        .catch((error: unknown) => deps.warn("could not save the polling offset", describe(error)));
      pauses.abort();
      await Promise.race([Promise.all([saved, running]), delay(deps.timing.stopMs, undefined, { ref: false })]);
    },
  };
}

interface Progress {
  /** The last update that was stored, and with it all before it. */
  confirmed: number;
  polls: number;
  failing: boolean;
  stopping: boolean;
}

function persistent(
  deps: PollingDeps,
  progress: Progress,
  settle: () => Promise<void>,
  pauses: AbortSignal,
): Transformer {
  return async (prev, method, payload, signal) => {
    if (method === "getUpdates") {
      if (!progress.stopping) await settle();
      progress.polls += 1;
      if (progress.polls === 2 && !progress.stopping) deps.onFirstBatch();
    }
    for (let attempt = 0; ; attempt += 1) {
      const pause = await prev(method, method === "getUpdates" ? poll(payload) : payload, signal).then(
        (response) => {
          if (response.ok) return { done: response };
          return { wait: afterRefusal(deps, response.error_code, response.parameters?.retry_after, attempt) };
        },
        (error: unknown) => {
          if (progress.stopping) throw error;
          deps.onState("reconnecting", words.unreachable(deps.apiRoot));
          return { wait: backoff(deps.timing, attempt) };
        },
      );
      if ("done" in pause) {
        progress.failing = false;
        if (!progress.stopping) deps.onState("connected");
        return pause.done;
      }
      progress.failing = true;
      if (progress.stopping) throw new Error("stopped");
      await delay(pause.wait, undefined, { signal: pauses });
    }
  };

  function poll<P>(payload: P): P {
    // The first poll and the one after a failure return at once: they show whether we are connected.
    const brief = progress.failing || progress.polls === 1 || progress.stopping;
    return { ...payload, offset: progress.confirmed + 1, ...(brief ? { timeout: 0 } : {}) };
  }
}

function afterRefusal(deps: PollingDeps, code: number, retryAfter: number | undefined, attempt: number): number {
  const { timing, onState } = deps;
  switch (code) {
    case 401:
    case 404:
      onState("misconfigured", words.tokenRevoked);
      return timing.retryMaxMs;
    case 409:
      onState("reconnecting", words.conflict);
      return timing.conflictMs;
    case 429: {
      const seconds = retryAfter ?? 3;
      onState("rate_limited", words.rateLimited(seconds));
      return seconds * 1000;
    }
    default:
      onState("reconnecting", words.unreachable(deps.apiRoot));
      return backoff(timing, attempt);
  }
}
