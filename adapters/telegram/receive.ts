import type { Update, UserFromGetMe } from "grammy/types";
import { type InboundEvent, persist, type RetryTiming, type Sink } from "../../src/chat/index.ts";
import { describe } from "./errors.ts";
import { toEvent } from "./events.ts";
import { createRecentMessages } from "./memory.ts";

export interface ReceiverDeps extends RetryTiming {
  readonly sink: Sink;
  readonly warn: (message: string, detail: string) => void;
}

/** Hands updates to the sink, each until it is stored: while it is not, Telegram keeps it and everything behind it. */
export function createReceiver({ sink, warn, ...timing }: ReceiverDeps) {
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
      const onFailure = (error: unknown) => warn(`event ${event.key} could not be stored`, describe(error));
      return persist(() => sink(event), { ...timing, signal: stopping, onFailure }).then(
        () => true,
        () => false,
      );
    },
  };
}
