import type { WebClient } from "@slack/web-api";
import { type Address, createRecent, delivered, failed, type Reaction, type Receipt } from "../../src/chat/index.ts";
import { describe, errorCode, isNotAllowed, toFailure } from "./errors.ts";

const emoji = {
  received: "eyes",
  done: "white_check_mark",
  failed: "x",
  stopped: "black_square_for_stop",
} as const satisfies Record<Reaction, string>;

const remembered = 2_000;

/** One reaction of ours a message: a new one takes the place of the one before. */
export function createReactions(client: WebClient, redact: (text: string) => string) {
  const shown = createRecent<string>(remembered);
  const startedAt = Date.now();

  /** Which of ours may stand there. What an earlier process showed on an older message is not known. */
  const before = (key: string, messageId: string): readonly string[] => {
    const known = shown.get(key);
    if (known !== undefined) return [known];
    return Number(messageId) * 1000 < startedAt ? Object.values(emoji) : [emoji.received];
  };

  return async ({ channel }: Address, messageId: string, reaction: Reaction): Promise<Receipt> => {
    const name = emoji[reaction];
    const key = `${channel}:${messageId}`;
    const gone = before(key, messageId).filter((each) => each !== name);
    try {
      await client.reactions.add({ channel, timestamp: messageId, name }).catch(unless("already_reacted"));
      shown.set(key, name);
      for (const each of gone) {
        await client.reactions.remove({ channel, timestamp: messageId, name: each }).catch(unless("no_reaction"));
      }
      return delivered(messageId);
    } catch (error) {
      // A sign we may not set is missing, and nothing more: no answer waits until somebody allows it.
      if (isNotAllowed(errorCode(error))) return failed("rejected", redact(describe(error)));
      return toFailure(error, redact);
    }
  };
}

/** It is as it should be already. */
function unless(code: string) {
  return (error: unknown): undefined => {
    if (errorCode(error) !== code) throw error;
  };
}
