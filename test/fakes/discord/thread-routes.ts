import { type APIMessage, ChannelType, MessageFlags, ThreadAutoArchiveDuration } from "discord-api-types/v10";
import { channelOf, type Handler, messageOf, type Request, wrongChannelType } from "./access.ts";
import { channelsOf, describeChannel } from "./channels.ts";
import { lengthProblems } from "./component-rules.ts";
import { ApiFailure, missingAccess, missingPermissions, type Problem, refuse } from "./failure.ts";
import { putMessage, restMessage } from "./messages.ts";
import { composeMessage } from "./sending.ts";
import { looseThread, threadFrom } from "./thread-making.ts";
import { changeThread, joinThread, threadList } from "./threads.ts";
import type { ChannelRecord, ThreadRecord } from "./world.ts";

interface ThreadBody {
  readonly name?: unknown;
  readonly auto_archive_duration?: ThreadRecord["autoArchiveMinutes"];
  readonly type?: number;
  readonly message?: unknown;
  readonly archived?: boolean;
  readonly locked?: boolean;
}

export const threadRoutes: Readonly<Record<string, Handler>> = {
  "POST /channels/:channel/messages/:message/threads": (request) => {
    const { world, params } = request;
    const parent = channelOf(request);
    if (parent.kind !== "text") throw wrongChannelType();
    channelOf(request, "CreatePublicThreads");
    const starter = messageOf(world, parent, params.message);
    const made = { parent, by: world.bot.id, ...readThread(request) };
    if (world.races.delete(starter.message.id) && !world.channels.has(starter.message.id)) {
      const other = [...world.users.values()].find((user) => user.bot && user.id !== world.bot.id);
      threadFrom(world, starter, { ...made, by: other?.id ?? starter.message.author.id, name: "Another bot's thread" });
    }
    if (world.channels.has(starter.message.id)) {
      throw new ApiFailure(400, 160004, "A thread has already been created for this message");
    }
    return describeChannel(world, threadFrom(world, starter, made));
  },
  "POST /channels/:channel/threads": (request) => {
    const { world, json } = request;
    const { type, message } = (json ?? {}) as ThreadBody;
    const parent = channelOf(request);
    if (parent.kind !== "text" && parent.kind !== "forum") throw wrongChannelType();
    channelOf(request, "CreatePublicThreads");
    const made = { parent, by: world.bot.id, ...readThread(request) };
    if (parent.kind === "text") {
      const isPrivate = (type ?? ChannelType.PrivateThread) === ChannelType.PrivateThread;
      return describeChannel(world, looseThread(world, { ...made, isPrivate }));
    }
    if (message === undefined)
      refuse([{ path: "message", code: "BASE_TYPE_REQUIRED", message: "This field is required" }]);
    const settable = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2;
    const { fields, mentions } = composeMessage(world, parent, message, request.files, settable);
    const thread = looseThread(world, made);
    const first = putMessage(world, {
      channel: thread,
      author: world.bot,
      mentions,
      fields: { id: thread.id, ...fields },
    });
    return { ...describeChannel(world, thread), message: restMessage(world, first) satisfies APIMessage };
  },
  "PATCH /channels/:channel": (request) => {
    const { world, json } = request;
    const channel = channelOf(request);
    const { name, archived, locked, auto_archive_duration } = (json ?? {}) as ThreadBody;
    const own = channel.thread?.ownerId === world.bot.id;
    if (!channel.thread || !own) channelOf(request, channel.thread ? "ManageThreads" : "ManageChannels");
    if (channel.thread?.archived && archived !== false) throw new ApiFailure(400, 50083, "Thread is archived");
    const problems = name === undefined ? [] : lengthProblems(name, "name", 1, 100);
    refuse([...problems, ...durationProblems(auto_archive_duration)]);
    changeThread(world, channel, {
      ...(typeof name === "string" ? { name } : {}),
      ...(archived === undefined ? {} : { archived }),
      ...(locked === undefined ? {} : { locked }),
      ...(auto_archive_duration === undefined ? {} : { autoArchiveMinutes: auto_archive_duration }),
    });
    return describeChannel(world, channel);
  },
  "PUT /channels/:channel/thread-members/@me": (request) => {
    const channel = threadOf(request);
    if (channel.thread?.archived) throw new ApiFailure(400, 50083, "Thread is archived");
    joinThread(request.world, channel, request.world.bot.id);
  },
  "DELETE /channels/:channel/thread-members/@me": (request) => {
    threadOf(request).thread?.members.delete(request.world.bot.id);
    request.world.changed();
  },
  "PUT /channels/:channel/thread-members/:user": (request) => {
    const channel = threadOf(request);
    const user = request.world.users.get(request.params.user ?? "");
    if (!user) throw missingPermissions();
    joinThread(request.world, channel, user.id);
  },
  "GET /channels/:channel/thread-members/:user": (request) => {
    const { world, params } = request;
    const wanted = params.user === "@me" ? world.bot.id : params.user;
    const member = threadOf(request).thread?.members.get(wanted ?? "");
    if (!member) throw new ApiFailure(404, 10007, "Unknown Member");
    return member;
  },
  "GET /guilds/:guild/threads/active": ({ world, params }) => {
    const guild = world.guilds.get(params.guild ?? "");
    if (!guild?.joined) throw missingAccess();
    return threadList(
      world,
      channelsOf(world, guild).filter((one) => one.thread && !one.thread.archived),
    );
  },
  "GET /channels/:channel/threads/archived/public": (request) => {
    const { world } = request;
    const parent = channelOf(request, "ReadMessageHistory");
    const ended = [...world.channels.values()].filter(
      (one) => one.thread?.parentId === parent.id && one.thread.archived,
    );
    return threadList(world, ended);
  },
};

function readThread({ json }: Request) {
  const { name, auto_archive_duration } = (json ?? {}) as ThreadBody;
  refuse([...lengthProblems(name, "name", 1, 100), ...durationProblems(auto_archive_duration)]);
  return { name: `${name}`, autoArchiveMinutes: auto_archive_duration };
}

function durationProblems(minutes: number | undefined): Problem[] {
  if (minutes === undefined || minutes in ThreadAutoArchiveDuration) return [];
  const message = "Value must be one of (60, 1440, 4320, 10080).";
  return [{ path: "auto_archive_duration", code: "BASE_TYPE_CHOICES", message }];
}

function threadOf(request: Request): ChannelRecord {
  const channel = channelOf(request);
  if (!channel.thread) throw wrongChannelType();
  return channel;
}
