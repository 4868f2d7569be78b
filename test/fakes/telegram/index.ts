/**
 * A stand-in for Telegram's Bot API on loopback: an HTTP server as strict as the real one where it matters,
 * people who act in it, and faults. Speaks what Shipmate uses; knows nothing of Shipmate and of no test runner.
 */
import type { Update, User, UserFromGetMe } from "@grammyjs/types";
import { type Probe, waitUntil } from "../waiting.ts";
import { createGroups } from "./groups.ts";
import { createPeople, type Person, type PressedButton, type SayOptions, type SentFile } from "./people.ts";
import { type Call, serve } from "./server.ts";
import { type SeenChat, type SeenMessage, seeChat, seeMessage } from "./view.ts";
import { createWorld } from "./world.ts";

export type { Call, Person, PressedButton, SayOptions, SeenChat, SeenMessage, SentFile };

export interface TelegramOptions {
  readonly token?: string | undefined;
  /** The bot's username, without the @. */
  readonly botName?: string | undefined;
  /** Privacy mode off: the bot sees every message of its groups. */
  readonly canReadAllGroupMessages?: boolean | undefined;
  /** Topics in private chats. */
  readonly privateTopics?: boolean | undefined;
  /** False to keep no record of calls, for long benches. */
  readonly recordCalls?: boolean | undefined;
}

/** A chat: its id, or a person for the private chat with them. */
export type ChatTarget = number | Person;

export type Telegram = Awaited<ReturnType<typeof createTelegram>>;

/** Starts the stand-in. Ada (id 7) is in it; `await using` or `close` ends it. */
export async function createTelegram(options: TelegramOptions = {}) {
  const token = options.token ?? "42:stand-in-token";
  const world = createWorld(botAccount(token, options));
  const people = createPeople(world);
  const groups = createGroups(world);
  const server = await serve(world, token, options.recordCalls ?? true);
  const idOf = (target: ChatTarget) => (typeof target === "number" ? target : target.id);
  const person = (first_name: string, more: Partial<User> = {}): Person => ({
    id: more.id ?? world.nextUserId(),
    is_bot: false,
    first_name,
    username: first_name.toLowerCase(),
    language_code: "en",
    ...more,
  });

  const changesIn = (chat: number) => (listener: () => void) =>
    world.onChange((changed) => {
      if (changed === chat) listener();
    });
  const waitForMessage = (target: ChatTarget, test: (message: SeenMessage) => boolean, timeoutMs?: number) => {
    const id = idOf(target);
    const probe = () => {
      for (const stored of world.chats.get(id)?.messages.values() ?? []) {
        const message = seeMessage(stored);
        if (message.fromBot && test(message)) return message;
      }
      return undefined;
    };
    return waitUntil(changesIn(id), Object.assign(probe, { toString: () => `${test} in chat ${id}` }), timeoutMs);
  };
  const chat = (target: ChatTarget): SeenChat => {
    const record = world.chats.get(idOf(target));
    return record ? seeChat(record) : { ...emptyChat, id: idOf(target) };
  };

  return {
    /** The API root for an adapter. */
    url: server.url,
    token,
    bot: world.bot,
    ada: person("Ada", { id: 7 }),
    person,

    say: (from: Person, to: ChatTarget, text: string, say?: SayOptions): SeenMessage =>
      seen(people.say(from, idOf(to), text, say)),
    sendDocument: (from: Person, to: ChatTarget, file: SentFile, say?: SayOptions): SeenMessage =>
      seen(people.sendDocument(from, idOf(to), file, say)),
    sendPhoto: (from: Person, to: ChatTarget, file: SentFile, say?: SayOptions): SeenMessage =>
      seen(people.sendPhoto(from, idOf(to), file, say)),
    sendPhotoAlbum: (from: Person, to: ChatTarget, files: readonly SentFile[], say?: SayOptions): SeenMessage[] =>
      people.sendPhotoAlbum(from, idOf(to), files, say).map(seen),
    sendVoice: (from: Person, to: ChatTarget, file: SentFile, say?: SayOptions): SeenMessage =>
      seen(people.sendVoice(from, idOf(to), file, say)),
    /** A person changes a message of theirs. */
    edit: (from: Person, message: SeenMessage, text: string): void => people.edit(from, message.chat, message.id, text),
    /** A person presses the button with this label. */
    press: (from: Person, message: SeenMessage, label: string): PressedButton =>
      people.press(from, message.chat, message.id, label),
    /** A person presses Stop on the draft that is shown in their private chat. */
    stopDraft: people.stopDraft,
    ...groups,

    /** What people see in a chat now. */
    chat,
    /** Resolves with what the probe returns as soon as it is neither undefined, null nor false; looks at every change. */
    waitFor: <T>(probe: Probe<T>, timeoutMs?: number): Promise<T> => waitUntil(world.onChange, probe, timeoutMs),
    /** The next or present message of the bot in a chat that satisfies the test. */
    waitForMessage,
    /** Updates the bot has not confirmed, oldest first. */
    /** The topics of a forum, as people see their names. */
    topics: (chat: number): readonly { readonly id: number; readonly name: string; readonly closed: boolean }[] =>
      [...world.chat(chat).topics].map(([id, { name, closed }]) => ({ id, name, closed })),
    pendingUpdates: (): readonly Update[] => [...world.updates],
    /** Queues an update of any kind and shape, and returns its id. */
    deliver: (update: Record<string, unknown>): number => world.queue(update as Omit<Update, "update_id">),
    /** Calls of a method in order; of all methods without a name. `getUpdates` is among them. */
    calls: (method?: string): readonly Call[] =>
      server.calls.filter((call) => method === undefined || call.method.toLowerCase() === method.toLowerCase()),
    /** The command menu, by scope (JSON) or the default one. */
    commands: (scope: unknown = null) =>
      world.commands.get(JSON.stringify(scope)) as readonly MenuCommand[] | undefined,
    faults: server.faults,
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };

  function seen(message: { chat: { id: number }; message_id: number }): SeenMessage {
    const record = world.chat(message.chat.id).messages.get(message.message_id);
    if (!record) throw new Error("the message was not stored");
    return seeMessage(record);
  }
}

interface MenuCommand {
  readonly command: string;
  readonly description: string;
}

const emptyChat = { messages: [], fromBot: [], deleted: [], drafts: [], draft: undefined, actions: [] };

function botAccount(token: string, options: TelegramOptions): UserFromGetMe {
  return {
    id: Number(token.split(":")[0]),
    is_bot: true,
    first_name: "Shipmate",
    username: options.botName ?? "shipmate_bot",
    can_join_groups: true,
    can_read_all_group_messages: options.canReadAllGroupMessages ?? false,
    supports_guest_queries: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: options.privateTopics ?? false,
    allows_users_to_create_topics: options.privateTopics ?? false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  };
}
