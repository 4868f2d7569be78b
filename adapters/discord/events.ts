import { type APIMessage, MessageReferenceType, MessageType } from "discord.js";
import type { Addressing, DeletionEvent, EditEvent, InboundPlace, MessageEvent, Quote } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { isOurs, type SaidMessage, senderOf } from "./authors.ts";
import { type Directory, hasThreads, isDm, type KnownChannel, placeIn } from "./directory.ts";
import { filesOf } from "./files.ts";
import { displayName, mentionsIn, otherContent, type Reading, readText } from "./text.ts";

export interface Self {
  readonly botId: string;
  readonly applicationId: string;
}

export interface ReaderDeps {
  readonly api: Api;
  readonly directory: Directory;
  readonly self: () => Self;
  /** Told of a message on which a thread may come to hang, with its words. */
  readonly onRoot: (messageId: string, text: string) => void;
}

/** What people write: ordinary messages and replies. Everything else is the system speaking, or an answer to an interaction. */
const written = new Set<MessageType>([MessageType.Default, MessageType.Reply]);

/** Turns messages, of the gateway or of a channel's history alike, into the core's events. Rejects where Discord cannot be asked what it must be asked. */
export function createReader({ api, directory, self, onRoot }: ReaderDeps) {
  const readingIn = (channel: KnownChannel): Reading => ({ botId: self().botId, guild: channel.guild, directory });

  /** The message it answers; fetched where the event leaves it out. Null where it is gone. */
  const repliedTo = async (message: SaidMessage): Promise<APIMessage | undefined> => {
    const reference = message.message_reference;
    if (message.type !== MessageType.Reply || reference?.message_id === undefined) return undefined;
    if (message.referenced_message !== undefined) return message.referenced_message ?? undefined;
    // A quote that cannot be had is no reason to keep the message waiting.
    return api.message(reference.channel_id, reference.message_id).catch(() => undefined);
  };

  const quoteOf = async (message: SaidMessage, reading: Reading): Promise<Quote | undefined> => {
    const target = await repliedTo(message);
    const messageId = target?.id ?? message.message_reference?.message_id;
    if (message.type !== MessageType.Reply || messageId === undefined) return undefined;
    return target ? quoteFrom(target, reading, self()) : { messageId, fromUs: false };
  };

  /** What was forwarded; Discord does not say who wrote it, the message itself does where we may see it. */
  const forwarded = async (
    { message_reference: reference, message_snapshots: snapshots = [] }: SaidMessage,
    reading: Reading,
  ) => {
    if (reference?.type !== MessageReferenceType.Forward) return undefined;
    const texts = snapshots.flatMap(({ message }) => [readText(message, reading), ...otherContent(message)]);
    const source =
      reference.message_id === undefined
        ? undefined
        : await api.message(reference.channel_id, reference.message_id).catch(() => undefined);
    return { from: source ? displayName(source.author) : "", text: texts.filter(Boolean).join("\n\n") };
  };

  const addressing = (channel: KnownChannel, mentionsUs: boolean, quote: Quote | undefined): Addressing => {
    if (isDm(channel)) return "direct";
    if (mentionsUs) return "mention";
    return quote?.fromUs ? "reply" : "ambient";
  };

  const read = async (message: SaidMessage) => {
    const channel = await channelOf(message);
    const reading = readingIn(channel);
    const [quote, forward] = await Promise.all([quoteOf(message, reading), forwarded(message, reading)]);
    const mentions = mentionsIn(message.content, reading);
    const addressed = addressing(channel, mentions.us, quote);
    const text = [readText(message, reading), ...otherContent(message), forward?.text].filter(Boolean).join("\n\n");
    const place = await placeOf(message, channel, addressed);
    return { channel, quote, forward, mentions, addressed, text, place };
  };

  const channelOf = async (message: SaidMessage): Promise<KnownChannel> => {
    const known = await directory.find(message.channel_id);
    // A channel that Discord does not show is one without a name; what was said in it was said.
    return (
      known ?? {
        id: message.channel_id,
        type: 0,
        name: undefined,
        parent: undefined,
        guild: message.guild_id,
        allowed: undefined,
      }
    );
  };

  /** What is said to us in a channel is the root of a thread, unless it goes on beneath an answer that could not have one. */
  const placeOf = async (message: SaidMessage, channel: KnownChannel, addressed: Addressing): Promise<InboundPlace> => {
    if (channel.parent !== undefined) await directory.find(channel.parent);
    const place = placeIn(channel, directory);
    if (addressed === "ambient" || !hasThreads(channel)) return place;
    const answered = message.referenced_message;
    const root = answered && isOurs(answered, self()) ? answered.message_reference?.message_id : undefined;
    return { ...place, thread: root ?? message.id };
  };

  return {
    /** A message somebody else wrote; undefined where it says nothing to us. */
    message: async (message: SaidMessage): Promise<MessageEvent | undefined> => {
      if (!written.has(message.type) || isOurs(message, self())) return undefined;
      const { quote, forward, mentions, addressed, text, place } = await read(message);
      const files = filesOf(message);
      if (text === "" && files.length === 0 && !mentions.us) return undefined;
      if (place.thread === message.id) onRoot(message.id, text);
      return {
        kind: "message",
        key: message.id,
        place,
        author: senderOf(message),
        messageId: message.id,
        text,
        sentAt: new Date(message.timestamp),
        addressed,
        files,
        ...(mentions.others && !mentions.us ? { mentionsOthers: true } : {}),
        ...(quote ? { quote } : {}),
        ...(forward ? { forwardedFrom: forward.from } : {}),
      };
    },

    /** A change somebody made. Link previews, pins and reactions come as updates, too, and change no time of editing. */
    edit: async (message: Partial<SaidMessage>): Promise<EditEvent | undefined> => {
      if (!isWhole(message) || message.edited_timestamp === null) return undefined;
      if (!written.has(message.type) || isOurs(message, self())) return undefined;
      const { text, place } = await read(message);
      // Nothing at all is what Discord tells of words that we may not read.
      if (text === "" && filesOf(message).length === 0) return undefined;
      return {
        kind: "edit",
        key: `${message.id}:${message.edited_timestamp}`,
        place,
        author: senderOf(message),
        messageId: message.id,
        text,
        editedAt: new Date(message.edited_timestamp),
      };
    },

    deletion: async (messageId: string, channelId: string): Promise<DeletionEvent | undefined> => {
      const channel = await directory.find(channelId);
      if (!channel) return undefined;
      if (channel.parent !== undefined) await directory.find(channel.parent);
      return { kind: "deletion", key: `${messageId}:deleted`, place: placeIn(channel, directory), messageId };
    },
  };
}

export type Reader = ReturnType<typeof createReader>;

/** A message as something to answer. */
export function quoteFrom(target: APIMessage, reading: Reading, self: Self): Quote {
  const text = [readText(target, reading), ...otherContent(target)].filter(Boolean).join("\n\n");
  return {
    messageId: target.id,
    authorName: displayName(target.author),
    fromUs: isOurs(target, self),
    ...(text === "" ? {} : { text }),
  };
}

function isWhole(message: Partial<SaidMessage>): message is SaidMessage {
  const { id, channel_id: channel, author, content, type, timestamp } = message;
  return ![id, channel, author, content, type, timestamp].includes(undefined);
}
