import { MessageFlags, MessageType } from "discord-api-types/v10";
import { addChannel, describeChannel } from "./channels.ts";
import { changeMessage, putMessage } from "./messages.ts";
import { newMember } from "./threads.ts";
import type { ChannelRecord, MessageRecord, ThreadRecord, World } from "./world.ts";

export interface NewThread {
  readonly parent: ChannelRecord;
  readonly name: string;
  readonly by: string;
  readonly autoArchiveMinutes?: ThreadRecord["autoArchiveMinutes"] | undefined;
  readonly isPrivate?: boolean | undefined;
}

const nobody = { users: [], roles: [], everyone: false, pings: [] };

/** A thread that hangs on a message and has its id. */
export function threadFrom(world: World, starter: MessageRecord, made: NewThread): ChannelRecord {
  const record = newThread(world, starter.message.id, made);
  announce(world, record);
  const flags = (starter.message.flags ?? 0) | MessageFlags.HasThread;
  changeMessage(world, starter, { flags }, false);
  putMessage(world, {
    channel: record,
    author: starter.message.author,
    mentions: nobody,
    fields: {
      type: MessageType.ThreadStarterMessage,
      message_reference: {
        type: 0,
        message_id: starter.message.id,
        channel_id: made.parent.id,
        ...(made.parent.guildId === undefined ? {} : { guild_id: made.parent.guildId }),
      },
    },
  });
  return record;
}

/** A thread that hangs on no message: a forum post, or one made from the channel's menu. */
export function looseThread(world: World, made: NewThread): ChannelRecord {
  const record = newThread(world, world.newId(), made);
  announce(world, record);
  if (made.parent.kind === "text" && !made.isPrivate) {
    const author = world.users.get(made.by) ?? world.bot;
    const fields = {
      type: MessageType.ThreadCreated,
      content: made.name,
      message_reference: { type: 0, channel_id: record.id, guild_id: made.parent.guildId ?? "" },
    };
    putMessage(world, { channel: made.parent, author, mentions: nobody, fields });
  }
  return record;
}

function newThread(world: World, id: string, { parent, name, by, ...more }: NewThread): ChannelRecord {
  const at = world.isoNow();
  const thread: ThreadRecord = {
    parentId: parent.id,
    ownerId: by,
    isPrivate: more.isPrivate ?? false,
    createdAt: at,
    members: new Map(),
    archived: false,
    archivedAt: at,
    locked: false,
    autoArchiveMinutes: more.autoArchiveMinutes ?? 4320,
    sent: 0,
  };
  thread.members.set(by, newMember(world, id, by));
  return addChannel(world, { id, kind: "thread", name, guildId: parent.guildId, thread });
}

function announce(world: World, channel: ChannelRecord): void {
  const data = { ...describeChannel(world, channel), newly_created: true };
  world.dispatch({ type: "THREAD_CREATE", data, channel });
}
