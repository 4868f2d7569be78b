import type { InlineKeyboardMarkup, Message } from "@grammyjs/types";
import type { RequestBody } from "./body.ts";
import { badRequest } from "./failure.ts";
import { sendDocument, sendMediaGroup, sendPhoto } from "./files.ts";
import { type Fields, formatted, newBotMessage, readKeyboard, readText, topicOf, writableChat } from "./sending.ts";
import { type ChatRecord, type MessageRecord, publicUser, type World } from "./world.ts";

export type Method = (world: World, fields: Fields, files: RequestBody["files"]) => unknown;

/** What this stand-in speaks of the Bot API, by lower-case name (methods are case-insensitive). `getUpdates` lives in polling.ts. */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries({
    getMe: (world: World) => world.bot,
    deleteWebhook: () => true,
    logOut: () => true,
    close: () => true,
    setMyCommands,
    getMyCommands: (world: World, fields: Fields) => world.commands.get(JSON.stringify(fields.scope ?? null)) ?? [],
    deleteMyCommands: (world: World, fields: Fields) =>
      world.commands.delete(JSON.stringify(fields.scope ?? null)) || true,
    getChat: (world: World, fields: Fields) => world.chat(fields.chat_id).chat,
    sendMessage,
    sendRichMessage,
    sendMessageDraft,
    sendRichMessageDraft: sendMessageDraft,
    editMessageText,
    editMessageReplyMarkup,
    deleteMessage,
    answerCallbackQuery,
    sendChatAction,
    setMessageReaction,
    sendDocument,
    sendPhoto,
    sendMediaGroup,
    getFile,
    createForumTopic,
    editForumTopic,
  }).map(([name, method]) => [name.toLowerCase(), method]),
);

function setMyCommands(world: World, fields: Fields): true {
  const commands = fields.commands as { command: string; description: string }[];
  if (commands.length > 100) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  for (const { command, description } of commands) {
    if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
    if (description.length < 1 || description.length > 256) throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
  }
  world.commands.set(JSON.stringify(fields.scope ?? null), commands);
  return true;
}

function sendMessage(world: World, fields: Fields): Message {
  const { text, entities, source } = readText(fields, "text");
  const { record, message, silent } = newBotMessage(world, fields);
  const sent: Message = { ...message, text, ...(entities.length > 0 ? { entities } : {}) };
  return world.put(record, sent, { source, silent }).message;
}

function sendRichMessage(world: World, fields: Fields): Message {
  const rich = fields.rich_message as { markdown?: string; html?: string } | undefined;
  const source = rich?.markdown ?? rich?.html ?? "";
  if (source.trim() === "") throw badRequest("message text is empty");
  if (source.length > 32_768) throw badRequest("message is too long");
  const { record, message, silent } = newBotMessage(world, fields);
  return world.put(record, { ...message, rich_message: { blocks: [] } }, { source, silent }).message;
}

function sendMessageDraft(world: World, fields: Fields): true {
  const record = writableChat(world, fields);
  if (record.chat.type !== "private") throw badRequest("TEXTDRAFT_PEER_INVALID");
  const thread = topicOf(record, fields);
  if (typeof fields.draft_id !== "number" || fields.draft_id === 0) throw badRequest("RANDOM_ID_INVALID");
  const rich = fields.rich_message as { markdown?: string } | undefined;
  const source = typeof fields.text === "string" ? fields.text : (rich?.markdown ?? "");
  const { text } = formatted(fields, source);
  if (text.length > 4096) throw badRequest("message is too long");
  const draft = { draftId: fields.draft_id, text, thread, canStop: fields.can_stop === true };
  record.drafts.push(draft);
  record.lastDraft = draft;
  world.changed(record.chat.id);
  return true;
}

const notModified =
  "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

function editMessageText(world: World, fields: Fields): Message {
  const { text, entities, source } = readText(fields, "text");
  const { record, stored } = ownMessage(world, fields);
  const keyboard = readKeyboard(fields);
  const { entities: oldEntities, text: oldText, reply_markup: oldKeyboard, ...rest } = stored.message;
  if (oldText === undefined) throw badRequest("there is no text in the message to edit");
  const before = JSON.stringify([oldText, oldEntities ?? [], oldKeyboard ?? null]);
  if (before === JSON.stringify([text, entities, keyboard ?? null])) throw badRequest(notModified);
  stored.earlier.push(oldText);
  stored.source = source;
  stored.message = {
    ...rest,
    text,
    edit_date: world.now(),
    ...(entities.length > 0 ? { entities } : {}),
    ...(keyboard ? { reply_markup: keyboard } : {}),
  };
  world.changed(record.chat.id);
  return stored.message;
}

