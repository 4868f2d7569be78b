import { z } from "zod";
import { cleanText, type OutboundFile, type Post, type Reaction } from "../chat/index.ts";
import { redact } from "../shared/index.ts";

const button = z.object({
  label: z.string(),
  token: z.string(),
  style: z.enum(["primary", "danger"]).optional(),
});

const post = z.object({
  text: z.string(),
  persona: z.string().optional(),
  footer: z.string().optional(),
  buttons: z.array(z.array(button)).optional(),
  replyTo: z.string().optional(),
  notify: z.boolean(),
});

const file = z.object({
  path: z.string(),
  name: z.string(),
  mime: z.string().optional(),
  caption: z.string().optional(),
  replyTo: z.string().optional(),
});

const reaction = z.object({ reaction: z.enum(["received", "done", "failed", "stopped"]) });

/** Reads what `posts.body` holds. Throws when it is not what its `op` says. */
export const readBody = {
  post: (body: unknown): Post => post.parse(body),
  reaction: (body: unknown): Reaction => reaction.parse(body).reaction,
  file: (body: unknown): OutboundFile => file.parse(body),
} as const;

/** Without secrets, and without what no database stores: half a character, say, where somebody cut a name. */
const shown = (text: string) => redact(cleanText(text));

/** Secrets go before the text is cut, so that none survives in half. Tokens are not text: they stay. */
export function redactPost(whole: Post): Post {
  return {
    ...whole,
    text: shown(whole.text),
    ...(whole.persona === undefined ? {} : { persona: shown(whole.persona) }),
    ...(whole.footer === undefined ? {} : { footer: shown(whole.footer) }),
    ...(whole.buttons === undefined
      ? {}
      : { buttons: whole.buttons.map((row) => row.map((each) => ({ ...each, label: shown(each.label) }))) }),
  };
}

export function redactFile(whole: OutboundFile): OutboundFile {
  return {
    ...whole,
    name: shown(whole.name),
    ...(whole.caption === undefined ? {} : { caption: shown(whole.caption) }),
  };
}
