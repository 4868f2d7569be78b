import type { Chat, Message, User } from "grammy/types";
import type { Author, InboundPlace, PlaceKind } from "../../src/chat/index.ts";

type Located = Pick<Message, "chat"> & Partial<Pick<Message, "message_thread_id" | "is_topic_message">>;

/**
 * The place of a message. Only topics are threads: replies in ordinary supergroups carry a `message_thread_id`, too,
 * and a forum's General topic has none (or 1), with which nothing could be sent there.
 */
export function placeOf({ chat, message_thread_id: thread, is_topic_message: inTopic }: Located): InboundPlace {
  const isTopic = inTopic === true && thread !== undefined && !(thread === 1 && chat.type === "supergroup");
  return {
    channel: String(chat.id),
    kind: placeKind(chat),
    ...(isTopic ? { thread: String(thread) } : {}),
    ...(chat.title === undefined ? {} : { title: chat.title }),
  };
}

function placeKind(chat: Chat): PlaceKind {
  switch (chat.type) {
    case "private":
      return "dm";
    case "channel":
      return "channel";
    case "group":
    case "supergroup":
      return chat.is_forum ? "forum" : "group";
  }
}

export function authorOf(user: User): Author {
  return {
    id: String(user.id),
    name: fullName(user),
    isBot: user.is_bot,
    ...(user.username === undefined ? {} : { username: user.username }),
    ...(user.language_code === undefined ? {} : { locale: user.language_code }),
  };
}

/** Who speaks. Messages in the name of a chat carry a stand-in user: an anonymous administrator, or a linked channel. */
export function senderOf(message: Message): Author {
  const { sender_chat: chat, from } = message;
  if (chat) {
    // Nobody wrote a channel's automatic forward here; an anonymous administrator is a person without a name.
    return { id: String(chat.id), name: chat.title ?? "", isBot: message.is_automatic_forward === true };
  }
  return from ? authorOf(from) : { id: String(message.chat.id), name: message.chat.title ?? "", isBot: false };
}

export function personName({ from, sender_chat: chat }: Pick<Message, "from" | "sender_chat">): string | undefined {
  return chat?.title ?? (from && fullName(from));
}

/** Who wrote a forwarded message first, as far as Telegram tells. */
export function forwarderName({ forward_origin: origin }: Pick<Message, "forward_origin">): string | undefined {
  switch (origin?.type) {
    case "user":
      return fullName(origin.sender_user);
    case "hidden_user":
      return origin.sender_user_name;
    case "chat":
      return origin.sender_chat.title ?? origin.author_signature ?? "";
    case "channel":
      return origin.chat.title;
    default:
      return undefined;
  }
}

function fullName({ first_name, last_name }: Pick<User, "first_name" | "last_name">): string {
  return [first_name, last_name].filter(Boolean).join(" ");
}
