import {
  type APIGuild,
  type APIGuildMember,
  type APIRole,
  type APIUser,
  type GatewayGuildCreateDispatchData,
  Locale,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import { botPermissions, canView, channelsOf, describeChannel, granted, noFlags } from "./channels.ts";
import { type ChannelRecord, type GuildRecord, known, type World } from "./world.ts";

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

/**
 * A guild as GUILD_CREATE tells of it: every channel, of the threads those the bot can see that go on, and of the members
 * itself, without the intent for more.
 */
export function introduceGuild(world: World, guild: GuildRecord): GatewayGuildCreateDispatchData {
  const sees = (one: ChannelRecord) => canView(botPermissions(world, one));
  const seen = channelsOf(world, guild).filter((one) => !one.thread || (!one.thread.archived && sees(one)));
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
