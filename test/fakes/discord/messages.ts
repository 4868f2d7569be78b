import {
  type APIMessage,
  type APIUser,
  type GatewayMessageCreateDispatchData,
  type MessageFlags,
  MessageReferenceType,
} from "discord-api-types/v10";
import { describeChannel, noFlags } from "./channels.ts";
import type { Mentions } from "./mentions.ts";
import { touchThread } from "./threads.ts";
import type { ChannelRecord, MessageRecord, World } from "./world.ts";

export interface MessageParts {
  readonly channel: ChannelRecord;
  readonly author: APIUser;
  readonly mentions: Mentions;
  /** Fields beside the usual ones; they win. */
  readonly fields: Partial<APIMessage>;
  readonly fromUs?: boolean | undefined;
  readonly avatarUrl?: string | undefined;
  readonly onlyFor?: string | undefined;
  readonly thinking?: boolean | undefined;
}

/** Stores a message and tells the gateway of it, unless one person alone sees it. */
export function putMessage(world: World, parts: MessageParts): MessageRecord {
  const { channel, author, mentions, fields } = parts;
  const message: APIMessage = {
    id: world.newId(),
    channel_id: channel.id,
    type: 0,
    author,
    content: "",
    timestamp: world.isoNow(),
    edited_timestamp: null,
    tts: false,
    mention_everyone: mentions.everyone,
    mentions: [...mentions.users],
    mention_roles: [...mentions.roles],
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    flags: noFlags,
    ...fields,
  };
  const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
  const record: MessageRecord = {
    message,
    channel,
    member: message.webhook_id === undefined ? guild?.members.get(author.id) : undefined,
    fromUs: parts.fromUs ?? author.id === world.bot.id,
    avatarUrl: parts.avatarUrl,
    onlyFor: parts.onlyFor,
    thinking: parts.thinking ?? false,
    earlier: [],
    pings: mentions.pings,
    botReactions: [],
    deleted: false,
  };
  world.messages.set(message.id, record);
  channel.messages.push(record);
  channel.messages.sort((a, b) => (BigInt(a.message.id) < BigInt(b.message.id) ? -1 : 1));
  if (record.onlyFor === undefined) {
    channel.lastMessageId = message.id;
    touchThread(world, channel, author.id);
    world.dispatch({ type: "MESSAGE_CREATE", data: gatewayMessage(world, record), channel });
  }
  world.changed();
  return record;
}

/** Changes a message; an edit sets its date, a link preview does not. */
export function changeMessage(world: World, record: MessageRecord, change: Partial<APIMessage>, edit: boolean): void {
  if (edit && !record.thinking) record.earlier.push(record.message.content);
  record.message = {
    ...record.message,
    ...change,
    ...(edit && !record.thinking ? { edited_timestamp: world.isoNow() } : {}),
  };
  if (record.onlyFor === undefined) {
    const data = gatewayMessage(world, record);
    world.dispatch({ type: "MESSAGE_UPDATE", data, channel: record.channel });
  }
  world.changed();
}

export function removeMessages(world: World, records: readonly MessageRecord[], bulk: boolean): void {
  const [first] = records;
  if (!first) return;
  for (const record of records) {
    record.deleted = true;
    const at = record.channel.messages.indexOf(record);
    if (at !== -1) record.channel.messages.splice(at, 1);
    world.messages.delete(record.message.id);
  }
  const { channel } = first;
  const place = { channel_id: channel.id, ...(channel.guildId === undefined ? {} : { guild_id: channel.guildId }) };
  const shown = records.filter((record) => record.onlyFor === undefined).map((record) => record.message.id);
  if (bulk) world.dispatch({ type: "MESSAGE_DELETE_BULK", data: { ids: shown, ...place }, channel });
  else for (const id of shown) world.dispatch({ type: "MESSAGE_DELETE", data: { id, ...place }, channel });
  world.changed();
}

/** A message as REST shows it: with its thread, the reactions, and the message it answers as that is now. */
export function restMessage(world: World, record: MessageRecord, nested = false): APIMessage {
  const { message, botReactions } = record;
  const thread = world.channels.get(message.id)?.thread ? world.channels.get(message.id) : undefined;
  const reactions = botReactions.map((name) => ({
    emoji: { id: null, name },
    count: 1,
    count_details: { burst: 0, normal: 1 },
    me: true,
    me_burst: false,
    burst_colors: [],
  }));
  const { type, message_id } = message.message_reference ?? {};
  const isReply = message_id !== undefined && type !== MessageReferenceType.Forward;
  const target = isReply ? world.messages.get(message_id) : undefined;
  return {
    ...message,
    ...(thread ? { thread: describeChannel(world, thread) } : {}),
    ...(reactions.length > 0 ? { reactions } : {}),
    ...(isReply && !nested ? { referenced_message: target ? restMessage(world, target, true) : null } : {}),
  };
}

/** A message as the gateway shows it: with the guild and the author's membership. */
export function gatewayMessage(world: World, record: MessageRecord): GatewayMessageCreateDispatchData {
  const { channel } = record;
  const channel_type = describeChannel(world, channel).type;
  const message = { ...restMessage(world, record), channel_type };
  const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
  if (!guild) return message as GatewayMessageCreateDispatchData;
  const withoutUser = (id: string) => {
    const { user: _, ...member } = guild.members.get(id) ?? {};
    return member;
  };
  return {
    ...message,
    guild_id: guild.id,
    ...(record.member ? { member: withoutUser(record.member.user.id) } : {}),
    mentions: message.mentions.map((user) => ({ ...user, member: withoutUser(user.id) })),
  } as GatewayMessageCreateDispatchData;
}

/** What is left of a message for an application without message content: unless it wrote it, is mentioned in it, or it is a DM. */
export function redact<T extends APIMessage>(world: World, channel: ChannelRecord | undefined, message: T): T {
  const ours = message.author.id === world.bot.id || message.application_id === world.applicationId;
  if (channel?.kind === "dm" || ours || message.mentions.some((user) => user.id === world.bot.id)) return message;
  const { referenced_message, message_snapshots } = message;
  return {
    ...message,
    content: "",
    embeds: [],
    attachments: [],
    components: [],
    ...(referenced_message ? { referenced_message: redact(world, channel, referenced_message) } : {}),
    ...(message_snapshots
      ? {
          message_snapshots: message_snapshots.map((one) => ({
            ...one,
            message: { ...one.message, content: "", embeds: [], attachments: [], components: [] },
          })),
        }
      : {}),
  };
}

export const hasFlag = (message: Pick<APIMessage, "flags">, flag: MessageFlags) => ((message.flags ?? 0) & flag) !== 0;
