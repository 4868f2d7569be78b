import { PermissionFlagsBits } from "discord-api-types/v10";
import { addChannel, channelsOf, describeChannel } from "./channels.ts";
import { introduceGuild, join, newGuild, newUser } from "./guilds.ts";
import { threadList } from "./threads.ts";
import type { PermissionName } from "./types.ts";
import { type ChannelRecord, type GuildRecord, known, type World } from "./world.ts";

/** Accounts, guilds and channels as people make them. */
export function createPlaces(world: World) {
  const account = (name: string, bot: boolean): string => {
    const user = newUser(world.newId(), name, bot);
    world.users.set(user.id, user);
    for (const guild of world.guilds.values()) join(world, guild, user);
    return user.id;
  };
  const make = (kind: "text" | "forum", name: string, guildId: string): string => {
    const guild = known(world.guilds, guildId, "guild");
    const same = channelsOf(world, guild).find((one) => one.kind === kind && one.name === name);
    if (same) return same.id;
    const channel = addChannel(world, { id: world.newId(), kind, name, guildId });
    world.dispatch({ type: "CHANNEL_CREATE", data: describeChannel(world, channel), channel });
    return channel.id;
  };
  const newGuildWithChannel = (name: string): string => {
    const guild = newGuild(world, world.newId(), name);
    addChannel(world, { id: world.newId(), kind: "text", name: "general", guildId: guild.id });
    return guild.id;
  };
  return {
    newGuildWithChannel,
    person: (name: string) => account(name, false),
    otherBot: (name: string) => account(name, true),
    channel: (name: string, guildId: string) => make("text", name, guildId),
    forum: (name: string, guildId: string) => make("forum", name, guildId),
    addToGuild: (name = "Another place"): string => {
      const id = newGuildWithChannel(name);
      world.dispatch({ type: "GUILD_CREATE", data: introduceGuild(world, known(world.guilds, id, "guild")) });
      return id;
    },
    removeFromGuild: (guildId: string): void => {
      leaveGuild(world, known(world.guilds, guildId, "guild"));
    },
    deleteChannel: (channelId: string): void => {
      const channel = known(world.channels, channelId, "channel");
      const data = describeChannel(world, channel);
      // Its threads go with it, without a word about them.
      const threads = [...world.channels.values()].filter((one) => one.thread?.parentId === channelId);
      for (const gone of [channel, ...threads]) {
        world.channels.delete(gone.id);
        for (const { message } of gone.messages) world.messages.delete(message.id);
      }
      world.dispatch({ type: channel.thread ? "THREAD_DELETE" : "CHANNEL_DELETE", data, channel });
    },
    permit: (channelId: string, names: readonly PermissionName[], allowed: boolean): void => {
      const channel = known(world.channels, channelId, "channel");
      for (const name of names) {
        const bit = PermissionFlagsBits[name];
        channel.denied = allowed ? channel.denied & ~bit : channel.denied | bit;
      }
      world.dispatch({ type: "CHANNEL_UPDATE", data: describeChannel(world, channel), channel });
      if (allowed && names.includes("ViewChannel")) syncThreads(world, channel);
    },
  };
}

/** Removed by a person, or left by itself. */
export function leaveGuild(world: World, guild: GuildRecord): void {
  guild.joined = false;
  world.dispatch({ type: "GUILD_DELETE", data: { id: guild.id } });
}

/** A bot that may look into a channel again is told of the threads there. */
function syncThreads(world: World, parent: ChannelRecord): void {
  const active = [...world.channels.values()].filter(
    (one) => one.thread?.parentId === parent.id && !one.thread.archived,
  );
  const { threads, members } = threadList(world, active);
  const data = { guild_id: parent.guildId, channel_ids: [parent.id], threads, members };
  world.dispatch({ type: "THREAD_LIST_SYNC", data, channel: parent });
}
