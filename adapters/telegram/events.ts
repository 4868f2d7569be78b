import type {
  CallbackQuery,
  ChatMember,
  ChatMemberUpdated,
  Message,
  MessageGenerationStopped,
  Update,
} from "grammy/types";
import type { Addressing, Collect, InboundEvent, Quote } from "../../src/chat/index.ts";
import { authorOf, forwarderName, personName, placeOf, senderOf } from "./authors.ts";
import { otherContent } from "./content.ts";
import { filesOf } from "./files.ts";
import { collectMs } from "./limits.ts";
import { isOwnMention, leadingCommand, mentionsSomebodyElse, type Self, toMarkdown, writtenText } from "./text.ts";

/** The updates this adapter asks for. Channel posts, business and guest messages are not among them. */
export const allowedUpdates = [
  "message",
  "edited_message",
  "callback_query",
  "my_chat_member",
  "stopped_message_generation",
] as const;

/** What one update says, in the core's terms; nothing where it is not for us or of a kind we do not know. */
export function toEvent(update: Update, self: Self): InboundEvent | undefined {
  if (update.message) return fromMessage(update.message, self);
  if (update.edited_message) return fromEdit(update.edited_message, update.update_id, self);
  if (update.callback_query) return fromButton(update.callback_query);
  if (update.my_chat_member) return fromMembership(update.my_chat_member, update.update_id);
  if (update.stopped_message_generation) return fromStop(update.stopped_message_generation, update.update_id);
  return undefined;
}

function fromMessage(message: Message, self: Self): InboundEvent | undefined {
  if (isForeign(message)) return undefined;
  const place = placeOf(message);
  const key = `message:${place.channel}:${message.message_id}`;
  const author = senderOf(message);
  if (message.migrate_to_chat_id !== undefined) {
    return { kind: "membership", key, place, author, change: "moved", movedTo: String(message.migrate_to_chat_id) };
  }
  const files = filesOf(message);
  const written = writtenText(message);
  const extra = otherContent(message);
  if (written.text === "" && files.length === 0 && extra === undefined) return undefined;

  const base = { key, place, author, messageId: String(message.message_id), sentAt: new Date(message.date * 1000) };
  const [command, quote] = [leadingCommand(written, self), quoteOf(message, self)];
  // A forwarded command is somebody else's word, and a command beneath a file would lose the file.
  if (command && !message.forward_origin && files.length === 0) {
    const { name, argument } = command;
    return command.forUs ? { kind: "command", ...base, name, argument, ...(quote ? { quote } : {}) } : undefined;
  }
  const text = [toMarkdown(written, self), extra].filter(Boolean).join("\n\n");
  const [forwardedFrom, collect] = [forwarderName(message), albumOf(message)];
  return {
    kind: "message",
    ...base,
    text,
    files,
    addressed: addressing(message, self),
    ...(mentionsSomebodyElse(written, self) && !isOwnMention(written, self) ? { mentionsOthers: true } : {}),
    ...(quote ? { quote } : {}),
    ...(forwardedFrom === undefined ? {} : { forwardedFrom }),
    ...(collect ? { collect } : {}),
  };
}

/** Business, guest, channel-direct and ephemeral messages live under ids that may collide with those of ordinary chats. */
function isForeign(message: Message): boolean {
  return (
    message.business_connection_id !== undefined ||
    message.guest_query_id !== undefined ||
    message.ephemeral_message_id !== undefined ||
    message.chat.is_direct_messages === true ||
    message.message_id === 0
  );
}

function addressing(message: Message, self: Self): Addressing {
  if (message.chat.type === "private") return "direct";
  const written = writtenText(message);
  if (isOwnMention(written, self) || leadingCommand(written, self)?.forUs) return "mention";
  return repliedTo(message)?.from?.id === self.id ? "reply" : "ambient";
}

/** In a topic every message "replies" to the service message that opened it; that is no reply. */
function repliedTo(message: Message) {
  const target = message.reply_to_message;
  const opensTopic = target?.forum_topic_created !== undefined || target?.message_id === message.message_thread_id;
  return target && !(message.is_topic_message && opensTopic) ? target : undefined;
}

function quoteOf(message: Message, self: Self): Quote | undefined {
  const target = repliedTo(message);
  if (target) {
    const text = message.quote?.text ?? (toMarkdown(writtenText(target), self) || undefined);
    const fromUs = target.from?.id === self.id;
    return { messageId: String(target.message_id), text, authorName: personName(target), fromUs };
  }
  const external = message.external_reply;
  if (!external) return undefined;
  // A message of another chat; its id means nothing in this place.
  const messageId = `elsewhere:${external.message_id ?? 0}`;
  return {
    messageId,
    text: message.quote?.text,
    authorName: forwarderName({ forward_origin: external.origin }),
    fromUs: false,
  };
}

function albumOf({ media_group_id: album, chat }: Message): Collect | undefined {
  return album === undefined ? undefined : { kind: "album", key: `album:${chat.id}:${album}`, waitMs: collectMs };
}

function fromEdit(message: Message & Update.Edited, updateId: number, self: Self): InboundEvent | undefined {
  if (isForeign(message)) return undefined;
  const written = writtenText(message);
  if (written.text === "") return undefined;
  return {
    kind: "edit",
    key: `update:${updateId}`,
    place: placeOf(message),
    author: senderOf(message),
    messageId: String(message.message_id),
    text: toMarkdown(written, self),
    editedAt: new Date(message.edit_date * 1000),
  };
}

function fromButton({ id, from, message, data }: CallbackQuery): InboundEvent | undefined {
  if (!message || data === undefined) return undefined;
  return {
    kind: "button",
    key: `button:${id}`,
    place: placeOf(message),
    author: authorOf(from),
    messageId: String(message.message_id),
    token: data,
    interaction: { id },
  };
}

function fromMembership(update: ChatMemberUpdated, updateId: number): InboundEvent | undefined {
  // A private chat is opened by writing and closed by blocking; sending tells us the latter.
  if (update.chat.type === "private") return undefined;
  const [before, after] = [isMember(update.old_chat_member), isMember(update.new_chat_member)];
  if (before === after) return undefined;
  return {
    kind: "membership",
    key: `update:${updateId}`,
    place: placeOf({ chat: update.chat }),
    author: authorOf(update.from),
    change: after ? "added" : "removed",
  };
}

function isMember(member: ChatMember): boolean {
  return member.status === "restricted" ? member.is_member : member.status !== "left" && member.status !== "kicked";
}

function fromStop({ chat, draft_id, message_thread_id }: MessageGenerationStopped, updateId: number): InboundEvent {
  const thread = message_thread_id === undefined ? {} : { message_thread_id, is_topic_message: true };
  return {
    kind: "stop",
    key: `update:${updateId}`,
    place: placeOf({ chat, ...thread }),
    author: authorOf({ ...chat, is_bot: false }),
    draftId: draft_id,
  };
}
