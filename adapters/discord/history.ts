import type { APIMessage } from "discord.js";
import type { Address, PastMessage } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { isOurs } from "./authors.ts";
import type { Directory } from "./directory.ts";
import type { Self } from "./events.ts";
import { displayName, otherContent, readText } from "./text.ts";

export interface HistoryDeps {
  readonly api: Api;
  readonly directory: Directory;
  readonly self: () => Self;
}

const mostAtOnce = 100;

/** What was said before a message: in its thread, with the message the thread hangs on; or in the channel, where that message begins one. */
export function createHistory({ api, directory, self }: HistoryDeps) {
  const toPast = async (message: APIMessage): Promise<PastMessage> => {
    const channel = await directory.find(message.channel_id).catch(() => undefined);
    const reading = { botId: self().botId, guild: channel?.guild, directory };
    const files = message.attachments.map(({ filename }) => `[${filename}]`);
    const ours = isOurs(message, self());
    return {
      messageId: message.id,
      authorName: displayName(message.author),
      authorKind: ours ? "us" : message.author.bot || message.webhook_id !== undefined ? "bot" : "person",
      text: [readText(message, reading), ...otherContent(message), ...files].filter(Boolean).join("\n"),
      sentAt: new Date(message.timestamp),
    };
  };

  return async (
    { channel, thread }: Address,
    before: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly PastMessage[]> => {
    const insideThread = thread !== undefined && thread !== before;
    const page = { before, limit: Math.max(1, Math.min(limit, mostAtOnce)) };
    const messages = [...(await api.messages(insideThread ? thread : channel, page, signal))].reverse();
    if (insideThread && messages.length < limit) {
      // The message it hangs on is in the channel; a post in a forum has it inside, and a loose thread has none.
      const root = await api.message(channel, thread, signal).catch(() => undefined);
      if (root && !messages.some(({ id }) => id === root.id)) messages.unshift(root);
    }
    const past = await Promise.all(messages.map(toPast));
    return past.filter(({ text }) => text !== "");
  };
}
