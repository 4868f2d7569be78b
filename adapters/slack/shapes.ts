import { z } from "zod";

/** The parts of Slack's payloads that are used, read with care: fields come and go with clients, and unknown ones are ignored. */

const style = z.object({ bold: z.boolean(), italic: z.boolean(), strike: z.boolean(), code: z.boolean() }).partial();

const richElement = z.object({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  user_id: z.string().optional(),
  channel_id: z.string().optional(),
  usergroup_id: z.string().optional(),
  range: z.string().optional(),
  name: z.string().optional(),
  fallback: z.string().optional(),
  // A list has a style, too: a word.
  style: style.optional().catch(undefined),
});

const richPart = z.object({
  type: z.string(),
  style: z.string().optional().catch(undefined),
  indent: z.number().optional(),
  offset: z.number().optional(),
  elements: z.array(richElement.extend({ elements: z.array(richElement).optional() })),
});

/** Only `rich_text` blocks are read; of the others their elements are nobody's business. */
const block = z.object({ type: z.string(), elements: z.array(z.unknown()).optional() });

export const fileShape = z.object({
  id: z.string(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  mimetype: z.string().optional(),
  size: z.number().optional(),
  mode: z.string().optional(),
  subtype: z.string().optional(),
  is_external: z.boolean().optional(),
  file_access: z.string().optional(),
  external_url: z.string().optional(),
  url_private: z.string().optional(),
  url_private_download: z.string().optional(),
});

const attachment = z.object({
  is_share: z.boolean().optional(),
  is_msg_unfurl: z.boolean().optional(),
  author_id: z.string().optional(),
  author_name: z.string().optional(),
  text: z.string().optional(),
  channel_id: z.string().optional(),
  ts: z.union([z.string(), z.number()]).transform(String).optional(),
});

export const messageShape = z.object({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  username: z.string().optional(),
  subtype: z.string().optional(),
  text: z.string().optional().default(""),
  thread_ts: z.string().optional(),
  parent_user_id: z.string().optional(),
  reply_count: z.number().optional(),
  latest_reply: z.string().optional(),
  edited: z.object({ ts: z.string() }).optional(),
  blocks: z.array(block).optional().catch(undefined),
  files: z.array(fileShape).optional().catch(undefined),
  attachments: z.array(attachment).optional().catch(undefined),
  metadata: z
    .object({ event_type: z.string().optional(), event_payload: z.record(z.string(), z.unknown()).optional() })
    .optional()
    .catch(undefined),
});

export const messageEventShape = messageShape.extend({
  channel: z.string(),
  channel_type: z.string().optional(),
  event_ts: z.string().optional(),
  message: messageShape.optional().catch(undefined),
  previous_message: messageShape.optional().catch(undefined),
  deleted_ts: z.string().optional(),
});

export type RichElement = z.infer<typeof richElement>;
export type RichPart = z.infer<typeof richPart>;
export type SlackFile = z.infer<typeof fileShape>;
export type SlackMessage = z.infer<typeof messageShape>;
export type SlackMessageEvent = z.infer<typeof messageEventShape>;

/** The parts of the rich text in a message, as the composer wrote them. */
export function richPartsOf({ blocks }: SlackMessage): readonly RichPart[] {
  return (blocks ?? []).flatMap((one) => {
    if (one.type !== "rich_text") return [];
    const parts = z.array(richPart).safeParse(one.elements);
    return parts.success ? parts.data : [];
  });
}
