import { type Address, createRecent, type Reaction } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { code, hasCode } from "./errors.ts";
import type { Threads } from "./threads.ts";

const emoji = { received: "👀", done: "✅", failed: "❌", stopped: "⏹️" } as const satisfies Record<Reaction, string>;

/** One reaction of ours a message: a new one takes the place of the one before. */
export function createReactions(api: Api, threads: Threads) {
  const shown = createRecent<Reaction>(2000);

  const reactIn = async (channel: string, messageId: string, reaction: Reaction): Promise<void> => {
    await threads.unarchived(channel, () => api.react(channel, messageId, emoji[reaction]));
    // Before a restart it can only have been the first one.
    const before = shown.get(messageId) ?? "received";
    shown.set(messageId, reaction);
    // A sign too many is no failure.
    if (before !== reaction) await api.unreact(channel, messageId, emoji[before]).catch(() => undefined);
  };

  return async (address: Address, messageId: string, reaction: Reaction): Promise<string> => {
    let last: unknown;
    for (const channel of threads.whereabouts(address, messageId)) {
      try {
        await reactIn(channel, messageId, reaction);
        return messageId;
      } catch (error) {
        last = error;
        if (!hasCode(error, code.unknownChannel, code.unknownMessage)) throw error;
      }
    }
    throw last;
  };
}
