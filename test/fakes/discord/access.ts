import { PermissionFlagsBits } from "discord-api-types/v10";
import type { UploadedFile } from "./body.ts";
import { botPermissions, canView } from "./channels.ts";
import { ApiFailure, missingAccess, missingPermissions, unknownChannel, unknownMessage } from "./failure.ts";

import type { PermissionName } from "./types.ts";
import type { ChannelRecord, MessageRecord, World } from "./world.ts";

/** One REST call as its handler sees it. */
export interface Request {
  readonly world: World;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly json: unknown;
  readonly files: readonly UploadedFile[];
}

/** What a handler answers: a body with 200, or nothing with 204. */
export type Handler = (request: Request) => unknown;

/** The channel of a call, where the bot may see it and do what is named. */
export function channelOf({ world, params }: Request, ...needed: readonly PermissionName[]): ChannelRecord {
  const channel = world.channels.get(params.channel ?? "");
  if (!channel) throw unknownChannel();
  const permissions = botPermissions(world, channel);
  if (!canView(permissions)) throw missingAccess();
  if (needed.some((name) => (permissions & PermissionFlagsBits[name]) === 0n)) throw missingPermissions();
  return channel;
}

/** A channel where the bot may write now. */
export function writableChannel(request: Request): ChannelRecord {
  const { world, params } = request;
  const inThread = world.channels.get(params.channel ?? "")?.kind === "thread";
  const channel = channelOf(request, inThread ? "SendMessagesInThreads" : "SendMessages");
  if (channel.kind === "forum") throw new ApiFailure(400, 50008, "Cannot send messages in a non-text channel");
  if (channel.thread?.locked) throw new ApiFailure(400, 160005, "Thread is locked");
  return channel;
}

export function messageOf(world: World, channel: ChannelRecord, id: string | undefined): MessageRecord {
  const record = world.messages.get(id ?? "");
  if (record?.channel !== channel || record.onlyFor !== undefined) throw unknownMessage();
  return record;
}

export const wrongChannelType = () => new ApiFailure(400, 50024, "Cannot execute action on this channel type");
