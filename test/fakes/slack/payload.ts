import type {
  AnyBlock,
  AppMentionEvent,
  BotMessageEvent,
  FileShareMessageEvent,
  GenericMessageEvent,
} from "@slack/types";
import type { ChannelRecord, FileRecord, MessageRecord, World } from "./world.ts";

type EventFile = NonNullable<FileShareMessageEvent["files"]>[number];
type Said = Omit<GenericMessageEvent, "subtype" | "event_ts" | "channel_type" | "user"> & {
  user?: string;
  subtype?: string;
  app_id?: string;
  username?: string;
  icons?: Record<string, string>;
  hidden?: true;
  metadata?: unknown;
  streaming_state?: BotMessageEvent["streaming_state"];
  reply_count?: number;
  reply_users?: string[];
  reply_users_count?: number;
  latest_reply?: string;
  is_locked?: boolean;
  subscribed?: boolean;
  upload?: boolean;
};

const channelTypes = { channel: "channel", group: "group", im: "im", mpim: "mpim" } as const;

export function channelType(channel: ChannelRecord): GenericMessageEvent["channel_type"] {
  return channelTypes[channel.kind];
}

export function botProfile(world: World): NonNullable<GenericMessageEvent["bot_profile"]> {
  return {
    id: world.bot.botId,
    name: world.bot.realName,
    app_id: world.appId,
    team_id: world.team.id,
    icons: { image_36: "https://a.slack-edge.com/bot_36.png", image_48: "https://a.slack-edge.com/bot_48.png" },
    updated: 1_790_000_000,
    deleted: false,
  };
}

/** A message as the Web API and events show it: no channel, and a root with the count of its replies. */
export function messageBody(world: World, record: MessageRecord): Said & Record<string, unknown> {
  const own = record.botId === world.bot.botId;
  const customised = record.subtype === "bot_message";
  const body: Omit<Said, "channel"> = {
    type: "message",
    ...(record.subtype === undefined ? {} : { subtype: record.subtype }),
    // A customised post has a name instead of a user.
    ...(customised ? {} : { user: record.user }),
    ...(record.username === undefined ? {} : { username: record.username }),
    ...(record.icon === undefined ? {} : { icons: { ...record.icon } }),
    ts: record.ts,
    text: record.text,
    ...(record.clientMsgId === undefined ? {} : { client_msg_id: record.clientMsgId }),
    ...(record.botId === undefined ? {} : { bot_id: record.botId }),
    ...(own ? { app_id: world.appId, ...(customised ? {} : { bot_profile: botProfile(world) }) } : {}),
    team: world.team.id,
    ...(record.blocks.length > 0 ? { blocks: [...record.blocks] as NonNullable<GenericMessageEvent["blocks"]> } : {}),
    ...(record.attachments.length > 0 ? { attachments: [...record.attachments] } : {}),
    ...(record.files.length > 0 ? { files: filesOf(world, record), upload: false } : {}),
    ...(record.edited === undefined ? {} : { edited: record.edited }),
    ...(record.stream === undefined ? {} : { streaming_state: record.stream.state }),
    ...threadOf(world, record),
    ...(record.reactions.size === 0
      ? {}
      : {
          reactions: [...record.reactions].map(([name, users]) => ({ name, users: [...users], count: users.length })),
        }),
  };
  return body as Said & Record<string, unknown>;
}

function threadOf(world: World, record: MessageRecord): Partial<Said> {
  const channel = world.channels.get(record.channel);
  if (record.threadTs !== undefined) {
    const parent = channel?.messages.get(record.threadTs);
    return { thread_ts: record.threadTs, ...(parent ? { parent_user_id: parent.user } : {}) };
  }
  const replies = channel === undefined ? [] : repliesTo(channel, record.ts);
  const last = replies.at(-1);
  if (last === undefined) return {};
  const users = [...new Set(replies.map((reply) => reply.user))];
  return {
    thread_ts: record.ts,
    reply_count: replies.length,
    reply_users: users,
    reply_users_count: users.length,
    latest_reply: last.ts,
    is_locked: false,
    subscribed: false,
  };
}

export function repliesTo(channel: ChannelRecord, threadTs: string): MessageRecord[] {
  return [...channel.messages.values()].filter((message) => message.threadTs === threadTs);
}

function filesOf(world: World, record: MessageRecord): EventFile[] {
  return record.files.flatMap((id) => {
    const file = world.files.get(id);
    return file === undefined ? [] : [fileBody(world, file)];
  });
}

export function fileBody(world: World, file: FileRecord): EventFile & { timestamp: number; file_access: string } {
  const address = `${world.origin}/files-pri/${world.team.id}-${file.id}`;
  const name = encodeURIComponent(file.name);
  const extension = /\.(\w+)$/.exec(file.name)?.[1] ?? "binary";
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mime,
    filetype: extension,
    pretty_type: extension.toUpperCase(),
    user: file.user,
    editable: false,
    size: file.size,
    mode: file.external ? "external" : "hosted",
    is_external: file.external,
    external_type: file.external ? "gdrive" : "",
    is_public: true,
    public_url_shared: false,
    display_as_bot: false,
    username: "",
    url_private: file.external ? `https://drive.example/${file.id}` : `${address}/${name}`,
    ...(file.external ? {} : { url_private_download: `${address}/download/${name}` }),
    permalink: `https://${world.team.domain}.slack.com/files/${file.user}/${file.id}/${name}`,
    channels: [],
    groups: [],
    file_access: "visible",
  };
}

/** The `message` event about a message. */
export function messageEvent(world: World, channel: ChannelRecord, record: MessageRecord) {
  const {
    reply_count: _,
    reply_users: __,
    reply_users_count: ___,
    latest_reply: ____,
    ...body
  } = messageBody(world, record);
  const subtype = record.subtype ?? (record.broadcast ? "thread_broadcast" : undefined);
  const root = record.broadcast && record.threadTs ? channel.messages.get(record.threadTs) : undefined;
  return {
    ...body,
    ...(subtype === undefined ? {} : { subtype }),
    ...(root === undefined ? {} : { root: messageBody(world, root) }),
    channel: channel.id,
    event_ts: record.ts,
    channel_type: channelType(channel),
  };
}

export function mentionEvent(world: World, channel: ChannelRecord, record: MessageRecord): AppMentionEvent {
  const { subtype: _, ...body } = messageEvent(world, channel, record);
  const { channel_type: __, root: ___, ...mention } = body;
  return { ...mention, type: "app_mention", channel: channel.id } as unknown as AppMentionEvent;
}

export function permalinkOf(world: World, record: MessageRecord): string {
  const base = `https://${world.team.domain}.slack.com/archives/${record.channel}/p${record.ts.replace(".", "")}`;
  return record.threadTs === undefined ? base : `${base}?thread_ts=${record.threadTs}&cid=${record.channel}`;
}

/** Blocks as Slack keeps them: each has an id; a Markdown block does not keep its own. */
export function keptBlocks(world: World, blocks: readonly AnyBlock[]): AnyBlock[] {
  return blocks.map((block) => {
    const given = block.type === "markdown" ? undefined : block.block_id;
    return { ...block, block_id: given ?? world.nextId("b").slice(-5) };
  });
}
