import type { AnyBlock, MessageAttachment, MessageMetadata } from "@slack/types";
import { readBlocksField } from "./blocks.ts";
import { announce, announceChange, announceDeletion } from "./events.ts";
import { ApiFailure, refusal } from "./failure.ts";
import { type Fields, flagField, nestedField, requiredField, textField } from "./fields.ts";
import { shownText } from "./flatten.ts";
import { botProfile, keptBlocks, messageBody, permalinkOf } from "./payload.ts";
import { richText } from "./text.ts";
import { type ChannelRecord, imOf, type MessageRecord, putMessage, type World } from "./world.ts";

const limits = { text: 40_000, updateText: 4000, markdown: 12_000, metadataBytes: 16_384, attachments: 100 };

export interface Content {
  readonly text: string;
  readonly blocks: readonly AnyBlock[];
  readonly attachments: readonly MessageAttachment[];
}

/** What a message says, in whichever of Slack's ways; undefined where an argument was not given. */
export function readContent(world: World, fields: Fields, mostText: number = limits.text): Partial<Content> {
  const markdown = textField(fields, "markdown_text");
  const text = textField(fields, "text");
  const blocks = readBlocksField(fields);
  const attachments = nestedField(fields, "attachments", "invalid_attachments") as MessageAttachment[] | undefined;
  if (markdown !== undefined && (text !== undefined || blocks !== undefined))
    throw new ApiFailure("markdown_text_conflict");
  if ((attachments?.length ?? 0) > limits.attachments) throw new ApiFailure("too_many_attachments");
  if (markdown !== undefined) {
    if (markdown.length > limits.markdown) throw new ApiFailure("msg_too_long");
    if (markdown.trim() === "") throw new ApiFailure("no_text");
    return { text: markdown, blocks: keptBlocks(world, [{ type: "markdown", text: markdown } as AnyBlock]) };
  }
  if (text !== undefined && text.length > mostText) throw new ApiFailure("msg_too_long");
  return {
    ...(text === undefined ? {} : { text }),
    ...(blocks === undefined ? {} : { blocks: keptBlocks(world, blocks) }),
    ...(attachments === undefined ? {} : { attachments }),
  };
}

/** A message with nothing to show is refused; mere text gets the rich text Slack makes of it. */
export function wholeContent(world: World, content: Partial<Content>): Content {
  const { text = "", blocks = [], attachments = [] } = content;
  if (text.trim() === "" && blocks.length === 0 && attachments.length === 0) throw new ApiFailure("no_text");
  const shown = blocks.length > 0 || text === "" ? blocks : [richText(text, world.nextId("b").slice(-5))];
  return { text, blocks: shown, attachments };
}

