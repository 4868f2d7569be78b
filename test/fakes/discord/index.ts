/**
 * A stand-in for Discord on loopback: REST v10 and the gateway, as strict as the real one where it matters, people who
 * act in it, and faults. Speaks what Shipmate uses; knows nothing of Shipmate and of no test runner.
 */

import { waitUntil } from "../waiting.ts";
import { dmWith } from "./channel-routes.ts";
import { createCallFaults } from "./faults.ts";
import { createGateway } from "./gateway.ts";
import { newUser } from "./guilds.ts";
import { createInteracting } from "./interacting.ts";
import { seeModal } from "./modals.ts";
import { createPeople } from "./people.ts";
import { createPlaces } from "./places.ts";
import type { Choice, SeenMessage } from "./seen.ts";
import { serve } from "./server.ts";
import type { Discord, DiscordOptions } from "./types.ts";
import { seeCommands, seeInteraction, seeMessage, seeThread } from "./view.ts";
import { addWebhook, webhooksOf } from "./webhook-routes.ts";
import { createWorld, type InteractionRecord, known, type MessageRecord } from "./world.ts";

export type * from "./seen.ts";
export type * from "./types.ts";

/** Starts the stand-in, with one guild in which Ada is; `await using` or `close` ends it. */
export async function createDiscord(options: DiscordOptions = {}): Promise<Discord> {
  const token = options.token ?? "MTAw.stand-in.token";
  const now = options.now ?? Date.now;
  const botId = `${(BigInt(now() - 1_500_000_000_000) << 22n) + 1n}`;
  const world = createWorld({ ...newUser(botId, options.botName ?? "shipmate", true) }, options);
  const calls = createCallFaults();
  const gateway = createGateway(world, token, calls);
  const server = await serve(world, token, calls, gateway.upgrade);
  const people = createPeople(world);
  const interacting = createInteracting(world);
  const places = createPlaces(world);
  const ada = places.person("Ada");
  const guildId = places.newGuildWithChannel("Penguins");
  const waitFor: Discord["waitFor"] = (probe, timeoutMs) => waitUntil(world.onChange, probe, timeoutMs);

  const see = (record: MessageRecord): SeenMessage => seeMessage(world, record);
  const seeAll = (channelId: string) =>
    (world.channels.get(channelId)?.messages ?? []).filter((one) => one.onlyFor === undefined);
  const interaction = (record: InteractionRecord) => seeInteraction(world, record);
  const idOf = (message: SeenMessage | string) => (typeof message === "string" ? message : message.id);
  const close = async () => {
    gateway.close();
    await server.close();
  };

  return {
    url: `${world.origin}/api`,
    token,
    botId,
    applicationId: world.applicationId,
    guildId,
    general: places.channel("general", guildId),
    ada,
    person: places.person,
    otherBot: places.otherBot,
    mention: (userId = botId) => `<@${userId}>`,
    mentionOwnRole: () => `<@&${known(world.guilds, guildId, "guild").botRoleId}>`,
    channel: (name = "general", guild = guildId) => places.channel(name, guild),
    forum: (name = "forum", guild = guildId) => places.forum(name, guild),
    dm: (userId) => dmWith(world, known(world.users, userId, "user").id).id,
    addToGuild: places.addToGuild,
    removeFromGuild: places.removeFromGuild,
    forbid: (channelId, ...names) => places.permit(channelId, names, false),
    allow: (channelId, ...names) => places.permit(channelId, names, true),
    deleteChannel: places.deleteChannel,

    say: (...given) => see(people.say(...given)),
    edit: people.edit,
    embedUpdate: people.embedUpdate,
    deleteMessage: (messageId) => people.deleteMessages([messageId], false),
    deleteMessages: (messageIds) => people.deleteMessages(messageIds, true),
    forward: (...given) => see(people.forward(...given)),
    startThread: people.startThread,
    startLooseThread: people.startLooseThread,
    forumPost: people.forumPost,
    archiveThread: people.archiveThread,
    press: (userId, message, label) => interaction(interacting.press(userId, idOf(message), label)),
    select: (userId, message, label) => interaction(interacting.select(userId, idOf(message), label)),
    submit: (...given) => interaction(interacting.submit(...given)),
    command: (...given) => interaction(interacting.command(...given)),
    contextMenu: (...given) => interaction(interacting.contextMenu(...given)),
    autocomplete: async (...given): Promise<readonly Choice[]> => {
      const record = interacting.autocomplete(...given);
      return await waitFor(() => record.choices, 3000);
    },

    messages: (channelId) => seeAll(channelId).map(see),
    message: (messageId) => {
      const record = world.messages.get(messageId);
      return record && see(record);
    },
    thread: (messageId) => seeThread(world, world.channels.get(messageId)),
    ephemerals: (userId) => [...world.messages.values()].filter((one) => one.onlyFor === userId).map(see),
    modal: (userId) => {
      const open = world.modals.get(userId);
      return open && seeModal(open.data);
    },
    typing: (channelId) => world.channels.get(channelId)?.typing ?? 0,
    interactions: () => [...world.interactions.values()].map(interaction),
    commands: () => seeCommands(world),
    commandWrites: () => world.commandWrites,
    webhooks: (channelId) =>
      webhooksOf(world, channelId).map(({ webhook, ours }) => ({ id: webhook.id, name: webhook.name, ours })),
    addWebhooks: (channelId, count) => {
      const channel = known(world.channels, channelId, "channel");
      for (let at = 1; at <= count; at += 1) addWebhook(world, channel, `Hook ${at}`, false);
    },
    deleteWebhooks: (channelId) => {
      for (const { webhook } of webhooksOf(world, channelId)) world.webhooks.delete(webhook.id);
      world.changed();
    },
    calls: (route) => server.calls.filter((call) => route === undefined || call.route === route),
    gateway: gateway.seen,
    deliver: (type, data) => world.dispatch({ type, data }),
    passTime: world.passTime,

    waitFor,
    waitForMessage: (channelId, test, timeoutMs) => {
      const probe = () =>
        (world.channels.get(channelId)?.messages ?? [])
          .filter((one) => one.fromUs && one.onlyFor === undefined)
          .map(see)
          .find(test);
      return waitFor(Object.assign(probe, { toString: () => `${test} in channel ${channelId}` }), timeoutMs);
    },
    faults: {
      ...calls.api,
      ...gateway.faults,
      refuseConnections: async () => {
        gateway.faults.dropGateway();
        await server.close();
      },
      acceptConnections: server.open,
      threadRace: (messageId) => void world.races.add(messageId),
      clear: () => {
        calls.clear();
        gateway.faults.clear();
        world.races.clear();
      },
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
