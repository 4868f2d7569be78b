import type { ForceReply, InlineKeyboardMarkup, Message, MessageEntity } from "@grammyjs/types";
import { detectEntities } from "./entities.ts";
import { ApiFailure, badRequest, forbidden } from "./failure.ts";
import { type FormattedText, parseHtml } from "./html.ts";
import { parseMarkdownV2 } from "./markdown-v2.ts";
import type { ChatRecord, World } from "./world.ts";

export type Fields = Readonly<Record<string, unknown>>;

const textLimit = 4096;
const captionLimit = 1024;

/** The chat a bot may write to; otherwise Telegram's refusal. */
export function writableChat(world: World, fields: Fields): ChatRecord {
  const record = world.chat(fields.chat_id);
  if (record.migratedTo !== undefined) {
    const text = "Bad Request: group chat was upgraded to a supergroup chat";
    throw new ApiFailure(400, text, { migrate_to_chat_id: record.migratedTo });
  }
  if (record.bot === "stranger") throw forbidden("bot can't initiate conversation with a user");
  if (record.bot === "kicked" || record.bot === "left") {
    throw forbidden(
      record.chat.type === "private"
        ? "bot was blocked by the user"
        : `bot was kicked from the ${record.chat.type} chat`,
    );
  }
  return record;
}

/** The topic of a call; the General topic of a forum has no id of its own, and a closed one takes nothing. */
export function topicOf(record: ChatRecord, fields: Fields): number | undefined {
  const thread = fields.message_thread_id;
  if (thread === undefined) return undefined;
  const topic = typeof thread === "number" ? record.topics.get(thread) : undefined;
  if (!topic || typeof thread !== "number") throw badRequest("message thread not found");
  if (topic.closed) throw badRequest("TOPIC_CLOSED");
  return thread;
}

/** Text after its entities were parsed, within the limits. */
export function readText(fields: Fields, key: "text" | "caption"): FormattedText & { readonly source: string } {
  const source = fields[key] ?? "";
  if (typeof source !== "string") throw badRequest(`field "${key}" must be of type String`);
  const parsed = formatted(fields, source);
  if (key === "text" && source === "") throw badRequest("message text is empty");
  if (key === "text" && parsed.text === "") throw badRequest("text must be non-empty");
  const limit = key === "text" ? textLimit : captionLimit;
  if (parsed.text.length > limit) {
    throw badRequest(key === "text" ? "message is too long" : "message caption is too long");
  }
  return { ...parsed, entities: detectEntities(parsed.text, parsed.entities), source };
}

export function formatted(fields: Fields, source: string): FormattedText {
  if (fields.parse_mode === "HTML") return parseHtml(source);
  if (fields.parse_mode === "MarkdownV2") return parseMarkdownV2(source);
  if (fields.parse_mode !== undefined && fields.parse_mode !== "") throw badRequest("unsupported parse_mode");
  const given = (fields.entities ?? fields.caption_entities ?? []) as MessageEntity[];
  return { text: source.trim(), entities: given };
}

export function readKeyboard(fields: Fields): InlineKeyboardMarkup | undefined {
  const markup = fields.reply_markup as Partial<InlineKeyboardMarkup & ForceReply> | undefined;
  if (markup?.force_reply !== undefined) checkForceReply(markup);
  const rows = markup?.inline_keyboard;
  if (!rows || rows.flat().length === 0) return undefined;
  for (const button of rows.flat()) {
    if (typeof button.text !== "string" || button.text.trim() === "") {
      throw badRequest("can't parse inline keyboard button: text must be non-empty");
    }
    if ("callback_data" in button) {
      const bytes = Buffer.byteLength(button.callback_data);
      if (bytes < 1 || bytes > 64) throw badRequest("BUTTON_DATA_INVALID");
    } else if (!("url" in button) && !("copy_text" in button) && !("disabled" in button)) {
      throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
    }
    if ("url" in button && !/^(?:https?:\/\/[^/:]+\.[^/]+|tg:\/\/)/u.test(button.url)) {
      throw badRequest(`inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`);
    }
  }
  return { inline_keyboard: rows };
}

/** Opens the reply box on people's phones; nothing of it stays in the message. */
function checkForceReply({
  inline_keyboard,
  input_field_placeholder: placeholder,
}: Partial<InlineKeyboardMarkup & ForceReply>) {
  if (inline_keyboard !== undefined) throw badRequest("object expected as reply markup");
  if (placeholder !== undefined && (placeholder.length < 1 || placeholder.length > 64)) {
    throw badRequest("reply markup placeholder is invalid");
  }
}

/** What a bot's message has in common, whatever it carries. */
export function newBotMessage(world: World, fields: Fields): { record: ChatRecord; message: Message; silent: boolean } {
  const record = writableChat(world, fields);
  const thread = topicOf(record, fields);
  const keyboard = readKeyboard(fields);
  const target = replyTarget(record, fields);
  const message: Message = {
    message_id: world.nextMessageId(record),
    from: { id: world.bot.id, is_bot: true, first_name: world.bot.first_name, username: world.bot.username },
    chat: record.chat,
    date: world.now(),
    ...(thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true }),
    ...(keyboard ? { reply_markup: keyboard } : {}),
    ...(target ? { reply_to_message: target as Message["reply_to_message"] & object } : {}),
  };
  return { record, message, silent: fields.disable_notification === true };
}

function replyTarget(record: ChatRecord, fields: Fields): Message | undefined {
  const reply = fields.reply_parameters as { message_id?: number; allow_sending_without_reply?: boolean } | undefined;
  if (!reply) return undefined;
  const target = record.messages.get(Number(reply.message_id));
  if (!target && reply.allow_sending_without_reply !== true) throw badRequest("message to be replied not found");
  if (!target) return undefined;
  const { reply_to_message: _, ...message } = target.message;
  return message;
}
