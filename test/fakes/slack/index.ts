/**
 * A stand-in for Slack on loopback: the Web API, Socket Mode, files and response_url, as strict as the real one where
 * it matters, people who act in it, and faults. Speaks what Shipmate uses; knows nothing of Shipmate and of no test runner.
 */

import { waitUntil } from "../waiting.ts";
import { createActing } from "./acting.ts";
import type { SeenEphemeral, SeenMessage, Slack, SlackOptions, SlackTiming } from "./api.ts";
import { statusOf } from "./assistant.ts";
import { groupOf } from "./conversations.ts";
import { createCallFaults, type Faults } from "./faults.ts";
import { permalinkOf } from "./payload.ts";
import { createPeople } from "./people.ts";
import { createResponseUrls } from "./respond.ts";
import { seeEphemeral, seeMessage, seeView } from "./seen.ts";
import { serve } from "./server.ts";
import { createSocketMode } from "./sockets.ts";
import { endStream } from "./streams.ts";
import { addChannel, createWorld, imBetween, imOf, type World } from "./world.ts";

export type { Acted, SeenMessage, Slack, SlackOptions } from "./api.ts";

/** What Shipmate's manifest asks for. */
const usualScopes = [
  "app_mentions:read",
  "assistant:write",
  "channels:history",
  "channels:read",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "groups:read",
  "im:history",
  "im:write",
  "mpim:history",
  "mpim:read",
  "reactions:write",
  "users:read",
] as const;

const usualTiming: SlackTiming = {
  ackMs: 3000,
  retryMs: [50, 60_000, 300_000],
  pingMs: 5000,
  triggerMs: 3000,
  statusMs: 120_000,
  streamIdleMs: 300_000,
  responseUrlMs: 1_800_000,
};

