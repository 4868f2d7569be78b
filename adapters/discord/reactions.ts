import { type Address, createRecent, type Reaction } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { sentAtOf } from "./catch-up.ts";
import { code, hasCode } from "./errors.ts";
import type { Threads } from "./threads.ts";

const emoji = { received: "👀", done: "✅", failed: "❌", stopped: "⏹️" } as const satisfies Record<Reaction, string>;

/** One reaction of ours a message: a new one takes the place of the one before. */
export function createReactions(api: Api, threads: Threads) {
  const shown = createRecent<Reaction>(2000);
  const startedAt = new Date();

  /** Which of ours may stand there. What an earlier process showed on an older message is not known. */
  const before = (messageId: string): readonly Reaction[] => {
    const known = shown.get(messageId);
    if (known !== undefined) return [known];
    return sentAtOf(messageId) < startedAt ? ["received", "done", "failed", "stopped"] : ["received"];
  };

  const reactIn = async (channel: string, messageId: string, reaction: Reaction): Promise<void> => {
    await threads.unarchived(channel, () => api.react(channel, messageId, emoji[reaction]));
    const gone = before(messageId).filter((each) => each !== reaction);
    shown.set(messageId, reaction);
    // A sign too many is no failure.
    for (const each of gone) await api.unreact(channel, messageId, emoji[each]).catch(() => undefined);
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
