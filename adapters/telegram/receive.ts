import { setTimeout as delay } from "node:timers/promises";
import type { Update, UserFromGetMe } from "grammy/types";
import type { InboundEvent, Sink } from "../../src/chat/index.ts";
import { describe } from "./errors.ts";
import { toEvent } from "./events.ts";
import { createRecentMessages } from "./memory.ts";

export interface ReceiverDeps {
  readonly sink: Sink;
  readonly warn: (message: string, detail: string) => void;
  /** The first and the longest pause after the sink could not store an event, in milliseconds. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
}

/** Hands updates to the sink, each until it is stored: while it is not, Telegram keeps it and everything behind it. */
export function createReceiver({ sink, warn, retryMs, retryMaxMs }: ReceiverDeps) {
  const recent = createRecentMessages();

  const read = (update: Update, me: UserFromGetMe): InboundEvent | undefined => {
    try {
      const event = toEvent(update, me);
      return event && recent.complete(event);
    } catch (error) {
      // An update of a shape nobody foresaw must not stop the ones behind it.
      warn(`update ${update.update_id} could not be read`, describe(error));
      return undefined;
    }
  };

  return {
    /** Resolves true once the update is stored or holds nothing for us, false when stopped before. */
    take: async (update: Update, me: UserFromGetMe, stopping: AbortSignal): Promise<boolean> => {
      const event = read(update, me);
      if (!event) return true;
      for (let attempt = 0; ; attempt += 1) {
        try {
          await sink(event);
          return true;
        } catch (error) {
          warn(`event ${event.key} could not be stored`, describe(error));
        }
        const pause = Math.min(retryMaxMs, retryMs * 2 ** Math.min(attempt, 16));
        const slept = await delay(pause, true, { signal: stopping }).catch(() => false);
        if (!slept) return false;
      }
    },
  };
}
