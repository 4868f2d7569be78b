import type { Addressing, InboundEvent, MessageEvent, Quote } from "../../src/chat/index.ts";
import type { Directory, Self } from "./directory.ts";
import { externalFiles, filesOf } from "./files.ts";
import { hasStructure, richMarkdown } from "./rich.ts";
import { type RichElement, type RichPart, richPartsOf, type SlackMessage, type SlackMessageEvent } from "./shapes.ts";
import { decodeText, type Mentions, mentionsIn } from "./text.ts";

export interface Reader {
  readonly self: Self;
  readonly directory: Directory;
}

/** Kinds of messages that somebody wrote; all others are notices of the platform (joined, renamed, pinned …). */
const written = new Set([undefined, "file_share", "thread_broadcast", "me_message", "bot_message"]);

/** What a `message` (or `app_mention`) event says; nothing where it is our own or a notice. */
export async function fromMessageEvent(event: SlackMessageEvent, reader: Reader): Promise<InboundEvent | undefined> {
  if (event.subtype === "message_changed") return fromChange(event, reader);
  if (event.subtype === "message_deleted") return fromDeletion(event, reader);
  return fromMessage(event, event.channel, reader);
}

/** A message as the event brings it, or as the history tells it later: the same either way. */
export async function fromMessage(
  message: SlackMessage,
  channel: string,
  reader: Reader,
): Promise<MessageEvent | undefined> {
  if (!written.has(message.subtype) || isOwn(message, reader.self)) return undefined;
  const { self, directory } = reader;
  const [text, shared] = await Promise.all([textOf(message, reader), sharedIn(message, channel, reader)]);
  const files = filesOf(message.files);
  const wordless = text === "" && files.length === 0;
  const addressed = addressing(message, channel, self);
  // Our name alone is a call all the same.
  if (wordless && shared === undefined && addressed !== "mention") return undefined;
  return {
    kind: "message",
    key: messageKey(self, channel, message.ts),
    place: await directory.place(channel, threadOf(message, addressed)),
    author: await authorOf(message, directory),
    messageId: message.ts,
    text: wordless ? (shared?.text ?? "") : text,
    sentAt: toDate(message.ts),
    addressed,
    files,
    ...(mentionsOthers(message, self) ? { mentionsOthers: true } : {}),
    ...(shared && wordless ? { forwardedFrom: shared.authorName ?? "" } : {}),
    ...(shared && !wordless ? { quote: shared } : {}),
  };
}

async function fromChange(event: SlackMessageEvent, reader: Reader): Promise<InboundEvent | undefined> {
  const { message, previous_message: before, channel } = event;
  if (!message || (before && isOwn(before, reader.self))) return undefined;
  // The root of a thread stays when it is deleted, without its words.
  if (message.subtype === "tombstone") return deletion(message.ts, message.thread_ts, channel, reader);
  if (!written.has(message.subtype) || isOwn(message, reader.self)) return undefined;
  // Link previews, replies and pins change a message, too, but not what was said.
  if (before && before.text === message.text) return undefined;
  if (!before && !message.edited) return undefined;
  const addressed = addressing(message, channel, reader.self);
  const editedTs = message.edited?.ts ?? event.event_ts ?? event.ts;
  return {
    kind: "edit",
    key: `${messageKey(reader.self, channel, message.ts)}:edited:${editedTs}`,
    place: await reader.directory.place(channel, threadOf(message, addressed)),
    author: await authorOf(message, reader.directory),
    messageId: message.ts,
    text: await textOf(message, reader),
    editedAt: toDate(editedTs),
  };
}

async function fromDeletion(event: SlackMessageEvent, reader: Reader): Promise<InboundEvent | undefined> {
  const { deleted_ts: ts = event.previous_message?.ts, previous_message: before, channel } = event;
  if (ts === undefined || (before && isOwn(before, reader.self))) return undefined;
  return deletion(ts, before && threadOf(before, addressing(before, channel, reader.self)), channel, reader);
}

