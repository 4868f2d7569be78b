import { EmbedType, MessageFlags, MessageReferenceType, MessageType } from "discord-api-types/v10";
import { reference } from "./channel-routes.ts";
import { describeFile, keepFile } from "./files.ts";
import { allowedForPeople, findMentions } from "./mentions.ts";
import { changeMessage, putMessage, removeMessages } from "./messages.ts";
import { snapshotsOf } from "./snapshots.ts";
import { looseThread, threadFrom } from "./thread-making.ts";
import { changeThread } from "./threads.ts";
import type { SayOptions } from "./types.ts";
import { type ChannelRecord, known, type MessageRecord, type World } from "./world.ts";

const nobody = { users: [], roles: [], everyone: false, pings: [] };

/** What people (and other bots) do with messages and threads. Nothing here waits for our bot. */
export function createPeople(world: World) {
  const channelFor = (userId: string, id: string): ChannelRecord => {
    const channel = known(world.channels, id, "channel");
    if (channel.kind === "forum") throw new Error("people write in the posts of a forum, not in the forum");
    if (channel.kind === "dm" && channel.recipientId !== userId) throw new Error("these are somebody else's messages");
    if (channel.thread?.locked) throw new Error("this thread is locked");
    return channel;
  };
  const put = (userId: string, channel: ChannelRecord, text: string, options: SayOptions, id?: string) => {
    const author = known(world.users, userId, "user");
    if (text.length > 2000) throw new Error("people cannot write more than 2,000 characters either");
    const target = options.replyTo === undefined ? undefined : known(world.messages, options.replyTo, "message");
    const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
    const allowed = allowedForPeople(options.replyPings ?? true);
    const attachments = (options.files ?? []).map((file) => ({
      ...describeFile(world, channel.id, keepFile(world, file)),
      ...(options.voice ? { duration_secs: 3.2, waveform: "AAAA" } : {}),
    }));
    const fields = {
      ...(id === undefined ? {} : { id }),
      content: text.trim(),
      attachments,
      ...(options.voice ? { flags: MessageFlags.IsVoiceMessage } : {}),
      ...(target
        ? { type: MessageType.Reply, message_reference: reference(target, MessageReferenceType.Default) }
        : {}),
    };
    const mentions = findMentions(world, guild, text, target?.message.author, allowed);
    return putMessage(world, { channel, author, mentions, fields });
  };
  const own = (userId: string, messageId: string): MessageRecord => {
    const record = known(world.messages, messageId, "message");
    if (record.message.author.id !== userId) throw new Error("people edit only their own messages");
    return record;
  };

  return {
    say: (userId: string, channelId: string, text: string, options: SayOptions = {}): MessageRecord =>
      put(userId, channelFor(userId, channelId), text, options),
    edit: (userId: string, messageId: string, text: string): void => {
      const record = own(userId, messageId);
      const guild = record.channel.guildId === undefined ? undefined : world.guilds.get(record.channel.guildId);
      const { users, roles, everyone } = findMentions(world, guild, text, undefined, allowedForPeople(false));
      const mentions = { mentions: [...users], mention_roles: [...roles], mention_everyone: everyone };
      changeMessage(world, record, { content: text, ...mentions }, true);
    },
    embedUpdate: (messageId: string): void => {
      const record = known(world.messages, messageId, "message");
      const embed = { type: EmbedType.Link, url: "https://example.com", title: "Example Domain" };
      changeMessage(world, record, { embeds: [...record.message.embeds, embed] }, false);
    },
    deleteMessages: (messageIds: readonly string[], bulk: boolean): void => {
      const records = messageIds.map((id) => known(world.messages, id, "message"));
      removeMessages(world, records, bulk);
    },
    forward: (userId: string, messageId: string, channelId: string): MessageRecord => {
      const target = known(world.messages, messageId, "message");
      const author = known(world.users, userId, "user");
      const fields = { message_reference: reference(target, MessageReferenceType.Forward), ...snapshotsOf(target) };
      return putMessage(world, { channel: channelFor(userId, channelId), author, mentions: nobody, fields });
    },
    startThread: (userId: string, messageId: string, name = "Thread"): string => {
      const starter = known(world.messages, messageId, "message");
      if (world.channels.has(messageId)) throw new Error("this message has a thread");
      if (starter.channel.kind !== "text") throw new Error("threads hang on messages of text channels only");
      return threadFrom(world, starter, { parent: starter.channel, name, by: userId }).id;
    },
    startLooseThread: (userId: string, channelId: string, name = "Thread"): string => {
      const parent = known(world.channels, channelId, "channel");
      if (parent.kind !== "text") throw new Error("a thread belongs to a text channel");
      return looseThread(world, { parent, name, by: userId }).id;
    },
    forumPost: (userId: string, forumId: string, title: string, text: string, options: SayOptions = {}): string => {
      const parent = known(world.channels, forumId, "channel");
      if (parent.kind !== "forum") throw new Error("posts belong to a forum");
      const thread = looseThread(world, { parent, name: title, by: userId });
      put(userId, thread, text, options, thread.id);
      return thread.id;
    },
    archiveThread: (threadId: string, { locked }: { readonly locked?: boolean } = {}): void => {
      const thread = known(world.channels, threadId, "thread");
      changeThread(world, thread, { archived: true, ...(locked === undefined ? {} : { locked }) });
    },
  };
}
