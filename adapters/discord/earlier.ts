import type { APIMessage } from "discord.js";
import { createRecent } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { meaningOf } from "./components.ts";

/** What a message must look like to be the earlier copy of one. */
export interface Copy {
  readonly key: string;
  readonly content: string;
  readonly components: unknown;
  /** The webhook it went through; else it is the bot's own. */
  readonly webhookId?: string | undefined;
  readonly username?: string | undefined;
  /** The message it answers, which is older than any copy of it; the same words may have answered an earlier one. */
  readonly answers?: string | undefined;
}

const looksBack = 50;
/** The most that Discord gives at once. */
const onePage = 100;

/**
 * Finds out whether a post arrived whose response was lost. The bot's own posts carry their key as nonce, which Discord
 * compares for some minutes only; posts through a webhook carry none, so there the words, the name and the buttons
 * must be the same, and the message not the one of another key.
 */
export function createEarlierCopies(api: Api, botId: () => string) {
  const keyOf = createRecent<string>(500);

  const isCopy = (message: APIMessage, copy: Copy): boolean => {
    if (copy.webhookId === undefined ? message.author.id !== botId() : message.webhook_id !== copy.webhookId)
      return false;
    if (message.nonce !== undefined && String(message.nonce) === copy.key) return true;
    const owner = keyOf.get(message.id);
    if (owner !== undefined) return owner === copy.key;
    if (isSnowflake(copy.answers) && BigInt(message.id) <= BigInt(copy.answers)) return false;
    if (copy.username !== undefined && message.author.username !== copy.username) return false;
    return (
      message.content.trim() === copy.content.trim() && pressables(message.components) === pressables(copy.components)
    );
  };

  return {
    note: (messageId: string, key: string): void => keyOf.set(messageId, key),
    find: async (channel: string, copy: Copy): Promise<APIMessage | undefined> =>
      (await api.messages(channel, { limit: looksBack })).find((message) => isCopy(message, copy)),
    withButton: async (channel: string, test: (token: string) => boolean): Promise<APIMessage | undefined> =>
      (await api.messages(channel, { limit: onePage })).find(({ components }) => tokensOf(components).some(test)),
  };
}

function isSnowflake(id: string | undefined): id is string {
  return id !== undefined && /^\d{15,20}$/u.test(id);
}

/** What components send back or open, in order: tokens are never used twice. */
function pressables(components: unknown): string {
  return valuesIn(components, /"(?:custom_id|value|url)":"([^"]*)"/gu).join(" ");
}

function tokensOf(components: unknown): string[] {
  return valuesIn(components, /"custom_id":"([^"]*)"/gu).flatMap((id) => {
    const meaning = meaningOf(id);
    return meaning?.kind === "press" ? meaning.token : [];
  });
}

function valuesIn(components: unknown, wanted: RegExp): string[] {
  return [...JSON.stringify(components ?? []).matchAll(wanted)].map(([, value = ""]) => value);
}
