import type { Chat, Message, MessageEntity, MessageOrigin, Update, User } from "@grammyjs/types";
import { detectEntities } from "./entities.ts";
import { describe, sizesOf } from "./files.ts";
import { type ChatRecord, entityText, publicUser, type StoredFile, type World } from "./world.ts";

/** Somebody with a Telegram account; `id` is also the id of their private chat with the bot. */
export type Person = User;

export interface SayOptions {
  /** Topic of a forum, or of a private chat with topics. */
  readonly thread?: number | undefined;
  readonly replyTo?: number | undefined;
  /** The part of the message that is quoted in the reply. */
  readonly quote?: string | undefined;
  /** The message is a forward of what this person, or a channel by name, wrote. */
  readonly forwardedFrom?: Person | string | undefined;
  /** Entities beside those Telegram finds by itself (mentions, commands, links). */
  readonly entities?: readonly MessageEntity[] | undefined;
}

export interface SentFile {
  readonly name?: string | undefined;
  readonly mime?: string | undefined;
  readonly bytes?: Uint8Array | undefined;
  /** A size to claim without the bytes. */
  readonly size?: number | undefined;
  readonly caption?: string | undefined;
}

export interface PressedButton {
  readonly id: string;
  /** What the bot answered; undefined while the spinner turns. */
  answer(): { readonly text: string | undefined; readonly alert: boolean } | undefined;
}

/** What people can do, as the bot's updates show it. Nothing here waits for the bot. */
export function createPeople(world: World) {
  const post = (person: Person, chatId: number, content: Partial<Message>, options: SayOptions = {}): Message => {
    const record = chatFor(world, person, chatId);
    const message: Message = {
      message_id: world.nextMessageId(record),
      from: publicUser(person),
      chat: record.chat,
      date: world.now(),
      ...(options.thread === undefined ? {} : { message_thread_id: options.thread, is_topic_message: true }),
      ...reply(record, options),
      ...(options.forwardedFrom === undefined ? {} : { forward_origin: origin(world, options.forwardedFrom) }),
      ...content,
    };
    world.put(record, message);
    if (seenByBot(world, record, message)) world.queue({ message: message as Message & Update.NonChannel });
    return message;
  };
  const caption = (file: SentFile, options: SayOptions) =>
    file.caption === undefined
      ? {}
      : { caption: file.caption, caption_entities: detectEntities(file.caption, options.entities ?? []) };

  return {
    post,
    say: (person: Person, chat: number, text: string, options: SayOptions = {}): Message => {
      const entities = detectEntities(text, options.entities ?? []);
      return post(person, chat, { text, ...(entities.length > 0 ? { entities } : {}) }, options);
    },
    sendDocument: (person: Person, chat: number, file: SentFile, options: SayOptions = {}): Message =>
      post(person, chat, { document: describe(store(world, "document", file)), ...caption(file, options) }, options),
    sendPhoto: (person: Person, chat: number, file: SentFile, options: SayOptions = {}): Message =>
      post(person, chat, { photo: sizesOf(store(world, "photo", file)), ...caption(file, options) }, options),
    sendPhotoAlbum: (person: Person, chat: number, files: readonly SentFile[], options: SayOptions = {}): Message[] => {
      const album = world.nextFileId("album");
      return files.map((file) => {
        const photo = sizesOf(store(world, "photo", file));
        return post(person, chat, { photo, media_group_id: album, ...caption(file, options) }, options);
      });
    },
    sendVoice: (person: Person, chat: number, file: SentFile, options: SayOptions = {}): Message => {
      const { file_name: _, ...voice } = describe(store(world, "voice", { mime: "audio/ogg", ...file }));
      return post(person, chat, { voice: { ...voice, duration: 3 }, ...caption(file, options) }, options);
    },
    edit: (person: Person, chat: number, messageId: number, text: string): void => {
      const record = chatFor(world, person, chat);
      const stored = record.messages.get(messageId);
      if (!stored || stored.message.from?.id !== person.id) throw new Error(`${person.first_name} cannot edit this`);
      const entities = detectEntities(text, []);
      const { entities: _, ...rest } = stored.message;
      stored.earlier.push(stored.message.text ?? "");
      stored.source = text;
      stored.message = { ...rest, text, edit_date: world.now(), ...(entities.length > 0 ? { entities } : {}) };
      const edited = stored.message as Message & Update.Edited & Update.NonChannel;
      if (seenByBot(world, record, edited)) world.queue({ edited_message: edited });
    },
    press: (person: Person, chat: number, messageId: number, label: string): PressedButton => {
      const message = world.chat(chat).messages.get(messageId)?.message;
      const buttons = message?.reply_markup?.inline_keyboard.flat() ?? [];
      const button = buttons.find((one) => one.text === label);
      if (!message || !button || !("callback_data" in button)) {
        throw new Error(`no button "${label}" on this message, only: ${buttons.map((one) => one.text).join(", ")}`);
      }
      const id = world.nextFileId("query");
      const query = { id, answered: false, text: undefined, alert: false };
      world.callbacks.set(id, query);
      const from = publicUser(person);
      world.queue({ callback_query: { id, from, message, chat_instance: `ci${chat}`, data: button.callback_data } });
      return { id, answer: () => (query.answered ? { text: query.text, alert: query.alert } : undefined) };
    },
    stopDraft: (person: Person): void => {
      const record = chatFor(world, person, person.id);
      const draft = record.lastDraft;
      if (!draft?.canStop) throw new Error("no draft with a Stop button is shown");
      world.queue({
        stopped_message_generation: {
          chat: record.chat as Chat.PrivateChat,
          draft_id: draft.draftId,
          ...(draft.thread === undefined ? {} : { message_thread_id: draft.thread }),
        },
      });
      record.lastDraft = undefined;
      world.changed();
    },
  };
}