/** Starts the stand-in. Ada and a channel `general` are in it; `await using` or `close` ends it. */
export async function createSlack(options: SlackOptions = {}): Promise<Slack> {
  const scopes = options.scopes ?? usualScopes;
  const world = createWorld({
    scopes: options.customize === false ? scopes : [...scopes, "chat:write.customize"],
    agentView: options.agentView ?? true,
    timing: { ...usualTiming, ...options.timing },
    now: options.now ?? Date.now,
  });
  const sockets = createSocketMode(world);
  world.send = sockets.send;
  const responses = createResponseUrls(world);
  const people = createPeople(world);
  const acting = createActing({ world, people, sockets, responses });
  const callFaults = createCallFaults();
  const server = await serve({
    world,
    sockets,
    responses,
    take: callFaults.take,
    recordCalls: options.recordCalls ?? true,
  });
  const person: Slack["person"] = (name, { bot = false, id } = {}) => {
    const userId = id ?? world.nextId("U");
    const botId = bot ? world.nextId("B") : undefined;
    world.users.set(userId, { id: userId, name: name.toLowerCase().replaceAll(" ", "."), realName: name, botId });
    for (const channel of world.channels.values()) if (channel.kind === "channel") channel.members.add(userId);
    return userId;
  };
  const channel: Slack["channel"] = (name = world.nextId("channel-").toLowerCase(), more = {}) => {
    const everybody = [...world.users.keys()].filter((id) => id !== world.bot.id);
    const members = [...(more.members ?? everybody), ...(more.botIn === false ? [] : [world.bot.id])];
    return addChannel(world, more.private ? "group" : "channel", name, members).id;
  };
  const ada = person("Ada");
  const general = channel("general");
  const see = (record: Parameters<typeof seeMessage>[1]) => seeMessage(world, record);
  const messages: Slack["messages"] = (channelId, { thread } = {}) =>
    [...world.channel(channelId).messages.values()]
      .filter((one) => {
        if (thread === undefined) return true;
        return thread === null
          ? one.threadTs === undefined || one.broadcast
          : one.ts === thread || one.threadTs === thread;
      })
      .map(see);
  const fromBot = (channelId: string) => messages(channelId).filter(({ author }) => author.id === world.bot.id);
  const ephemerals = (userId: string) =>
    world.ephemerals.filter(({ to }) => to === userId).map((record) => seeEphemeral(world, record));
  const waitFor: Slack["waitFor"] = (probe, timeoutMs) => waitUntil(world.onChange, probe, timeoutMs);
  const close = async () => {
    sockets.close();
    await server.close();
  };

  return {
    get url() {
      return `${world.origin}/api/`;
    },
    botToken: world.botToken,
    appToken: world.appToken,
    teamId: world.team.id,
    botUserId: world.bot.id,
    botId: world.bot.botId,
    appId: world.appId,
    ada,
    general,
    person,
    channel,
    dm: (userId) => imOf(world, world.user(userId).id).id,
    dmBetween: (one, other) => imBetween(world, world.user(one).id, world.user(other).id).id,
    group: (userIds) => groupOf(world, userIds).id,

    ...acting,
    say: (userId, channelId, text, more) => see(people.say(userId, channelId, text, more)),
    edit: people.edit,
    deleteMessage: people.deleteMessage,
    unfurl: people.unfurl,
    openHome: (userId) => people.openApp(userId, "home"),
    openMessagesTab: (userId) => people.openApp(userId, "messages"),
    invite: (userId, channelId) => people.join(world.bot.id, channelId, userId),
    kick: people.kick,
    join: people.join,
    leave: people.leave,
    archive: people.archive,
    react: people.react,
    unreact: people.unreact,
    stopStream: people.stopStream,
    deliver: (event) => world.send(event),

    messages,
    fromBot,
    deleted: (channelId) => world.channel(channelId).deleted.map(see),
    message: ({ channel: id, ts }) => {
      const record = world.channels.get(id)?.messages.get(ts);
      return record && see(record);
    },
    ephemerals,
    status: (channelId, threadTs) => statusOf(world, world.channel(channelId), threadTs),
    statuses: (channelId, threadTs) => [...(world.channel(channelId).statuses.get(threadTs)?.history ?? [])],
    suggested: (channelId) => world.channel(channelId).prompts,
    title: (channelId, threadTs) => world.channel(channelId).titles.get(threadTs),
    view: (userId) => {
      const record = world.modals.get(userId)?.at(-1);
      return record && seeView(world, record);
    },
    home: (userId) => {
      const record = world.homes.get(userId);
      return record && seeView(world, record);
    },
    permalink: (ref) => permalinkOf(world, people.messageOf(ref)),
    calls: (method) => server.calls.filter((call) => method === undefined || call.method === method),
    sockets: sockets.seen,
    envelopes: (about) => sockets.log.filter((one) => about === undefined || one.about === about),
    lost: () => [...sockets.lost],
    waitFor,
    waitForMessage: (channelId, test, timeoutMs) =>
      waitFor<SeenMessage>(
        Object.assign(() => fromBot(channelId).find(test), { toString: () => `${test} in ${channelId}` }),
        timeoutMs,
      ),
    waitForEphemeral: (userId, test, timeoutMs) =>
      waitFor<SeenEphemeral>(
        Object.assign(() => ephemerals(userId).find(test), { toString: () => `${test} for ${userId}` }),
        timeoutMs,
      ),

    faults: allFaults(world, callFaults.api, sockets.faults, server),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function allFaults(
  world: World,
  calls: ReturnType<typeof createCallFaults>["api"],
  sockets: ReturnType<typeof createSocketMode>["faults"],
  server: { open(): Promise<void>; close(): Promise<void> },
): Faults {
  return {
    ...sockets,
    ...calls,
    missingScope: (scope) => {
      const had = world.scopes.delete(scope);
      return () => {
        if (had) world.scopes.add(scope);
      };
    },
    refuseConnections: server.close,
    acceptConnections: server.open,
    streamTimeout: () => {
      for (const channel of world.channels.values()) {
        for (const record of channel.messages.values()) endStream(world, record);
      }
    },
    clear: () => {
      calls.clear();
      sockets.clear();
    },
  };
}
