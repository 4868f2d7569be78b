import {
  type APIMessage,
  type APIMessageReference,
  ChannelType,
  MessageFlags,
  MessageReferenceType,
  MessageType,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import { channelOf, type Handler, messageOf, type Request, writableChannel } from "./access.ts";
import { addChannel, botPermissions, describeChannel } from "./channels.ts";
import { ApiFailure, missingPermissions, notFound, type Problem, refuse, unknownUser } from "./failure.ts";
import { changeMessage, putMessage, redact, removeMessages, restMessage } from "./messages.ts";
import { composeChange, composeMessage, type MessageBody, readObject } from "./sending.ts";
import { snapshotsOf } from "./snapshots.ts";
import type { ChannelRecord, MessageRecord, World } from "./world.ts";

const settable =
  MessageFlags.SuppressEmbeds |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsComponentsV2 |
  MessageFlags.IsVoiceMessage;
/** How long a nonce is remembered: "the past few minutes". */
const nonceLivesMs = 5 * 60_000;
const answerable: readonly MessageType[] = [
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
];

export const channelRoutes: Readonly<Record<string, Handler>> = {
  "GET /channels/:channel": (request) => describeChannel(request.world, channelOf(request)),
  "DELETE /channels/:channel": (request) => {
    const channel = channelOf(request);
    if (channel.kind !== "dm") throw missingPermissions();
    return describeChannel(request.world, channel);
  },
  "GET /channels/:channel/messages": listMessages,
  "GET /channels/:channel/messages/:message": (request) => {
    const channel = channelOf(request, "ReadMessageHistory");
    return shown(request.world, messageOf(request.world, channel, request.params.message));
  },
  "POST /channels/:channel/messages": createMessage,
  "PATCH /channels/:channel/messages/:message": (request) => {
    const { world, params, json, files } = request;
    const record = messageOf(world, channelOf(request), params.message);
    if (!record.fromUs || record.message.author.id !== world.bot.id) {
      throw new ApiFailure(403, 50005, "Cannot edit a message authored by another user");
    }
    refuseArchived(record.channel);
    changeMessage(world, record, composeChange(world, record, json, files), true);
    return restMessage(world, record);
  },
  "DELETE /channels/:channel/messages/:message": (request) => {
    const { world, params } = request;
    const channel = channelOf(request);
    const record = messageOf(world, channel, params.message);
    const moderates = (botPermissions(world, channel) & PermissionFlagsBits.ManageMessages) !== 0n;
    if (record.message.author.id !== world.bot.id && !moderates) throw missingPermissions();
    if (record.message.type === MessageType.ThreadStarterMessage) {
      throw new ApiFailure(403, 50021, "Cannot execute action on a system message");
    }
    refuseArchived(channel);
    removeMessages(world, [record], false);
  },
  "POST /channels/:channel/messages/bulk-delete": (request) => {
    const channel = channelOf(request, "ManageMessages");
    const { messages = [] } = request.json as { messages?: string[] };
    const records = messages.flatMap((id) => channel.messages.find((one) => one.message.id === id) ?? []);
    removeMessages(request.world, records, true);
  },
  "POST /channels/:channel/typing": (request) => {
    writableChannel(request).typing += 1;
    request.world.changed();
  },
  "PUT /channels/:channel/messages/:message/reactions/:emoji/@me": (request) => {
    const { world, params } = request;
    const channel = channelOf(request, "AddReactions", "ReadMessageHistory");
    const record = messageOf(world, channel, params.message);
    const emoji = params.emoji ?? "";
    if (!/\p{Extended_Pictographic}|\p{Emoji_Presentation}|^\w+:\d+$/u.test(emoji)) {
      throw new ApiFailure(400, 10014, "Unknown Emoji");
    }
    refuseArchived(channel);
    if (!record.botReactions.includes(emoji)) record.botReactions.push(emoji);
    world.changed();
  },
  "DELETE /channels/:channel/messages/:message/reactions/:emoji/@me": (request) => {
    const { world, params } = request;
    const record = messageOf(world, channelOf(request, "ReadMessageHistory"), params.message);
    const at = record.botReactions.indexOf(params.emoji ?? "");
    if (at !== -1) record.botReactions.splice(at, 1);
    world.changed();
  },
  "POST /users/@me/channels": ({ world, json }) => {
    const { recipient_id } = json as { recipient_id?: unknown };
    const user = world.users.get(`${recipient_id}`);
    if (!user || user.id === world.bot.id) throw user ? cannotWriteTo() : unknownUser();
    if (user.bot) throw cannotWriteTo();
    return describeChannel(world, dmWith(world, user.id));
  },
};

const cannotWriteTo = () => new ApiFailure(400, 50007, "Cannot send messages to this user");

/** The DM channel with a person; it comes into being when it is first needed. */
export function dmWith(world: World, userId: string): ChannelRecord {
  const known = [...world.channels.values()].find((one) => one.kind === "dm" && one.recipientId === userId);
  return known ?? addChannel(world, { id: world.newId(), kind: "dm", name: "", recipientId: userId });
}

function createMessage(request: Request): APIMessage {
  const { world, json, files } = request;
  const channel = writableChannel(request);
  const body = readObject(json);
  if (files.length > 0) channelOf(request, "AttachFiles");
  const earlier = sameNonce(world, channel, body);
  if (earlier) return restMessage(world, earlier);
  if (body.message_reference?.type === MessageReferenceType.Forward) return forwarded(world, channel, body);
  const target = repliedMessage(request, channel, body);
  const { fields, mentions } = composeMessage(world, channel, json, files, settable, target);
  const reply = target && {
    type: MessageType.Reply,
    message_reference: reference(target, MessageReferenceType.Default),
  };
  const record = putMessage(world, { channel, author: world.bot, mentions, fields: { ...fields, ...reply } });
  if (body.nonce !== undefined) channel.nonces.set(`${body.nonce}`, { message: record, at: world.now() });
  return restMessage(world, record);
}

/** With `enforce_nonce` a message of ours with the same nonce is given again instead of a second one. */
function sameNonce(world: World, channel: ChannelRecord, body: MessageBody): MessageRecord | undefined {
  if (!body.enforce_nonce || body.nonce === undefined) return undefined;
  const known = channel.nonces.get(`${body.nonce}`);
  return known && world.now() - known.at < nonceLivesMs ? known.message : undefined;
}

function repliedMessage(request: Request, channel: ChannelRecord, body: MessageBody): MessageRecord | undefined {
  const wanted = body.message_reference;
  if (!wanted?.message_id) return undefined;
  channelOf(request, "ReadMessageHistory");
  const target = channel.messages.find((one) => one.message.id === wanted.message_id && one.onlyFor === undefined);
  const problems: Problem[] = [];
  if (!target && wanted.fail_if_not_exists !== false) {
    problems.push({ path: "message_reference", code: "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", message: "Unknown message" });
  }
  if (target && !answerable.includes(target.message.type)) {
    const message = "Cannot reply to a system message";
    problems.push({ path: "message_reference", code: "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", message });
  }
  refuse(problems);
  return target;
}

export function reference({ message, channel }: MessageRecord, type: MessageReferenceType): APIMessageReference {
  const guild = channel.guildId === undefined ? {} : { guild_id: channel.guildId };
  return { type, message_id: message.id, channel_id: channel.id, ...guild };
}

function forwarded(world: World, channel: ChannelRecord, body: MessageBody): APIMessage {
  const target = world.messages.get(body.message_reference?.message_id ?? "");
  if (!target || target.channel.id !== body.message_reference?.channel_id) throw notFound();
  const fields = { message_reference: reference(target, MessageReferenceType.Forward), ...snapshotsOf(target) };
  const mentions = { users: [], roles: [], everyone: false, pings: [] };
  return restMessage(world, putMessage(world, { channel, author: world.bot, mentions, fields }));
}

/** Newest first, whichever way they were asked for. */
function listMessages(request: Request): APIMessage[] {
  const { world, query } = request;
  const channel = channelOf(request);
  if (describeChannel(world, channel).type === ChannelType.GuildForum) return [];
  if ((botPermissions(world, channel) & PermissionFlagsBits.ReadMessageHistory) === 0n) return [];
  const limit = Number(query.get("limit") ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    const message = "int value should be greater than or equal to 1 and less than or equal to 100.";
    refuse([{ path: "limit", code: "NUMBER_TYPE_RANGE", message }]);
  }
  const all = channel.messages.filter((one) => one.onlyFor === undefined);
  const id = (record: MessageRecord) => BigInt(record.message.id);
  const [before, after, around] = ["before", "after", "around"].map((name) => snowflake(name, query.get(name)));
  let chosen = all.slice(-limit);
  if (around !== undefined) {
    const half = Math.floor(limit / 2);
    const earlier = all.filter((one) => id(one) < around).slice(-half);
    chosen = [...earlier, ...all.filter((one) => id(one) >= around).slice(0, limit - half)];
  } else if (before !== undefined) {
    chosen = all.filter((one) => id(one) < before).slice(-limit);
  } else if (after !== undefined) {
    // The ones right after it, not the latest.
    chosen = all.filter((one) => id(one) > after).slice(0, limit);
  }
  return chosen.reverse().map((one) => shown(world, one));
}

function snowflake(path: string, text: string | null): bigint | undefined {
  if (text === null) return undefined;
  if (!/^\d{1,20}$/.test(text)) {
    refuse([{ path, code: "NUMBER_TYPE_COERCE", message: `Value "${text}" is not snowflake.` }]);
  }
  return BigInt(text);
}

const shown = (world: World, record: MessageRecord): APIMessage => {
  const message = restMessage(world, record);
  return world.options.messageContentIntent === false ? redact(world, record.channel, message) : message;
};

export function refuseArchived(channel: ChannelRecord): void {
  if (channel.thread?.archived) throw new ApiFailure(400, 50083, "Thread is archived");
}
