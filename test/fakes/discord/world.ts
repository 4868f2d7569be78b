import type {
  APIApplicationCommand,
  APIGuildMember,
  APIInteraction,
  APIInteractionResponse,
  APIMessage,
  APIRole,
  APIThreadMember,
  APIUser,
  APIWebhook,
  GatewayDispatchEvents,
} from "discord-api-types/v10";
import type { Choice } from "./seen.ts";
import type { DiscordOptions } from "./types.ts";

/** Everything as Discord's servers know it. */
export interface World {
  readonly bot: APIUser;
  readonly applicationId: string;
  readonly options: DiscordOptions;
  readonly users: Map<string, APIUser>;
  readonly guilds: Map<string, GuildRecord>;
  readonly channels: Map<string, ChannelRecord>;
  readonly messages: Map<string, MessageRecord>;
  readonly files: Map<string, StoredFile>;
  readonly webhooks: Map<string, WebhookRecord>;
  readonly interactions: Map<string, InteractionRecord>;
  readonly modals: Map<string, OpenModal>;
  commands: APIApplicationCommand[];
  commandWrites: number;
  /** Threads that another bot is about to make. */
  readonly races: Set<string>;
  /** Base of the addresses we hand out; known once the port is open. */
  origin: string;
  /** Milliseconds. */
  now(): number;
  passTime(ms: number): void;
  isoNow(): string;
  /** The next snowflake; they grow and carry the time. */
  newId(): string;
  /** Sends a gateway event to sessions that may see it. */
  dispatch(event: GatewayEvent): void;
  onDispatch(listener: (event: GatewayEvent) => void): void;
  changed(): void;
  onChange(listener: () => void): () => void;
}

export interface GatewayEvent {
  readonly type: GatewayDispatchEvents | (string & {});
  readonly data: unknown;
  /** Where it happened, for access and intents; events without a channel belong to the guild or to the bot. */
  readonly channel?: ChannelRecord | undefined;
}

export interface GuildRecord {
  readonly id: string;
  readonly name: string;
  readonly roles: APIRole[];
  readonly members: Map<string, APIGuildMember>;
  readonly botRoleId: string;
  /** False once the bot was removed. */
  joined: boolean;
}

export interface ChannelRecord {
  readonly id: string;
  readonly kind: "text" | "forum" | "thread" | "dm";
  readonly guildId: string | undefined;
  name: string;
  /** The other one, in a DM. */
  readonly recipientId: string | undefined;
  readonly thread: ThreadRecord | undefined;
  /** What the bot may not do here. */
  denied: bigint;
  readonly position: number;
  readonly messages: MessageRecord[];
  readonly nonces: Map<string, { readonly message: MessageRecord; readonly at: number }>;
  lastMessageId: string | null;
  typing: number;
}

export interface ThreadRecord {
  readonly parentId: string;
  readonly ownerId: string;
  readonly isPrivate: boolean;
  readonly createdAt: string;
  readonly members: Map<string, APIThreadMember>;
  archived: boolean;
  archivedAt: string;
  locked: boolean;
  autoArchiveMinutes: 60 | 1440 | 4320 | 10080;
  sent: number;
}

export interface MessageRecord {
  message: APIMessage;
  readonly channel: ChannelRecord;
  /** The member who wrote it, in a guild. */
  readonly member: APIGuildMember | undefined;
  readonly fromUs: boolean;
  /** The picture a webhook was told to show. */
  readonly avatarUrl: string | undefined;
  readonly onlyFor: string | undefined;
  thinking: boolean;
  readonly earlier: string[];
  readonly pings: readonly string[];
  readonly botReactions: string[];
  deleted: boolean;
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mime: string | undefined;
  readonly bytes: Buffer;
}

export interface WebhookRecord {
  readonly webhook: APIWebhook & { token: string; channel_id: string; name: string };
  readonly ours: boolean;
}

export interface InteractionRecord {
  readonly interaction: APIInteraction;
  readonly userId: string;
  readonly channel: ChannelRecord;
  readonly sentAt: number;
  answeredAt: number | undefined;
  response: APIInteractionResponse | undefined;
  /** The message that `@original` means. */
  original: MessageRecord | undefined;
  /** Every message that answered it. */
  readonly messages: MessageRecord[];
  ephemeral: boolean;
  choices: readonly Choice[] | undefined;
}

export interface OpenModal {
  readonly interaction: InteractionRecord;
  readonly data: Extract<APIInteractionResponse, { type: 9 }>["data"];
}

/** 2015-01-01, where snowflakes begin. */
const epoch = 1_420_070_400_000;

export function createWorld(bot: APIUser, options: DiscordOptions): World {
  const listeners = new Set<() => void>();
  const dispatchers = new Set<(event: GatewayEvent) => void>();
  const clock = options.now ?? Date.now;
  let passed = 0;
  let lastId = 0n;
  const world: World = {
    bot,
    applicationId: bot.id,
    options,
    users: new Map([[bot.id, bot]]),
    guilds: new Map(),
    channels: new Map(),
    messages: new Map(),
    files: new Map(),
    webhooks: new Map(),
    interactions: new Map(),
    modals: new Map(),
    commands: [],
    commandWrites: 0,
    races: new Set(),
    origin: "",
    now: () => clock() + passed,
    passTime: (ms) => {
      passed += ms;
      world.changed();
    },
    isoNow: () => new Date(world.now()).toISOString().replace("Z", "000+00:00"),
    newId: () => {
      const fromTime = BigInt(Math.floor(world.now()) - epoch) << 22n;
      lastId = fromTime > lastId ? fromTime : lastId + 1n;
      return `${lastId}`;
    },
    dispatch: (event) => {
      for (const listener of dispatchers) listener(event);
      world.changed();
    },
    onDispatch: (listener) => void dispatchers.add(listener),
    changed: () => {
      for (const listener of [...listeners]) listener();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return world;
}

/** A record that must be there, when a test names it. */
export function known<T>(records: ReadonlyMap<string, T>, id: string, what: string): T {
  const record = records.get(id);
  if (record === undefined) throw new Error(`there is no ${what} ${id}`);
  return record;
}
