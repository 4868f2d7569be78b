import type { AnyBlock, MessageAttachment, MessageMetadata, View } from "@slack/types";
import type { SeenPrompt, SeenStatus, SlackTiming } from "./api.ts";
import { ApiFailure } from "./failure.ts";

/** A workspace as Slack's servers know it, with one app in it: the bot. */
export interface World {
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly bot: UserRecord & { readonly botId: string };
  readonly appId: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly timing: SlackTiming;
  readonly agentView: boolean;
  /** Granted to the bot token. */
  readonly scopes: Set<string>;
  readonly users: Map<string, UserRecord>;
  readonly channels: Map<string, ChannelRecord>;
  readonly files: Map<string, FileRecord>;
  readonly ephemerals: MessageRecord[];
  /** By user; the last one is on top. */
  readonly modals: Map<string, ViewRecord[]>;
  readonly homes: Map<string, ViewRecord>;
  readonly triggers: Map<string, Trigger>;
  /** Where everything is reached; known once the server listens. */
  origin: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A new message timestamp, later than every other one. */
  nextTs(): string;
  nextId(prefix: string): string;
  user(id: string): UserRecord;
  channel(id: unknown): ChannelRecord;
  /** Tells whoever waits that something visible changed. */
  changed(): void;
  onChange(listener: () => void): () => void;
  /** Sends an event to the app; set by whoever runs the sockets. */
  send(event: Readonly<Record<string, unknown>>, eventId?: string): void;
}

export interface UserRecord {
  readonly id: string;
  /** The handle. */
  readonly name: string;
  readonly realName: string;
  /** A bot's id beside its user id. */
  readonly botId: string | undefined;
}

export interface ChannelRecord {
  readonly id: string;
  readonly kind: "channel" | "group" | "im" | "mpim";
  readonly name: string;
  readonly created: number;
  readonly members: Set<string>;
  archived: boolean;
  readonly messages: Map<string, MessageRecord>;
  readonly deleted: MessageRecord[];
  readonly statuses: Map<string, StatusRecord>;
  readonly titles: Map<string, string>;
  prompts: readonly SeenPrompt[];
}

export interface StatusRecord {
  readonly history: string[];
  now: (SeenStatus & { readonly until: number }) | undefined;
}

export interface MessageRecord {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | undefined;
  readonly user: string;
  readonly botId: string | undefined;
  readonly username: string | undefined;
  readonly icon: { readonly emoji?: string; readonly image_64?: string } | undefined;
  readonly subtype: string | undefined;
  readonly broadcast: boolean;
  readonly clientMsgId: string | undefined;
  /** For an ephemeral message: who sees it. */
  readonly to: string | undefined;
  text: string;
  blocks: readonly AnyBlock[];
  attachments: readonly MessageAttachment[];
  files: readonly string[];
  metadata: MessageMetadata | undefined;
  reactions: Map<string, string[]>;
  edited: { readonly user: string; readonly ts: string } | undefined;
  readonly earlier: string[];
  /** `link_names` or `parse: full`: a plain `@channel` notifies too. */
  readonly linksNames: boolean;
  stream: StreamRecord | undefined;
}

export interface StreamRecord {
  state: "in_progress" | "completed" | "errored";
  lastAt: number;
  markdown: string;
  mode: "text" | "chunks" | undefined;
  endedBy: "slack" | "person" | undefined;
}

export interface FileRecord {
  readonly id: string;
  readonly name: string;
  title: string;
  readonly mime: string;
  readonly size: number;
  readonly user: string;
  readonly created: number;
  readonly external: boolean;
  bytes: Buffer | undefined;
  /** True once it was shared, or completed without a place to share it. */
  complete: boolean;
}

export interface ViewRecord {
  readonly id: string;
  readonly userId: string;
  readonly rootId: string;
  readonly previousId: string | undefined;
  view: View;
  hash: string;
  errors: Readonly<Record<string, string>>;
  /** What is chosen in it, by block id and action id. */
  readonly state: Record<string, Record<string, unknown>>;
}

export interface Trigger {
  readonly userId: string;
  readonly at: number;
  used: boolean;
}

