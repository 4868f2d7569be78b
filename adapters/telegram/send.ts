import { type Api, InputFile } from "grammy";
import type { Message, ReplyParameters } from "grammy/types";
import {
  type Address,
  clip,
  delivered,
  failed,
  type OutboundFile,
  oneLine,
  type Post,
  type Reaction,
  type Receipt,
  safeFileName,
  sizeToSend,
} from "../../src/chat/index.ts";
import { cannotParse, isForbidden, notAPhoto, notModified, toFailure } from "./errors.ts";
import { asking, hasKeys, keyboard } from "./keyboard.ts";
import { photoUploadBytes, topicNameLimit, uploadBytes } from "./limits.ts";
import { type RenderedText, renderCaption, renderDraft, renderPost } from "./message.ts";
import { words } from "./words.ts";

export interface SenderDeps {
  readonly api: Api;
  /** The same with more patience, for files. */
  readonly uploads: Api;
  readonly redact: (text: string) => string;
}

/** Only these four are shown; a bot may set one reaction a message. */
const reactions = { received: "👀", done: "👌", failed: "💔", stopped: "🫡" } as const satisfies Record<
  Reaction,
  string
>;

/** Everything that leaves. One attempt a call: repeating is the outbox's decision, since Telegram knows no idempotency key. */
export function createSender({ api, uploads, redact }: SenderDeps) {
  const receipt = (sent: Promise<Message | true>, messageId?: string): Promise<Receipt> =>
    sent.then(
      (result) => delivered(messageId ?? (result === true ? "" : String(result.message_id))),
      (error: unknown) => toFailure(error, redact),
    );

  return {
    post: (address: Address, post: Post): Promise<Receipt> =>
      receipt(
        formatted(renderPost(post), (text) =>
          api.raw.sendMessage({
            ...target(address),
            ...text,
            ...withoutPreview,
            ...(post.asksReply && !hasKeys(post) ? asking : keyboard(post)),
            ...reply(post.replyTo),
            disable_notification: !post.notify,
          }),
        ),
      ),

    edit: (address: Address, messageId: string, post: Post): Promise<Receipt> => {
      const sent = formatted(renderPost(post), (text) =>
        api.raw.editMessageText({
          chat_id: Number(address.channel),
          message_id: Number(messageId),
          ...text,
          ...withoutPreview,
          ...keyboard(post),
        }),
      ).catch((error: unknown) => {
        if (notModified(error)) return true as const;
        throw error;
      });
      return receipt(sent, messageId);
    },

    remove: (address: Address, messageId: string): Promise<Receipt> =>
      receipt(api.deleteMessage(Number(address.channel), Number(messageId)), messageId),

    react: (address: Address, messageId: string, reaction: Reaction): Promise<Receipt> =>
      receipt(
        api.setMessageReaction(Number(address.channel), Number(messageId), [
          { type: "emoji", emoji: reactions[reaction] },
        ]),
        messageId,
      ),

    draft: (address: Address, draftId: number, text: string): Promise<Receipt> =>
      receipt(
        formatted(renderDraft(text), (rendered) =>
          api.raw.sendMessageDraft({
            ...target(address),
            ...rendered,
            draft_id: draftId,
            can_stop: true,
            // What was said so far stays readable until the final message stands there.
            keep_on_stop: true,
          }),
        ),
        String(draftId),
      ),

    typing: async (address: Address): Promise<void> => {
      // A sign that is missed is no failure, and a late one no use.
      await api.raw.sendChatAction({ ...target(address), action: "typing" }).catch(() => undefined);
    },

    /** Telegram lists no topics and knows no keys: whether one was made whose response was lost, nobody can tell. */
    openThread: async ({ channel, thread }: Address, title: string): Promise<Receipt> => {
      const [chat, name] = [Number(channel), clip(oneLine(title), topicNameLimit) || words.topicName];
      const made =
        thread === undefined
          ? api.createForumTopic(chat, name).then((topic) => String(topic.message_thread_id))
          : api.editForumTopic(chat, Number(thread), { name }).then(() => thread);
      const outcome = await made.then(delivered, (error: unknown) => toFailure(error, redact));
      // That we may make no topics is no reason to wait: what was to stand in one goes beside it.
      const may =
        outcome.outcome !== "failed" || outcome.error.kind !== "refused" || !isForbidden(outcome.error.detail);
      return may ? outcome : failed("rejected", outcome.error.detail);
    },

    upload: async (address: Address, file: OutboundFile): Promise<Receipt> => {
      const size = await sizeToSend(file, "Telegram", uploadBytes);
      if (typeof size !== "number") return size;
      return receipt(uploadAs(file, size <= photoUploadBytes && isPhoto(file.name), address));
    },
  };

  async function uploadAs(file: OutboundFile, asPhoto: boolean, address: Address): Promise<Message> {
    const common = { ...target(address), ...reply(file.replyTo), disable_notification: true };
    const input = () => new InputFile(file.path, safeFileName(file.name, "file"));
    const send = (photo: boolean): Promise<Message> =>
      formatted<Message>(renderCaption(file.caption), ({ text, ...mode }) => {
        const caption = text === "" ? {} : { caption: text, ...mode };
        return photo
          ? uploads.raw.sendPhoto({ ...common, ...caption, photo: input() })
          : uploads.raw.sendDocument({ ...common, ...caption, document: input() });
      });
    try {
      return await send(asPhoto);
    } catch (error) {
      if (asPhoto && notAPhoto(error)) return await send(false);
      throw error;
    }
  }
}

/** Sends as HTML; once more as plain text when Telegram cannot read the HTML, so that the words always arrive. */
async function formatted<T>(
  { html, plain }: RenderedText,
  send: (text: { text: string; parse_mode?: "HTML" }) => Promise<T>,
): Promise<T> {
  try {
    return await send({ text: html, parse_mode: "HTML" });
  } catch (error) {
    if (!cannotParse(error)) throw error;
    return await send({ text: plain() });
  }
}

const withoutPreview = { link_preview_options: { is_disabled: true } } as const;

function target({ channel, thread }: Address) {
  return { chat_id: Number(channel), ...(thread === undefined ? {} : { message_thread_id: Number(thread) }) };
}

function reply(messageId: string | undefined): { reply_parameters?: ReplyParameters } {
  const id = Number(messageId);
  // A message of another chat, or one that is gone: the answer still goes out.
  if (messageId === undefined || !Number.isSafeInteger(id)) return {};
  return { reply_parameters: { message_id: id, allow_sending_without_reply: true } };
}

function isPhoto(name: string): boolean {
  return /\.(?:jpe?g|png|webp)$/i.test(name);
}
