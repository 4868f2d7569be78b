import { type APIChannel, ChannelType, OverwriteType, PermissionFlagsBits } from "discord-api-types/v10";
import { type ChannelRecord, type GuildRecord, known, type World } from "./world.ts";

/** What a bot that was invited with the usual permissions may do. */
export const granted =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.EmbedLinks;

/** A set of flags without any; wider than the literal, which no enum of flags takes. */
export const noFlags: number = 0;

export const canView = (permissions: bigint) => (permissions & PermissionFlagsBits.ViewChannel) !== 0n;

type ChannelParts = Pick<ChannelRecord, "id" | "kind" | "name"> & Partial<ChannelRecord>;

export function addChannel(world: World, parts: ChannelParts): ChannelRecord {
  const record: ChannelRecord = {
    guildId: undefined,
    recipientId: undefined,
    thread: undefined,
    denied: 0n,
    position: world.channels.size,
    messages: [],
    nonces: new Map(),
    lastMessageId: null,
    typing: 0,
    ...parts,
  };
  world.channels.set(record.id, record);
  return record;
}

/** What the bot may do in a channel; everything in a DM that a DM has. */
export function botPermissions(world: World, channel: ChannelRecord): bigint {
  const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
  if (channel.guildId === undefined) return granted & ~PermissionFlagsBits.CreatePublicThreads;
  if (!guild?.joined) return 0n;
  const parent = channel.thread ? world.channels.get(channel.thread.parentId) : undefined;
  const rights = guild.roles.reduce((sum, one) => sum | BigInt(one.permissions), 0n);
  return rights & ~channel.denied & ~(parent?.denied ?? 0n);
}

export function describeChannel(world: World, record: ChannelRecord): APIChannel {
  const { id, name, thread, lastMessageId } = record;
  if (record.kind === "dm") {
    const recipient = known(world.users, record.recipientId ?? "", "user");
    return {
      id,
      type: ChannelType.DM,
      name: null,
      last_message_id: lastMessageId,
      flags: noFlags,
      recipients: [recipient],
    };
  }
  const guild_id = record.guildId ?? "";
  if (thread) return describeThread(world, record, guild_id);
  const common = {
    id,
    name,
    guild_id,
    position: record.position,
    parent_id: null,
    nsfw: false,
    flags: noFlags,
    rate_limit_per_user: 0,
    topic: null,
    last_message_id: lastMessageId,
    permission_overwrites:
      record.denied === 0n
        ? []
        : [{ id: world.bot.id, type: OverwriteType.Member, allow: "0", deny: `${record.denied}` }],
  };
  if (record.kind === "text") return { ...common, type: ChannelType.GuildText };
  return {
    ...common,
    type: ChannelType.GuildForum,
    available_tags: [],
    default_reaction_emoji: null,
    default_sort_order: null,
    default_forum_layout: 0,
  };
}

function describeThread(world: World, record: ChannelRecord, guild_id: string): APIChannel {
  const { thread } = record;
  if (!thread) throw new Error(`${record.id} is no thread`);
  const own = thread.members.get(world.bot.id);
  return {
    id: record.id,
    type: thread.isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread,
    name: record.name,
    guild_id,
    parent_id: thread.parentId,
    owner_id: thread.ownerId,
    last_message_id: record.lastMessageId,
    rate_limit_per_user: 0,
    flags: noFlags,
    message_count: thread.sent,
    total_message_sent: thread.sent,
    member_count: Math.min(50, thread.members.size),
    thread_metadata: {
      archived: thread.archived,
      auto_archive_duration: thread.autoArchiveMinutes,
      archive_timestamp: thread.archivedAt,
      locked: thread.locked,
      create_timestamp: thread.createdAt,
    },
    ...(own ? { member: own } : {}),
  };
}

export function channelsOf(world: World, guild: GuildRecord): ChannelRecord[] {
  return [...world.channels.values()].filter((one) => one.guildId === guild.id);
}
