import {
  type APIInteractionResponse,
  type APIMessage,
  type APIMessageApplicationCommandInteractionData,
  InteractionResponseType,
  MessageFlags,
} from "discord.js";
import { type Author, createRecent, type InboundFile, type InboundPlace, type Quote } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { askAboutModal } from "./components.ts";
import { type Directory, hasThreads, type KnownChannel } from "./directory.ts";
import { describe } from "./errors.ts";
import { escapeText } from "./escape.ts";
import { quoteFrom, type Self } from "./events.ts";
import { filesOf } from "./files.ts";
import { textLimit } from "./limits.ts";
import { nobody, onceOnly, reply } from "./send.ts";
import type { Threads } from "./threads.ts";
import { words } from "./words.ts";

export interface AboutDeps {
  readonly api: Api;
  readonly directory: Directory;
  readonly threads: Threads;
  readonly self: () => Self;
  readonly warn: (message: string, detail: string) => void;
}

interface Asked {
  readonly place: InboundPlace;
  readonly quote: Quote;
  readonly files: readonly InboundFile[];
  readonly messageId?: string;
}

/** "Ask about this", in the menu of a message: a dialog for the question, which is then shown in the thread of that message. */
export function createAboutMessages({ api, directory, threads, self, warn }: AboutDeps) {
  const targets = createRecent<APIMessage>(200);

  const show = async (
    place: InboundPlace,
    author: Author,
    id: string,
    question: string,
  ): Promise<string | undefined> => {
    if (place.kind === "dm" || question === "") return undefined;
    try {
      const spot = await threads.open(place);
      const content = words.asks(escapeText(author.name), escapeText(question)).slice(0, textLimit);
      const flags = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;
      const body = { content, allowed_mentions: nobody, flags, ...onceOnly(id), ...reply(place, spot, {}) };
      return (await api.send(spot.channel, body)).id;
    } catch (error) {
      // The question is asked all the same; only the others do not see its words.
      warn("a question was not shown", describe(error));
      return undefined;
    }
  };

  /** The id comes back from the person's own client: only what is really said in this channel can be asked about here. */
  const targetIn = async (channel: string, id: string): Promise<APIMessage | undefined> => {
    const kept = targets.get(id);
    if (kept?.channel_id === channel) return kept;
    return api.message(channel, id).catch(() => undefined);
  };

  return {
    open: ({ target_id: target, resolved }: APIMessageApplicationCommandInteractionData): APIInteractionResponse => {
      const message = resolved.messages[target];
      if (message) targets.set(target, message);
      const form = { ...words.askAboutForm, long: true, required: false };
      return { type: InteractionResponseType.Modal, data: askAboutModal(target, form) };
    },

    ask: async (
      { id, author, place, channel }: { id: string; author: Author; place: InboundPlace; channel: KnownChannel },
      target: string,
      question: string,
      isShown: boolean,
    ): Promise<Asked> => {
      const message = await targetIn(channel.id, target);
      const reading = { botId: self().botId, guild: channel.guild, directory };
      const where = message && hasThreads(channel) ? { ...place, thread: target } : place;
      if (message) threads.noteRoot(target, question || message.content);
      const messageId = isShown ? await show(where, author, id, question) : undefined;
      return {
        place: where,
        quote: message ? quoteFrom(message, reading, self()) : { messageId: target, fromUs: false },
        files: message ? filesOf({ ...message, channel_id: channel.id }) : [],
        ...(messageId === undefined ? {} : { messageId }),
      };
    },
  };
}