async function deletion(
  ts: string,
  thread: string | undefined,
  channel: string,
  reader: Reader,
): Promise<InboundEvent> {
  return {
    kind: "deletion",
    key: `${messageKey(reader.self, channel, ts)}:deleted`,
    place: await reader.directory.place(channel, thread),
    messageId: ts,
  };
}

/** One key for the message, the mention that comes beside it, and what is caught up later. */
function messageKey({ teamId }: Self, channel: string, ts: string): string {
  return `${teamId}:${channel}:${ts}`;
}

/** True for what somebody wrote, false for notices. */
export function wasWritten({ subtype }: SlackMessage): boolean {
  return written.has(subtype);
}

export function isOwn({ user, bot_id: bot }: SlackMessage, self: Self): boolean {
  return user === self.userId || (bot !== undefined && bot === self.botId);
}

/** What is meant for us hangs on the message itself; talk among people is in a thread only where it really is. */
function threadOf({ ts, thread_ts: thread }: SlackMessage, addressed: Addressing): string | undefined {
  return thread ?? (addressed === "direct" || addressed === "mention" ? ts : undefined);
}

function addressing(message: SlackMessage, channel: string, self: Self): Addressing {
  if (channel.startsWith("D")) return "direct";
  if (mentionedIn(message).includes(self.userId)) return "mention";
  const inOurs = message.thread_ts !== message.ts && message.parent_user_id === self.userId;
  return inOurs && !mentionsOthers(message, self) ? "reply" : "ambient";
}

function mentionsOthers(message: SlackMessage, self: Self): boolean {
  const mentioned = mentionedIn(message);
  return mentioned.length > 0 && !mentioned.includes(self.userId);
}

function mentionedIn(message: SlackMessage): readonly string[] {
  return [...mentionsIn(message.text).users, ...richMentions(richPartsOf(message)).users];
}

/** The words of a message as Markdown. */
export async function textOf(message: SlackMessage, { self, directory }: Reader): Promise<string> {
  const parts = richPartsOf(message);
  const [plain, rich] = [mentionsIn(message.text), richMentions(parts)];
  const names = await directory.names(
    { users: [...plain.users, ...rich.users], channels: [...plain.channels, ...rich.channels] },
    self,
  );
  const said = hasStructure(parts) ? richMarkdown(parts, names) : decodeText(message.text, names);
  return [said, ...externalFiles(message.files)].filter((part) => part !== "").join("\n\n");
}

function richMentions(parts: readonly RichPart[]): Mentions {
  const elements = parts.flatMap((part) =>
    part.elements.flatMap((element): RichElement[] => [element, ...(element.elements ?? [])]),
  );
  return {
    users: elements.flatMap(({ type, user_id: id }) => (type === "user" && id !== undefined ? [id] : [])),
    channels: elements.flatMap(({ type, channel_id: id }) => (type === "channel" && id !== undefined ? [id] : [])),
  };
}

/** A message that was shared into this one. */
async function sharedIn(message: SlackMessage, channel: string, reader: Reader): Promise<Quote | undefined> {
  const shared = (message.attachments ?? []).find((one) => one.is_share === true || one.is_msg_unfurl === true);
  if (!shared) return undefined;
  const names = await reader.directory.names(mentionsIn(shared.text ?? ""), reader.self);
  const text = decodeText(shared.text ?? "", names);
  const here = shared.channel_id === channel && shared.ts !== undefined;
  return {
    // The id of a message of another channel means nothing in this one.
    messageId: here ? (shared.ts ?? "") : `elsewhere:${shared.ts ?? message.ts}`,
    fromUs: shared.author_id === reader.self.userId,
    ...(text === "" ? {} : { text }),
    ...(shared.author_name === undefined ? {} : { authorName: shared.author_name }),
  };
}

function authorOf(message: SlackMessage, directory: Directory) {
  const isBot = message.bot_id !== undefined;
  if (message.user !== undefined) return directory.author(message.user, isBot);
  return { id: message.bot_id ?? "unknown", name: message.username ?? message.bot_id ?? "", isBot };
}

/** Slack's ids are the time in seconds, with six digits behind the dot that make them unique. */
export function toDate(ts: string): Date {
  return new Date(Math.round(Number(ts) * 1000));
}
