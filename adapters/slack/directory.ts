import type { WebClient } from "@slack/web-api";
import { type Author, createRecent, type InboundPlace, type PlaceKind, type Recent } from "../../src/chat/index.ts";
import type { Mentions, Names } from "./text.ts";

/** Who we are in the workspace. */
export interface Self {
  readonly teamId: string;
  readonly userId: string;
  readonly botId: string;
  /** The workspace's address, with a slash at the end. */
  readonly url: string;
  readonly name: string;
}

interface Person {
  readonly name: string;
  readonly username?: string | undefined;
  readonly isBot: boolean;
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
}

interface Conversation {
  readonly name?: string | undefined;
  readonly isGroup: boolean;
}

interface Kept<T> {
  readonly value: Promise<T | undefined>;
  until: number;
}

const knownMs = 60 * 60_000;
/** A name that could not be had is asked for again soon, but not with every message. */
const unknownMs = 30_000;
const remembered = 5_000;

/** Names of people and channels, asked for once and kept for a while. What cannot be had is told by its id. */
export function createDirectory(client: WebClient, now: () => number = Date.now) {
  const people = createRecent<Kept<Person>>(remembered);
  const conversations = createRecent<Kept<Conversation>>(remembered);

  function lookUp<T>(kept: Recent<Kept<T>>, id: string, ask: () => Promise<T>): Promise<T | undefined> {
    const known = kept.get(id);
    if (known && known.until > now()) return known.value;
    const entry: Kept<T> = {
      value: ask().catch(() => {
        entry.until = now() + unknownMs;
        return undefined;
      }),
      until: now() + knownMs,
    };
    kept.set(id, entry);
    return entry.value;
  }

  const person = (id: string) =>
    lookUp(people, id, async (): Promise<Person> => {
      const { user } = await client.users.info({ user: id, include_locale: true });
      const names = [user?.profile?.display_name, user?.profile?.real_name, user?.real_name, user?.name];
      return {
        name: names.find((name) => name !== undefined && name !== "") ?? id,
        isBot: user?.is_bot === true,
        ...(user?.name === undefined ? {} : { username: user.name }),
        ...(user?.locale === undefined ? {} : { locale: user.locale }),
        ...(user?.tz === undefined ? {} : { timezone: user.tz }),
      };
    });

  const conversation = (id: string) =>
    lookUp(conversations, id, async (): Promise<Conversation> => {
      const { channel } = await client.conversations.info({ channel: id });
      return { name: channel?.name, isGroup: channel?.is_mpim === true };
    });

  return {
    /** The author with this id; `name` is what the event itself says, where it says anything. */
    author: async (id: string, isBot = false, name?: string): Promise<Author> => {
      const known = await person(id);
      return {
        id,
        name: name ?? known?.name ?? id,
        isBot: isBot || known?.isBot === true,
        ...(known?.username === undefined ? {} : { username: known.username }),
        ...(known?.locale === undefined ? {} : { locale: known.locale }),
        ...(known?.timezone === undefined ? {} : { timezone: known.timezone }),
      };
    },

    nameOf: async (userId: string): Promise<string> => (await person(userId))?.name ?? userId,

    place: async (channel: string, thread?: string): Promise<InboundPlace> => {
      const kind = await kindOf(channel);
      const title = kind === "channel" ? (await conversation(channel))?.name : undefined;
      return {
        channel,
        kind,
        ...(thread === undefined ? {} : { thread }),
        ...(title === undefined ? {} : { title: `#${title}` }),
      };
    },

    /** What a text mentions, by name. */
    names: async ({ users, channels }: Mentions, self: Self): Promise<Names> => {
      const others = users.filter((id) => id !== self.userId);
      const [userNames, channelNames] = await Promise.all([
        Promise.all(some(others).map(async (id) => [id, (await person(id))?.name ?? id] as const)),
        Promise.all(some(channels).map(async (id) => [id, (await conversation(id))?.name ?? id] as const)),
      ]);
      return { self: self.userId, users: new Map(userNames), channels: new Map(channelNames) };
    },
  };

  /** Direct messages are known by their id; group conversations share the ids of channels. */
  async function kindOf(channel: string): Promise<PlaceKind> {
    if (channel.startsWith("D")) return "dm";
    return (await conversation(channel))?.isGroup ? "group" : "channel";
  }
}

/** Nobody mentions more in earnest, and each may be a call. */
const mostNames = 50;
const some = (ids: readonly string[]) => [...new Set(ids)].slice(0, mostNames);

export type Directory = ReturnType<typeof createDirectory>;