export interface WorldOptions {
  readonly scopes: readonly string[];
  readonly agentView: boolean;
  readonly timing: SlackTiming;
  readonly now: () => number;
}

export function createWorld(options: WorldOptions): World {
  const listeners = new Set<() => void>();
  let [lastMicros, counter] = [0, 0];
  const bot = { id: "U0SHIPMATE", name: "shipmate", realName: "Shipmate", botId: "B0SHIPMATE" };
  const world: World = {
    team: { id: "T0STANDIN", name: "Stand-in", domain: "stand-in" },
    bot,
    appId: "A0SHIPMATE",
    botToken: "xoxb-1111111111-2222222222-standintoken",
    appToken: "xapp-1-A0SHIPMATE-3333333333-standintoken",
    timing: options.timing,
    agentView: options.agentView,
    scopes: new Set(options.scopes),
    users: new Map([[bot.id, bot]]),
    channels: new Map(),
    files: new Map(),
    ephemerals: [],
    modals: new Map(),
    homes: new Map(),
    triggers: new Map(),
    origin: "",
    now: options.now,
    nextTs: () => {
      lastMicros = Math.max(Math.floor(options.now() * 1000), lastMicros + 1);
      return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, "0")}`;
    },
    nextId: (prefix) => {
      counter += 1;
      return `${prefix}0${counter.toString(36).toUpperCase().padStart(8, "0")}`;
    },
    user: (id) => {
      const user = world.users.get(id);
      if (!user) throw new Error(`there is nobody with the id ${id}`);
      return user;
    },
    channel: (id) => {
      const channel = typeof id === "string" ? world.channels.get(id) : undefined;
      if (!channel) throw new ApiFailure("channel_not_found");
      return channel;
    },
    changed: () => {
      for (const listener of [...listeners]) listener();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: () => undefined,
  };
  return world;
}

export function addChannel(
  world: World,
  kind: ChannelRecord["kind"],
  name: string,
  members: Iterable<string>,
): ChannelRecord {
  const id = world.nextId(kind === "im" ? "D" : kind === "channel" ? "C" : "G");
  const channel: ChannelRecord = {
    id,
    kind,
    name,
    created: Math.floor(world.now() / 1000),
    members: new Set(members),
    archived: false,
    messages: new Map(),
    deleted: [],
    statuses: new Map(),
    titles: new Map(),
    prompts: [],
  };
  world.channels.set(id, channel);
  return channel;
}

/** The conversation of somebody with the bot, made when first needed. */
export function imOf(world: World, userId: string): ChannelRecord {
  return imBetween(world, userId, world.bot.id);
}

export function imBetween(world: World, one: string, other: string): ChannelRecord {
  const ims = [...world.channels.values()].filter(({ kind }) => kind === "im");
  const known = ims.find(({ members }) => members.has(one) && members.has(other));
  return known ?? addChannel(world, "im", "", [one, other]);
}

/** Stores a message; whoever calls tells the app about it. */
export function putMessage(
  world: World,
  channel: ChannelRecord,
  given: Partial<MessageRecord> & Pick<MessageRecord, "user" | "text">,
): MessageRecord {
  const record: MessageRecord = {
    ts: world.nextTs(),
    threadTs: undefined,
    botId: undefined,
    username: undefined,
    icon: undefined,
    subtype: undefined,
    broadcast: false,
    clientMsgId: undefined,
    to: undefined,
    blocks: [],
    attachments: [],
    files: [],
    metadata: undefined,
    reactions: new Map(),
    edited: undefined,
    earlier: [],
    linksNames: false,
    stream: undefined,
    ...given,
    channel: channel.id,
  };
  if (record.to === undefined) channel.messages.set(record.ts, record);
  else world.ephemerals.push(record);
  return record;
}

/** A one-time key to open a modal with, as comes along with whatever a person does. */
export function issueTrigger(world: World, userId: string): string {
  const id = `${Math.floor(world.now())}.${world.team.id.slice(1)}.${world.nextId("")}`;
  world.triggers.set(id, { userId, at: world.now(), used: false });
  return id;
}
