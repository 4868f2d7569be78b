import type { Chat, ChatMember, Message, Update } from "@grammyjs/types";
import { chatFor, type Person } from "./people.ts";
import { type ChatRecord, publicUser, type World } from "./world.ts";

export interface GroupOptions {
  readonly id?: number | undefined;
  readonly title?: string | undefined;
  /** `supergroup` by default; a basic group becomes one with `migrate`. */
  readonly type?: "group" | "supergroup" | undefined;
  readonly forum?: boolean | undefined;
}

/** Groups, topics and membership: what people do around messages. */
export function createGroups(world: World) {
  let nextGroup = 100;
  const membership = (record: ChatRecord, by: Person, status: "member" | "administrator" | "left" | "kicked") => {
    const before = record.bot;
    record.bot = status;
    world.queue({
      my_chat_member: {
        chat: record.chat,
        from: publicUser(by),
        date: world.now(),
        old_chat_member: member(world, before === "stranger" ? "left" : before),
        new_chat_member: member(world, status),
      },
    });
  };
  const service = (record: ChatRecord, by: Person, content: Partial<Message>) => {
    const message_id = world.nextMessageId(record);
    const message = { message_id, from: publicUser(by), chat: record.chat, date: world.now(), ...content };
    world.put(record, message);
    world.queue({ message: message as Message & Update.NonChannel });
  };
  return {
    /** A group the bot is not in yet. */
    createGroup: ({ id, title = "Team", type = "supergroup", forum = false }: GroupOptions = {}): number => {
      nextGroup += 1;
      const chatId = id ?? (type === "supergroup" ? -1_001_000_000_000 - nextGroup : -nextGroup);
      const chat: Chat =
        type === "supergroup"
          ? { id: chatId, type, title, ...(forum ? { is_forum: true as const } : {}) }
          : { id: chatId, type, title };
      world.addChat(chat, "left");
      return chatId;
    },
    addToGroup: (by: Person, chat: number, as: "member" | "administrator" = "member"): void => {
      membership(world.chat(chat), by, as);
      service(world.chat(chat), by, { new_chat_members: [publicUser(world.bot)] });
    },
    removeFromGroup: (by: Person, chat: number): void => membership(world.chat(chat), by, "kicked"),
    /** A person opens the chat with the bot and has said nothing yet (their Start button was long ago). */
    openPrivateChat: (person: Person): void => void chatFor(world, person, person.id),
    /** A person blocks the bot, or lets it write again. */
    block: (person: Person): void => membership(chatFor(world, person, person.id), person, "kicked"),
    unblock: (person: Person): void => membership(chatFor(world, person, person.id), person, "member"),
    createTopic: (by: Person, chat: number, name: string): number => {
      const record = chatFor(world, by, chat);
      const thread = world.nextMessageId(record);
      record.topics.set(thread, { name, closed: false });
      return thread;
    },
    closeTopic: (chat: number, thread: number): void => {
      const topic = world.chat(chat).topics.get(thread);
      if (topic) topic.closed = true;
    },
    deleteTopic: (chat: number, thread: number): void => {
      world.chat(chat).topics.delete(thread);
    },
    /** Turns a basic group into a supergroup with another id, as Telegram does by itself. */
    migrate: (by: Person, chat: number): number => {
      const old = world.chat(chat);
      const movedTo = -1_001_000_000_000 + chat;
      world.addChat({ id: movedTo, type: "supergroup", title: old.chat.title ?? "Team" }, old.bot);
      old.migratedTo = movedTo;
      service(old, by, { migrate_to_chat_id: movedTo });
      service(world.chat(movedTo), by, { migrate_from_chat_id: chat });
      return movedTo;
    },
  };
}

function member(world: World, status: "member" | "administrator" | "left" | "kicked"): ChatMember {
  const user = publicUser(world.bot);
  switch (status) {
    case "member":
      return { status, user };
    case "left":
      return { status, user };
    case "kicked":
      return { status, user, until_date: 0 };
    case "administrator":
      return {
        status,
        user,
        can_be_edited: false,
        is_anonymous: false,
        can_manage_chat: true,
        can_delete_messages: true,
        can_manage_video_chats: false,
        can_restrict_members: false,
        can_promote_members: false,
        can_change_info: false,
        can_invite_users: true,
        can_post_stories: false,
        can_edit_stories: false,
        can_delete_stories: false,
        can_send_welcome_messages: false,
      };
  }
}