/** A private chat comes into being when a person writes first. */
export function chatFor(world: World, person: Person, chatId: number): ChatRecord {
  if (chatId !== person.id) return world.chat(chatId);
  const known = world.chats.get(chatId);
  const record = known ?? world.addChat(privateChat(person), "member");
  if (record.bot === "stranger") record.bot = "member";
  return record;
}

function privateChat(person: Person): Chat {
  const { id, first_name, username } = person;
  return { id, type: "private", first_name, ...(username ? { username } : {}) };
}

function reply(record: ChatRecord, { replyTo, quote }: SayOptions): Partial<Message> {
  if (replyTo === undefined) return {};
  const target = record.messages.get(replyTo)?.message;
  if (!target) throw new Error(`there is no message ${replyTo} to reply to`);
  const { reply_to_message: _, ...message } = target;
  const text = message.text ?? message.caption ?? "";
  return {
    reply_to_message: message as NonNullable<Message["reply_to_message"]>,
    ...(quote === undefined ? {} : { quote: { text: quote, position: text.indexOf(quote), is_manual: true } }),
    // In a supergroup without topics a reply carries a thread id too; it is not a topic.
    ...(record.chat.type === "supergroup" && !record.chat.is_forum ? { message_thread_id: replyTo } : {}),
  };
}

function origin(world: World, from: Person | string): MessageOrigin {
  const date = world.now() - 60;
  return typeof from === "string"
    ? { type: "hidden_user", date, sender_user_name: from }
    : { type: "user", date, sender_user: publicUser(from) };
}

function store(world: World, kind: string, { name, mime, bytes, size }: SentFile): StoredFile {
  const content = Buffer.from(bytes ?? new Uint8Array());
  const id = world.nextFileId(kind);
  const file = { id, name: name ?? `${id}.bin`, mime, size: size ?? content.length, bytes: content };
  world.files.set(id, file);
  world.files.set(`${id}-small`, { ...file, id: `${id}-small` });
  return file;
}

/** Privacy mode: in groups a bot sees commands, its name, and replies to it; everything as an administrator or with privacy off. */
function seenByBot(world: World, record: ChatRecord, message: Message): boolean {
  if (record.chat.type === "private") return record.bot === "member";
  if (record.bot !== "member" && record.bot !== "administrator") return false;
  if (world.bot.can_read_all_group_messages || record.bot === "administrator") return true;
  if (message.reply_to_message?.from?.id === world.bot.id) return true;
  const text = message.text ?? message.caption;
  if (text === undefined) return message.photo === undefined && message.document === undefined && !message.voice;
  const name = world.bot.username.toLowerCase();
  return (message.entities ?? message.caption_entities ?? []).some((entity) => {
    const part = entityText(text, entity).toLowerCase();
    if (entity.type === "text_mention") return entity.user.id === world.bot.id;
    if (entity.type === "mention") return part === `@${name}`;
    return entity.type === "bot_command" && (!part.includes("@") || part.endsWith(`@${name}`));
  });
}
