import type { Update } from "grammy/types";

/** Takes one update; resolves true once it is stored. Never rejects. */
export type Take = (update: Update) => Promise<boolean>;

interface Taken {
  readonly updateId: number;
  readonly stored: Promise<boolean>;
}

/** Takes updates in order within a chat and chats beside each other, so that a busy chat does not hold up another one's "stop". */
export function createBatch(take: Take) {
  const lanes = new Map<number, Promise<boolean>>();
  let batch: readonly Taken[] = [];
  return {
    add: (update: Update): void => {
      const lane = chatOf(update);
      const before = lanes.get(lane) ?? Promise.resolve(true);
      const stored = before.then((ready) => ready && take(update));
      lanes.set(lane, stored);
      batch = [...batch, { updateId: update.update_id, stored }];
    },
    /** Waits for all of them; the id up to which everything is stored, undefined where nothing new is. */
    settle: async (): Promise<number | undefined> => {
      const waiting = batch;
      const outcomes = await Promise.all(waiting.map(({ stored }) => stored));
      if (batch === waiting) {
        batch = [];
        lanes.clear();
      }
      const gap = outcomes.indexOf(false);
      return waiting[(gap === -1 ? waiting.length : gap) - 1]?.updateId;
    },
  };
}

function chatOf({
  message,
  edited_message,
  callback_query,
  my_chat_member,
  stopped_message_generation,
}: Update): number {
  const place = message ?? edited_message ?? callback_query?.message ?? my_chat_member ?? stopped_message_generation;
  return place?.chat?.id ?? 0;
}
