import type { Chat, Message, MessageEntity, Update, User, UserFromGetMe } from "@grammyjs/types";
import { badRequest } from "./failure.ts";

/** A chat as Telegram's servers know it, with what the bot may do there. */
export interface ChatRecord {
  chat: Chat;
  readonly messages: Map<number, MessageRecord>;
  readonly deleted: MessageRecord[];
  readonly drafts: Draft[];
  readonly actions: { readonly action: string; readonly thread: number | undefined }[];
  readonly topics: Map<number, { readonly name: string; closed: boolean }>;
  bot: "member" | "administrator" | "left" | "kicked" | "stranger";
  migratedTo: number | undefined;
  lastDraft: Draft | undefined;
  lastMessageId: number;
}

export interface Draft {
  readonly draftId: number;
  readonly text: string;
  readonly thread: number | undefined;
  readonly canStop: boolean;
}

export interface MessageRecord {
  message: Message;
  /** As the sender wrote it, before the entities were parsed. */
  source: string;
  readonly earlier: string[];
  readonly silent: boolean;
  reactions: string[];
  readonly file: StoredFile | undefined;
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mime: string | undefined;
  readonly size: number;
  readonly bytes: Buffer;
}

export interface CallbackRecord {
  readonly id: string;
  answered: boolean;
  text: string | undefined;
  alert: boolean;
}

export interface World {
  readonly bot: UserFromGetMe;
  readonly chats: Map<number, ChatRecord>;
  readonly files: Map<string, StoredFile>;
  readonly callbacks: Map<string, CallbackRecord>;
  /** Updates the bot has not confirmed. */
  readonly updates: Update[];
  readonly commands: Map<string, unknown>;
  allowedUpdates: readonly string[] | undefined;
  nextUserId(): number;
  nextFileId(kind: string): string;
  /** Seconds, as Telegram's dates are; strictly growing is not promised. */
  now(): number;
  chat(id: unknown): ChatRecord;
  addChat(chat: Chat, bot: ChatRecord["bot"]): ChatRecord;
  nextMessageId(record: ChatRecord): number;
  /** Stores a message and returns its record. */
  put(record: ChatRecord, message: Message, extra?: Partial<MessageRecord>): MessageRecord;
  /** Queues an update, unless the bot did not ask for its kind. */
  queue(update: Omit<Update, "update_id">): number;
  /** Tells whoever waits; with the chat where something visible changed. */
  changed(chat?: number): void;
  onChange(listener: (chat: number | undefined) => void): () => void;
}

/** What Telegram leaves out unless it is asked for. */
const onRequestOnly = new Set(["chat_member", "message_reaction", "message_reaction_count"]);

export function createWorld(bot: UserFromGetMe): World {
  const chats = new Map<number, ChatRecord>();
  const updates: Update[] = [];
  const listeners = new Set<(chat: number | undefined) => void>();
  let [updateId, messageId, userId, fileId] = [1000, 0, 100, 0];
  const world: World = {
    bot,
    chats,
    files: new Map(),
    callbacks: new Map(),
    updates,
    commands: new Map(),
    allowedUpdates: undefined,
    nextUserId: () => ++userId,
    nextFileId: (kind) => `${kind}-${++fileId}`,
    now: () => Math.floor(Date.now() / 1000),
    chat: (id) => {
      const record = typeof id === "number" || typeof id === "string" ? chats.get(Number(id)) : undefined;
      if (!record) throw badRequest("chat not found");
      return record;
    },
    addChat: (chat, member) => {
      const record = newChat(chat, member);
      chats.set(chat.id, record);
      return record;
    },
    // Supergroups count their own messages; private chats and basic groups share the bot's count.
    nextMessageId: (record) => {
      if (record.chat.type !== "supergroup") return ++messageId;
      record.lastMessageId += 1;
      return record.lastMessageId;
    },
    put: (record, message, extra) => {
      const text = message.text ?? message.caption ?? "";
      const stored = { message, source: text, earlier: [], silent: false, reactions: [], file: undefined, ...extra };
      record.messages.set(message.message_id, stored);
      world.changed(record.chat.id);
      return stored;
    },
    queue: (update) => {
      const kind = Object.keys(update)[0] ?? "";
      const wanted = world.allowedUpdates?.length ? world.allowedUpdates.includes(kind) : !onRequestOnly.has(kind);
      updateId += 1;
      if (wanted) updates.push({ update_id: updateId, ...update });
      world.changed();
      return updateId;
    },
    changed: (chat) => {
      for (const listener of [...listeners]) listener(chat);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return world;
}

function newChat(chat: Chat, bot: ChatRecord["bot"]): ChatRecord {
  return {
    chat,
    messages: new Map(),
    deleted: [],
    drafts: [],
    actions: [],
    topics: new Map(),
    bot,
    migratedTo: undefined,
    lastDraft: undefined,
    lastMessageId: 0,
  };
}

/** The text of a message that an entity covers. */
export function entityText(text: string, entity: MessageEntity): string {
  return text.slice(entity.offset, entity.offset + entity.length);
}

export function publicUser(user: User): User {
  const { id, is_bot, first_name, last_name, username, language_code } = user;
  return {
    id,
    is_bot,
    first_name,
    ...(last_name ? { last_name } : {}),
    ...(username ? { username } : {}),
    ...(language_code ? { language_code } : {}),
  };
}
