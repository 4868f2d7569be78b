import {
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  type APIRole,
  type APIUser,
  ChannelType,
  type GatewayGuildCreateDispatchData,
  Locale,
  OverwriteType,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import { type ChannelRecord, type GuildRecord, known, type World } from "./world.ts";

/** What a bot that was invited with the usual permissions may do. */
const granted =
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

export function newUser(id: string, name: string, bot: boolean): APIUser {
  return {
    id,
    username: name.toLowerCase().replaceAll(" ", "_"),
    discriminator: "0",
    global_name: bot ? null : name,
    avatar: null,
    ...(bot ? { bot: true } : {}),
    public_flags: noFlags,
    flags: noFlags,
    banner: null,
    accent_color: null,
    avatar_decoration_data: null,
    primary_guild: null,
  };
}

/** What a bot is called: its username, as bots have no display name. */
export const displayName = (user: APIUser) => user.global_name ?? user.username;

export function newGuild(world: World, id: string, name: string): GuildRecord {
  const botRoleId = world.newId();
  const manages = world.options.manageWebhooks ?? true;
  const rights = granted | (manages ? PermissionFlagsBits.ManageWebhooks : 0n);
  const roles = [
    role(id, "@everyone", PermissionFlagsBits.SendMessages | PermissionFlagsBits.ViewChannel, 0),
    { ...role(botRoleId, world.bot.username, rights, 1), managed: true, tags: { bot_id: world.bot.id } },
  ];
  const guild: GuildRecord = { id, name, roles, members: new Map(), botRoleId, joined: true };
  for (const user of world.users.values()) join(world, guild, user);
  world.guilds.set(id, guild);
  return guild;
}

export function join(world: World, guild: GuildRecord, user: APIUser): void {
  const roles = user.id === world.bot.id ? [guild.botRoleId] : [];
  guild.members.set(user.id, {
    user,
    nick: null,
    avatar: null,
    banner: null,
    roles,
    joined_at: world.isoNow(),
    premium_since: null,
    deaf: false,
    mute: false,
    flags: noFlags,
    pending: false,
    communication_disabled_until: null,
  });
}

function role(id: string, name: string, permissions: bigint, position: number): APIRole {
  return {
    id,
    name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position,
    permissions: `${permissions}`,
    managed: false,
    mentionable: false,
    flags: noFlags,
  };
}

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

export function describeGuild(world: World, guild: GuildRecord): APIGuild {
  // What Discord's description lists and its types do not.
  const older = { home_header: null, nsfw: false };
  return {
    ...older,
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    owner_id: known(world.users, firstPerson(world), "user").id,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: guild.roles,
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: noFlags,
    rules_channel_id: null,
    max_presences: null,
    max_members: 500_000,
    max_video_channel_users: 25,
    max_stage_video_channel_users: 50,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: Locale.EnglishUS,
    public_updates_channel_id: null,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    safety_alerts_channel_id: null,
    hub_type: null,
    incidents_data: null,
    region: "deprecated",
    widget_enabled: false,
    widget_channel_id: null,
  };
}

function firstPerson(world: World): string {
  return [...world.users.values()].find((user) => !user.bot)?.id ?? world.bot.id;
}

/** A guild as GUILD_CREATE tells of it: channels and threads the bot can see; of the members itself, without the intent for more. */
export function introduceGuild(world: World, guild: GuildRecord): GatewayGuildCreateDispatchData {
  const seen = channelsOf(world, guild)
    .filter((one) => (botPermissions(world, one) & PermissionFlagsBits.ViewChannel) !== 0n)
    .filter((one) => !one.thread?.archived);
  const described = seen.map((one) => describeChannel(world, one));
  return {
    ...describeGuild(world, guild),
    joined_at: memberOf(guild, world.bot.id).joined_at ?? world.isoNow(),
    large: false,
    member_count: guild.members.size,
    voice_states: [],
    members: [memberOf(guild, world.bot.id)],
    channels: described.filter((_, at) => !seen[at]?.thread) as GatewayGuildCreateDispatchData["channels"],
    threads: described.filter((_, at) => seen[at]?.thread) as GatewayGuildCreateDispatchData["threads"],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function memberOf(guild: GuildRecord, userId: string): APIGuildMember {
  return known(guild.members, userId, "member");
}
