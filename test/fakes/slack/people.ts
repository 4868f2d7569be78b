import { randomUUID } from "node:crypto";
import type { AnyBlock } from "@slack/types";
import type { GivenFile, MessageRef, SayOptions } from "./api.ts";
import { announce, announceChange, announceChannel, announceDeletion, announceMember } from "./events.ts";
import { addFile, mimeOf } from "./files.ts";
import { shownText } from "./flatten.ts";
import { channelType } from "./payload.ts";
import { react, unreact } from "./reactions.ts";
import { endStream } from "./streams.ts";
import { escapeTyped, richText } from "./text.ts";
import { type ChannelRecord, imOf, type MessageRecord, putMessage, type World } from "./world.ts";

/** What people do in channels, as the app's events show it. Nothing here waits for the app. */
export function createPeople(world: World) {
  const channelOf = (userId: string, id: string): ChannelRecord => {
    const channel = world.channels.get(id);
    if (!channel) throw new Error(`there is no channel ${id}`);
    if (!channel.members.has(world.user(userId).id)) throw new Error(`${world.user(userId).realName} is not in ${id}`);
    return channel;
  };
  const messageOf = ({ channel, ts }: MessageRef): MessageRecord => {
    const record = world.channels.get(channel)?.messages.get(ts);
    if (!record) throw new Error(`there is no message ${ts} in ${channel}`);
    return record;
  };
  const own = (userId: string, ref: MessageRef): MessageRecord => {
    const record = messageOf(ref);
    if (record.user !== userId) throw new Error(`${world.user(userId).realName} cannot change this message`);
    return record;
  };
  const keepFile = (userId: string, file: GivenFile): string => {
    const bytes = Buffer.from(file.bytes ?? new Uint8Array());
    return addFile(world, {
      name: file.name,
      mime: file.mime ?? mimeOf(file.name),
      size: file.size ?? bytes.length,
      user: userId,
      external: file.external ?? false,
      bytes,
      complete: true,
    }).id;
  };
  const blockId = () => world.nextId("b").slice(-5);

  return {
    say: (userId: string, channelId: string, typed: string, options: SayOptions = {}): MessageRecord => {
      const channel = channelOf(userId, channelId);
      if (channel.archived) throw new Error(`${channelId} is archived`);
      const user = world.user(userId);
      const text = escapeTyped(typed);
      const files = (options.files ?? []).map((file) => keepFile(userId, file));
      const made = text === "" ? [] : [richText(text, blockId())];
      const record = putMessage(world, channel, {
        user: userId,
        botId: user.botId,
        text,
        blocks: options.blocks ?? made,
        files,
        subtype: files.length > 0 ? "file_share" : options.subtype,
        threadTs: options.thread,
        broadcast: options.broadcast === true && options.thread !== undefined,
        clientMsgId: user.botId === undefined ? randomUUID() : undefined,
      });
      announce(world, channel, record, options.first);
      return record;
    },
    edit: (userId: string, ref: MessageRef, typed: string): void => {
      const record = own(userId, ref);
      announceChange(world, record, () => {
        record.earlier.push(shownText(world, record));
        record.text = escapeTyped(typed);
        record.blocks = [richText(record.text, blockId())];
        record.edited = { user: userId, ts: world.nextTs() };
      });
    },
    deleteMessage: (userId: string, ref: MessageRef): void => {
      announceDeletion(world, world.channel(ref.channel), own(userId, ref));
    },
    unfurl: (ref: MessageRef): void => {
      const record = messageOf(ref);
      const link = /https?:\/\/[^\s<>|]+/.exec(record.text)?.[0] ?? "https://example.com/";
      announceChange(world, record, () => {
        record.attachments = [
          ...record.attachments,
          {
            title: "A page",
            title_link: link,
            fallback: "A page",
            text: "What it says",
          },
        ];
      });
    },
    join: (userId: string, channelId: string, inviter?: string): void => {
      const channel = world.channel(channelId);
      const user = world.user(userId);
      if (channel.members.has(user.id)) return;
      channel.members.add(user.id);
      announceMember(world, channel, "member_joined_channel", user.id, inviter);
      service(world, channel, user.id, "channel_join", `<@${user.id}> has joined the channel`, inviter);
    },
    leave: (userId: string, channelId: string): void => {
      const channel = world.channel(channelId);
      if (!channel.members.delete(world.user(userId).id)) return;
      announceMember(world, channel, "member_left_channel", userId);
      service(world, channel, userId, "channel_leave", `<@${userId}> has left the channel`);
    },
    /** Somebody takes the bot out: it is told twice, as a member and as the app. */
    kick: (by: string, channelId: string): void => {
      const channel = world.channel(channelId);
      if (!channel.members.delete(world.bot.id)) throw new Error(`the bot is not in ${channelId}`);
      announceChannel(world, channel, "left", by);
      announceMember(world, channel, "member_left_channel", world.bot.id);
      service(world, channel, world.bot.id, "channel_leave", `<@${world.bot.id}> has left the channel`);
    },
    archive: (userId: string, channelId: string): void => {
      const channel = channelOf(userId, channelId);
      channel.archived = true;
      const type = channel.kind === "group" ? "group_archive" : "channel_archive";
      service(world, channel, userId, type, "archived the channel");
      if (channel.members.has(world.bot.id)) announceChannel(world, channel, "archive", userId);
    },
    react: (userId: string, ref: MessageRef, name: string): void => void react(world, messageOf(ref), userId, name),
    unreact: (userId: string, ref: MessageRef, name: string): void => void unreact(world, messageOf(ref), userId, name),
    stopStream: (userId: string, ref: MessageRef): void => {
      const record = messageOf(ref);
      if (record.stream?.state !== "in_progress") throw new Error("this message is not being streamed");
      endStream(world, record, "person");
      world.send({
        type: "agent_session_stopped",
        channel: record.channel,
        user: userId,
        thread_ts: record.threadTs,
        streaming_message_ts: [record.ts],
        event_ts: world.nextTs(),
      });
    },
    /** Opens the bot's page: its home, or the conversation with it. */
    openApp: (userId: string, tab: "home" | "messages"): void => {
      const channel = imOf(world, userId);
      if (tab === "messages" && !world.agentView) return;
      world.send({ type: "app_home_opened", user: userId, channel: channel.id, tab, event_ts: world.nextTs() });
    },
    messageOf,
    channelOf,
  };
}

/** The line Slack writes itself when something happens to a channel. */
function service(
  world: World,
  channel: ChannelRecord,
  user: string,
  subtype: string,
  text: string,
  inviter?: string,
): void {
  const record = putMessage(world, channel, { user, text, subtype, blocks: [] as AnyBlock[] });
  world.changed();
  if (!channel.members.has(world.bot.id)) return;
  world.send({
    type: "message",
    subtype,
    user,
    text,
    ts: record.ts,
    channel: channel.id,
    ...(inviter === undefined ? {} : { inviter }),
    event_ts: record.ts,
    channel_type: channelType(channel),
  });
}