/** Where a call may write: the bot is a member, the channel is alive. A user's id stands for their conversation. */
export function writableChannel(world: World, given: string): ChannelRecord {
  if (world.users.has(given) && given !== world.bot.id) return imOf(world, given);
  const named = [...world.channels.values()].find((one) => one.name !== "" && given.replace(/^#/, "") === one.name);
  const channel = named ?? world.channel(given);
  if (!channel.members.has(world.bot.id)) {
    throw new ApiFailure(channel.kind === "channel" ? "not_in_channel" : "channel_not_found");
  }
  if (channel.archived) throw new ApiFailure("is_archived");
  return channel;
}

export function findMessage(channel: ChannelRecord, ts: string): MessageRecord {
  const message = channel.messages.get(ts);
  if (!message) throw new ApiFailure("message_not_found");
  return message;
}

/** A name and a picture of its own; without the scope they are ignored, silently. */
export function readAuthor(world: World, fields: Fields) {
  const username = textField(fields, "username");
  const emoji = textField(fields, "icon_emoji");
  const picture = textField(fields, "icon_url");
  const customised = username !== undefined || emoji !== undefined || picture !== undefined;
  const author = { user: world.bot.id, botId: world.bot.botId };
  if (!customised || !world.scopes.has("chat:write.customize")) return author;
  if (username !== undefined && username.length > 80)
    throw refusal("invalid_arguments", "[ERROR] username is too long");
  return {
    ...author,
    subtype: "bot_message",
    username: username ?? world.bot.realName,
    icon: emoji !== undefined ? { emoji } : picture !== undefined ? { image_64: picture } : undefined,
  };
}

function readMetadata(fields: Fields): MessageMetadata | undefined {
  const metadata = nestedField(fields, "metadata", "invalid_metadata_format") as Partial<MessageMetadata> | undefined;
  if (metadata === undefined || Object.keys(metadata).length === 0) return undefined;
  if (typeof metadata.event_type !== "string" || typeof metadata.event_payload !== "object") {
    throw new ApiFailure("invalid_metadata_format");
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > limits.metadataBytes) throw new ApiFailure("metadata_too_large");
  return metadata as MessageMetadata;
}

export function readThread(fields: Fields): string | undefined {
  const thread = textField(fields, "thread_ts");
  if (thread === undefined || thread === "") return undefined;
  if (!/^\d{10}\.\d{6}$/.test(thread)) throw new ApiFailure("invalid_thread_ts");
  return thread;
}

export function postMessage(world: World, given: Fields) {
  const { fields, warning } = truncated(given);
  const channel = writableChannel(world, requiredField(fields, "channel"));
  const threadTs = readThread(fields);
  const broadcast = flagField(fields, "reply_broadcast") && threadTs !== undefined;
  const record = putMessage(world, channel, {
    ...wholeContent(world, readContent(world, fields)),
    ...readAuthor(world, fields),
    metadata: readMetadata(fields),
    linksNames: flagField(fields, "link_names") || textField(fields, "parse") === "full",
    threadTs,
    broadcast,
  });
  clearStatus(channel, threadTs);
  announce(world, channel, record);
  return { channel: channel.id, ts: record.ts, message: messageBody(world, record), ...warning };
}

/** What is too long to be posted is cut, with no more than a warning. */
function truncated(fields: Fields): { fields: Fields; warning: object } {
  const text = textField(fields, "text") ?? "";
  if (text.length <= limits.text) return { fields, warning: {} };
  const messages = [
    "[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.",
  ];
  return {
    fields: { ...fields, text: text.slice(0, limits.text) },
    warning: { warning: "message_truncated", response_metadata: { messages, warnings: ["message_truncated"] } },
  };
}

/** A status line goes away with the app's next message in its thread. */
export function clearStatus(channel: ChannelRecord, threadTs: string | undefined): void {
  const status = channel.statuses.get(threadTs ?? "");
  if (status) status.now = undefined;
}

export function updateMessage(world: World, fields: Fields) {
  const channel = writableChannel(world, requiredField(fields, "channel"));
  const record = findMessage(channel, requiredField(fields, "ts"));
  if (record.botId !== world.bot.botId) throw new ApiFailure("cant_update_message");
  if (record.stream?.state === "in_progress") throw new ApiFailure("streaming_state_conflict");
  const given = readContent(world, fields, limits.updateText);
  const metadata = "metadata" in fields ? readMetadata(fields) : record.metadata;
  // A text without blocks replaces them; only where neither was given, they stay.
  const blocks = given.blocks ?? (given.text === undefined ? record.blocks : []);
  const attachments = given.attachments ?? record.attachments;
  const content = wholeContent(world, { text: given.text ?? (given.blocks ? "" : record.text), blocks, attachments });
  announceChange(world, record, () => {
    record.earlier.push(shownText(world, record));
    Object.assign(record, content, { metadata });
    // People are shown "(edited)" only where there are no blocks.
    if (blocks.length === 0) record.edited = { user: world.bot.id, ts: world.nextTs() };
  });
  return { channel: channel.id, ts: record.ts, text: record.text, message: messageBody(world, record) };
}

export function deleteMessage(world: World, fields: Fields) {
  const channel = writableChannel(world, requiredField(fields, "channel"));
  const record = findMessage(channel, requiredField(fields, "ts"));
  if (record.botId !== world.bot.botId) throw new ApiFailure("cant_delete_message");
  announceDeletion(world, channel, record);
  return { channel: channel.id, ts: record.ts };
}

export function postEphemeral(world: World, fields: Fields) {
  const channel = writableChannel(world, requiredField(fields, "channel"));
  const user = requiredField(fields, "user");
  if (!channel.members.has(user)) throw new ApiFailure("user_not_in_channel");
  const record = putMessage(world, channel, {
    ...wholeContent(world, readContent(world, fields)),
    ...readAuthor(world, fields),
    threadTs: readThread(fields),
    to: user,
  });
  world.changed();
  return { message_ts: record.ts };
}

export function getPermalink(world: World, fields: Fields) {
  const channel = world.channel(requiredField(fields, "channel"));
  const record = findMessage(channel, requiredField(fields, "message_ts"));
  return { channel: channel.id, permalink: permalinkOf(world, record) };
}

export function botsInfo(world: World, fields: Fields) {
  const bot = textField(fields, "bot") ?? world.bot.botId;
  const user = [...world.users.values()].find((one) => one.botId === bot);
  if (!user) throw new ApiFailure("bot_not_found");
  const own = user.id === world.bot.id;
  const { id, name, icons, updated, deleted } = botProfile(world);
  return {
    bot: own
      ? { id, deleted, name, updated, app_id: world.appId, user_id: user.id, icons }
      : { id: bot, deleted, name: user.realName, updated, app_id: "A0OTHER", user_id: user.id, icons },
  };
}
