import type { MessageEntity } from "@grammyjs/types";
import type { ChatRecord, Draft, MessageRecord } from "./world.ts";

export interface SeenButton {
  readonly text: string;
  /** What a press sends back; undefined for a link. */
  readonly data: string | undefined;
  /** What a press opens. */
  readonly url: string | undefined;
  readonly style: string | undefined;
}

/** A message as the people in the chat see it at this moment. */
export interface SeenMessage {
  readonly id: number;
  readonly chat: number;
  readonly thread: number | undefined;
  readonly from: string;
  readonly fromBot: boolean;
  /** The text, or the caption of a file, without formatting. */
  readonly text: string;
  /** As it was sent, with its markup. */
  readonly source: string;
  readonly entities: readonly MessageEntity[];
  readonly keyboard: readonly (readonly SeenButton[])[];
  /** The bot's reaction on it. */
  readonly reactions: readonly string[];
  /** Earlier texts, the first one first. */
  readonly edits: readonly string[];
  readonly replyTo: number | undefined;
  /** True where nobody's phone makes a sound. */
  readonly silent: boolean;
  readonly file: { readonly name: string; readonly bytes: Buffer; readonly kind: "photo" | "document" } | undefined;
}

export interface SeenChat {
  readonly id: number;
  readonly messages: readonly SeenMessage[];
  /** What the bot said and did not take back. */
  readonly fromBot: readonly SeenMessage[];
  readonly deleted: readonly SeenMessage[];
  /** Every draft state, in order; `draft` is the one that is shown now. */
  readonly drafts: readonly Draft[];
  readonly draft: Draft | undefined;
  readonly actions: ChatRecord["actions"];
}

export function seeChat(record: ChatRecord): SeenChat {
  const messages = [...record.messages.values()].map(seeMessage);
  return {
    id: record.chat.id,
    messages,
    fromBot: messages.filter((message) => message.fromBot),
    deleted: record.deleted.map(seeMessage),
    drafts: [...record.drafts],
    draft: record.lastDraft,
    actions: [...record.actions],
  };
}

export function seeMessage({ message, source, earlier, silent, reactions, file }: MessageRecord): SeenMessage {
  return {
    id: message.message_id,
    chat: message.chat.id,
    thread: message.message_thread_id,
    from: message.from?.first_name ?? "",
    fromBot: message.from?.is_bot === true,
    text: message.text ?? message.caption ?? (message.rich_message ? source : ""),
    source,
    entities: message.entities ?? message.caption_entities ?? [],
    keyboard: (message.reply_markup?.inline_keyboard ?? []).map((row) =>
      row.map((button) => ({
        text: button.text,
        data: "callback_data" in button ? button.callback_data : undefined,
        url: "url" in button ? button.url : undefined,
        style: button.style,
      })),
    ),
    reactions: [...reactions],
    edits: [...earlier],
    replyTo: message.reply_to_message?.message_id,
    silent,
    file: file && { name: file.name, bytes: file.bytes, kind: message.photo ? "photo" : "document" },
  };
}