function editMessageReplyMarkup(world: World, fields: Fields): Message {
  const { record, stored } = ownMessage(world, fields);
  const keyboard: InlineKeyboardMarkup | undefined = readKeyboard(fields);
  const { reply_markup: old, ...rest } = stored.message;
  if (JSON.stringify(old ?? null) === JSON.stringify(keyboard ?? null)) throw badRequest(notModified);
  stored.message = { ...rest, edit_date: world.now(), ...(keyboard ? { reply_markup: keyboard } : {}) };
  world.changed(record.chat.id);
  return stored.message;
}

/** A message of the bot; of others it can change nothing. */
function ownMessage(world: World, fields: Fields): { record: ChatRecord; stored: MessageRecord } {
  const record = writableChat(world, fields);
  const stored = record.messages.get(Number(fields.message_id));
  if (!stored) throw badRequest("message to edit not found");
  if (stored.message.from?.id !== world.bot.id) throw badRequest("message can't be edited");
  return { record, stored };
}

function deleteMessage(world: World, fields: Fields): true {
  const record = writableChat(world, fields);
  const stored = record.messages.get(Number(fields.message_id));
  if (!stored) throw badRequest("message to delete not found");
  const own = stored.message.from?.id === world.bot.id;
  if (!own && record.chat.type !== "private" && record.bot !== "administrator") {
    throw badRequest("message can't be deleted");
  }
  record.messages.delete(stored.message.message_id);
  record.deleted.push(stored);
  world.changed(record.chat.id);
  return true;
}

function answerCallbackQuery(world: World, fields: Fields): true {
  const query = world.callbacks.get(String(fields.callback_query_id));
  if (!query || query.answered) {
    throw badRequest("query is too old and response timeout expired or query ID is invalid");
  }
  const text = typeof fields.text === "string" ? fields.text : undefined;
  if (text !== undefined && text.length > 200) throw badRequest("MESSAGE_TOO_LONG");
  query.answered = true;
  query.text = text;
  query.alert = fields.show_alert === true;
  world.changed();
  return true;
}

function sendChatAction(world: World, fields: Fields): true {
  const record = writableChat(world, fields);
  const thread = topicOf(record, fields);
  record.actions.push({ action: String(fields.action), thread });
  world.changed(record.chat.id);
  return true;
}

/** Of the reactions a bot may set: those that are used here, and the common ones. */
const reactions = new Set("👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🙏 👌 🕊 💯 ⚡ 💔 👀 🫡 ✍ 🤝 👨‍💻".split(" "));

function setMessageReaction(world: World, fields: Fields): true {
  const record = writableChat(world, fields);
  const stored = record.messages.get(Number(fields.message_id));
  if (!stored) throw badRequest("message to react not found");
  const wanted = (fields.reaction ?? []) as { type: string; emoji?: string }[];
  if (wanted.length > 1) throw badRequest("REACTIONS_TOO_MANY");
  const emoji = wanted.map((reaction) => reaction.emoji ?? "");
  if (emoji.some((one) => !reactions.has(one))) throw badRequest("REACTION_INVALID");
  stored.reactions = emoji;
  world.changed(record.chat.id);
  return true;
}

const downloadLimit = 20 * 1024 * 1024;

function getFile(world: World, fields: Fields): unknown {
  const file = world.files.get(String(fields.file_id));
  if (!file) throw badRequest("wrong file_id or the file is temporarily unavailable");
  if (file.size > downloadLimit) throw badRequest("file is too big");
  return { file_id: file.id, file_unique_id: `u-${file.id}`, file_size: file.size, file_path: `files/${file.id}` };
}

function createForumTopic(world: World, fields: Fields): unknown {
  const record = writableChat(world, fields);
  const topics = record.chat.type === "private" ? world.bot.has_topics_enabled : record.chat.is_forum === true;
  if (!topics) throw badRequest("the chat is not a forum");
  if (record.chat.type !== "private" && record.bot !== "administrator") {
    throw badRequest("not enough rights to create a topic");
  }
  const name = topicName(fields);
  const thread = world.nextMessageId(record);
  record.topics.set(thread, { name, closed: false });
  world.put(record, {
    message_id: thread,
    from: publicUser(world.bot),
    chat: record.chat,
    date: world.now(),
    message_thread_id: thread,
    is_topic_message: true,
    forum_topic_created: { name, icon_color: 0x6fb9f0 },
  });
  return { message_thread_id: thread, name, icon_color: 0x6fb9f0 };
}

function editForumTopic(world: World, fields: Fields): true {
  const record = writableChat(world, fields);
  const topic = record.topics.get(Number(fields.message_thread_id));
  if (!topic) throw badRequest("TOPIC_ID_INVALID");
  const name = topicName(fields);
  if (topic.name === name) throw badRequest("TOPIC_NOT_MODIFIED");
  record.topics.set(Number(fields.message_thread_id), { ...topic, name });
  world.changed(record.chat.id);
  return true;
}

function topicName(fields: Fields): string {
  const name = String(fields.name ?? "");
  if (name === "" || name.length > 128) throw badRequest("TOPIC_TITLE_INVALID");
  return name;
}
