import { pingsInBlocks } from "./flatten.ts";
import { channelType, mentionEvent, messageBody, messageEvent } from "./payload.ts";
import { pingsIn } from "./text.ts";
import type { ChannelRecord, MessageRecord, World } from "./world.ts";

const historyScope = { channel: "channels:history", group: "groups:history", im: "im:history", mpim: "mpim:history" };
const readScope = { channel: "channels:read", group: "groups:read", im: "im:read", mpim: "mpim:read" };

/** True where the app is told about messages: it is a member and may read there. */
function hears(world: World, channel: ChannelRecord): boolean {
  return channel.members.has(world.bot.id) && world.scopes.has(historyScope[channel.kind]);
}

/** Whom a message notifies. */
export function pingsOf(record: MessageRecord): string[] {
  return [...new Set([...pingsIn(record.text, record.linksNames), ...pingsInBlocks(record.blocks)])];
}

/** A new message: `message`, and `app_mention` where the bot is mentioned; each with an event id of its own. */
export function announce(
  world: World,
  channel: ChannelRecord,
  record: MessageRecord,
  first: "message" | "app_mention" = "message",
): void {
  world.changed();
  const tellMessage = () => {
    if (hears(world, channel)) world.send(messageEvent(world, channel, record));
  };
  if (first === "message") tellMessage();
  announceMention(world, channel, record);
  if (first === "app_mention") tellMessage();
}

function announceMention(world: World, channel: ChannelRecord, record: MessageRecord): void {
  const wanted = channel.kind !== "im" && channel.members.has(world.bot.id) && world.scopes.has("app_mentions:read");
  if (!wanted || record.user === world.bot.id || !pingsOf(record).includes(world.bot.id)) return;
  world.send({ ...mentionEvent(world, channel, record) });
}

/** Runs a change and tells the app of it, with what the message was before. */
export function announceChange(world: World, record: MessageRecord, change: () => void): void {
  const channel = world.channels.get(record.channel);
  const previous = messageBody(world, record);
  const mentioned = pingsOf(record).includes(world.bot.id);
  change();
  world.changed();
  if (channel === undefined) return;
  if (hears(world, channel)) {
    const ts = world.nextTs();
    world.send({
      type: "message",
      subtype: "message_changed",
      message: { ...messageBody(world, record), source_team: world.team.id, user_team: world.team.id },
      previous_message: previous,
      channel: channel.id,
      hidden: true,
      ts,
      event_ts: ts,
      channel_type: channelType(channel),
    });
  }
  if (!mentioned && record.edited !== undefined) announceMention(world, channel, record);
}

/** A message is gone. A root with replies stays as a tombstone, which Slack tells as a change. */
export function announceDeletion(world: World, channel: ChannelRecord, record: MessageRecord): void {
  const previous_message = messageBody(world, record);
  channel.messages.delete(record.ts);
  channel.deleted.push(record);
  world.changed();
  if (!hears(world, channel)) return;
  const ts = world.nextTs();
  const about = {
    type: "message",
    channel: channel.id,
    hidden: true,
    ts,
    event_ts: ts,
    channel_type: channelType(channel),
  };
  if ((previous_message.reply_count ?? 0) === 0) {
    world.send({ ...about, subtype: "message_deleted", deleted_ts: record.ts, previous_message });
    return;
  }
  const message = {
    type: "message",
    subtype: "tombstone",
    user: "USLACKBOT",
    text: "This message was deleted.",
    hidden: true,
    ts: record.ts,
    thread_ts: record.ts,
    reply_count: previous_message.reply_count,
  };
  world.send({ ...about, subtype: "message_changed", message, previous_message });
}

/** Somebody comes into a channel or leaves it. */
export function announceMember(
  world: World,
  channel: ChannelRecord,
  type: "member_joined_channel" | "member_left_channel",
  user: string,
  inviter?: string,
): void {
  world.changed();
  if (!channel.members.has(world.bot.id) && user !== world.bot.id) return;
  if (!world.scopes.has(readScope[channel.kind])) return;
  world.send({
    type,
    user,
    channel: channel.id,
    channel_type: channel.kind === "channel" ? "C" : "G",
    team: world.team.id,
    ...(inviter === undefined ? {} : { inviter }),
    event_ts: world.nextTs(),
  });
}

/** What the app hears about a channel as a whole: that it was taken out of it, or that it was archived. */
export function announceChannel(world: World, channel: ChannelRecord, what: "left" | "archive", by: string): void {
  world.changed();
  if (!world.scopes.has(readScope[channel.kind])) return;
  const kind = channel.kind === "channel" ? "channel" : "group";
  const actor = what === "left" ? { actor_id: by } : { user: by };
  world.send({ type: `${kind}_${what}`, channel: channel.id, ...actor, event_ts: world.nextTs() });
}

export function readScopeOf(channel: ChannelRecord): string {
  return readScope[channel.kind];
}

export function historyScopeOf(channel: ChannelRecord): string {
  return historyScope[channel.kind];
}
