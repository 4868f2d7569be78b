import type { APIThreadMember } from "discord-api-types/v10";
import { botPermissions, canView, describeChannel, noFlags } from "./channels.ts";
import type { ChannelRecord, ThreadRecord, World } from "./world.ts";

export const newMember = (world: World, id: string, user_id: string): APIThreadMember => ({
  id,
  user_id,
  join_timestamp: world.isoNow(),
  flags: noFlags,
});

/** Whoever writes in a thread joins it and takes it out of the archive. */
export function touchThread(world: World, channel: ChannelRecord, userId: string): void {
  const { thread } = channel;
  if (!thread) return;
  thread.sent += 1;
  if (world.users.has(userId)) joinThread(world, channel, userId);
  if (thread.archived && !thread.locked) changeThread(world, channel, { archived: false });
}

export function joinThread(world: World, channel: ChannelRecord, userId: string): void {
  const { thread } = channel;
  if (!thread || thread.members.has(userId)) return;
  const member = newMember(world, channel.id, userId);
  thread.members.set(userId, member);
  const place = { id: channel.id, guild_id: channel.guildId };
  const data = { ...place, member_count: thread.members.size, added_members: [member] };
  world.dispatch({ type: "THREAD_MEMBERS_UPDATE", data, channel });
}

export function changeThread(
  world: World,
  channel: ChannelRecord,
  change: Partial<Pick<ThreadRecord, "archived" | "locked" | "autoArchiveMinutes">> & { readonly name?: string },
): void {
  const { name, ...rest } = change;
  if (name !== undefined) channel.name = name;
  if (channel.thread) {
    if (rest.archived !== undefined && rest.archived !== channel.thread.archived) {
      channel.thread.archivedAt = world.isoNow();
    }
    Object.assign(channel.thread, rest);
  }
  const type = channel.thread ? "THREAD_UPDATE" : "CHANNEL_UPDATE";
  world.dispatch({ type, data: describeChannel(world, channel), channel });
}

/** Threads as lists of them go out: those the bot may see, and where it is a member. */
export function threadList(world: World, threads: readonly ChannelRecord[]) {
  const seen = threads.filter((one) => canView(botPermissions(world, one)));
  return {
    threads: seen.map((one) => describeChannel(world, one)),
    members: seen.flatMap((one) => one.thread?.members.get(world.bot.id) ?? []),
    has_more: false,
  };
}
