import {
  type APIChannel,
  type APIGuild,
  type APIRole,
  ChannelType,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
} from "discord.js";
import type { InboundPlace } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { isRefusal } from "./errors.ts";
import { permissionsIn } from "./permissions.ts";

export interface KnownChannel {
  readonly id: string;
  readonly type: ChannelType;
  readonly name: string | undefined;
  readonly parent: string | undefined;
  readonly guild: string | undefined;
  /** What the bot may do there; undefined where nobody told. */
  readonly allowed: bigint | undefined;
}

export interface KnownGuild {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly systemChannel: string | undefined;
  readonly boosts: number;
  readonly roles: ReadonlyMap<string, { readonly name: string; readonly ours: boolean }>;
}

/** What a channel is, of the fields that a channel in an event, in an interaction and in a response have in common. */
export type RawChannel = Pick<APIChannel, "id" | "type"> & {
  readonly name?: string | null | undefined;
  readonly parent_id?: string | null | undefined;
  readonly guild_id?: string | undefined;
};

/** Which channels and servers there are, as the gateway tells; what it did not tell is asked once. */
export function createDirectory(api: Api, botId: () => string) {
  const channels = new Map<string, KnownChannel>();
  const guilds = new Map<string, KnownGuild>();

  const see = (channel: RawChannel, guild = channel.guild_id, allowed?: bigint): KnownChannel => {
    const known = channels.get(channel.id);
    const seen = {
      id: channel.id,
      type: channel.type,
      name: channel.name ?? known?.name,
      parent: channel.parent_id ?? known?.parent,
      guild: guild ?? known?.guild,
      allowed: allowed ?? known?.allowed,
    };
    channels.set(channel.id, seen);
    return seen;
  };
  const seeRole = (role: APIRole) => [role.id, { name: role.name, ours: role.tags?.bot_id === botId() }] as const;
  const seeGuild = (guild: APIGuild, roles: readonly APIRole[]) =>
    guilds.set(guild.id, {
      id: guild.id,
      name: guild.name,
      owner: guild.owner_id,
      systemChannel: guild.system_channel_id ?? undefined,
      boosts: guild.premium_tier,
      roles: new Map(roles.map(seeRole)),
    });
  const withRoles = (id: string, change: (roles: Map<string, { name: string; ours: boolean }>) => void) => {
    const guild = guilds.get(id);
    if (!guild) return;
    const roles = new Map(guild.roles);
    change(roles);
    guilds.set(id, { ...guild, roles });
  };

  const directory = {
    channel: (id: string) => channels.get(id),
    guild: (id: string) => guilds.get(id),
    channelsOf: (guild: string) => [...channels.values()].filter((channel) => channel.guild === guild),
    see,
    forget: (id: string): void => void channels.delete(id),

    /** The channel, asked for where it is not known; undefined where Discord does not show it to us. */
    find: async (id: string): Promise<KnownChannel | undefined> => {
      const known = channels.get(id);
      if (known) return known;
      try {
        return see(await api.channel(id));
      } catch (error) {
        if (isRefusal(error)) return undefined;
        throw error;
      }
    },

    /** Takes note of what a gateway event says about servers and channels. */
    take: (packet: GatewayDispatchPayload): void => {
      switch (packet.t) {
        case GatewayDispatchEvents.GuildCreate: {
          if (packet.d.unavailable) return;
          seeGuild(packet.d, packet.d.roles);
          const allowed = permissionsIn(packet.d, botId());
          for (const channel of packet.d.channels) see(channel, packet.d.id, allowed(channel));
          for (const thread of packet.d.threads) see(thread, packet.d.id);
          return;
        }
        case GatewayDispatchEvents.GuildUpdate:
          seeGuild(packet.d, packet.d.roles);
          return;
        case GatewayDispatchEvents.GuildRoleCreate:
        case GatewayDispatchEvents.GuildRoleUpdate:
          withRoles(packet.d.guild_id, (roles) => roles.set(...seeRole(packet.d.role)));
          return;
        case GatewayDispatchEvents.GuildRoleDelete:
          withRoles(packet.d.guild_id, (roles) => roles.delete(packet.d.role_id));
          return;
        case GatewayDispatchEvents.ChannelCreate:
        case GatewayDispatchEvents.ChannelUpdate:
        case GatewayDispatchEvents.ThreadCreate:
          see(packet.d);
          return;
        case GatewayDispatchEvents.ThreadUpdate:
          // Threads come and go for years; who speaks in an old one again asks for it again.
          if (packet.d.thread_metadata?.archived) channels.delete(packet.d.id);
          else see(packet.d);
          return;
        case GatewayDispatchEvents.ThreadListSync:
          for (const thread of packet.d.threads) see(thread, packet.d.guild_id);
          return;
        case GatewayDispatchEvents.ChannelDelete:
        case GatewayDispatchEvents.ThreadDelete:
          channels.delete(packet.d.id);
          return;
        case GatewayDispatchEvents.GuildDelete:
          if (packet.d.unavailable) return;
          guilds.delete(packet.d.id);
          for (const { id } of directory.channelsOf(packet.d.id)) channels.delete(id);
          return;
      }
    },
  };
  return directory;
}

export type Directory = ReturnType<typeof createDirectory>;

const threadTypes = new Set([ChannelType.PublicThread, ChannelType.PrivateThread, ChannelType.AnnouncementThread]);
const forumTypes = new Set([ChannelType.GuildForum, ChannelType.GuildMedia]);
/** In these a thread can hang on a message. */
const threadParents = new Set([ChannelType.GuildText, ChannelType.GuildAnnouncement]);

export const isThread = ({ type }: Pick<KnownChannel, "type">) => threadTypes.has(type);
export const isDm = ({ type }: Pick<KnownChannel, "type">) => type === ChannelType.DM || type === ChannelType.GroupDM;
export const hasThreads = ({ type }: Pick<KnownChannel, "type">) => threadParents.has(type);
export const isForum = ({ type }: Pick<KnownChannel, "type">) => forumTypes.has(type);

/** Where something happened: always the parent channel, and the thread beside it. */
export function placeIn(channel: KnownChannel, directory: Directory): InboundPlace {
  if (isDm(channel)) return { channel: channel.id, kind: "dm" };
  const parent = isThread(channel) && channel.parent !== undefined ? directory.channel(channel.parent) : channel;
  const title = parent?.name ?? channel.name;
  return {
    channel: isThread(channel) ? (channel.parent ?? channel.id) : channel.id,
    ...(isThread(channel) && channel.parent !== undefined ? { thread: channel.id } : {}),
    kind: parent && isForum(parent) ? "forum" : "channel",
    ...(title === undefined ? {} : { title: `#${title}` }),
  };
}
