import { z } from "zod";
import { cleanText, type OutboundFile, type Post, type Reaction, type Select } from "../chat/index.ts";
import { redact } from "../shared/index.ts";

const button = z.object({
  label: z.string(),
  token: z.string(),
  style: z.enum(["primary", "danger"]).optional(),
  opensForm: z.boolean().optional(),
});

const select = z.object({
  label: z.string(),
  options: z.array(
    z.object({
      label: z.string(),
      token: z.string(),
      description: z.string().optional(),
      current: z.boolean().optional(),
    }),
  ),
});

const link = z.object({ label: z.string(), url: z.string() });

const persona = z.object({ name: z.string(), picture: z.string().optional(), unwritten: z.boolean().optional() });
const interaction = z.object({ id: z.string(), payload: z.string().optional() });

const post = z.object({
  text: z.string(),
  persona: persona.optional(),
  footer: z.string().optional(),
  buttons: z.array(z.array(button)).optional(),
  selects: z.array(select).optional(),
  links: z.array(link).optional(),
  replyTo: z.string().optional(),
  notify: z.boolean(),
  onlyFor: z.object({ userId: z.string(), interaction: interaction.optional() }).optional(),
  asksReply: z.boolean().optional(),
});

const file = z.object({
  path: z.string(),
  name: z.string(),
  mime: z.string().optional(),
  caption: z.string().optional(),
  replyTo: z.string().optional(),
});

const removal = z.object({ buttonHash: z.string().optional() });

const reaction = z.object({ reaction: z.enum(["received", "done", "failed", "stopped"]) });

const thread = z.object({ title: z.string() });

/** Reads what `posts.body` holds. Throws when it is not what its `op` says. */
export const readBody = {
  post: (body: unknown): Post => post.parse(body),
  removal: (body: unknown) => removal.parse(body),
  reaction: (body: unknown): Reaction => reaction.parse(body).reaction,
  file: (body: unknown): OutboundFile => file.parse(body),
  title: (body: unknown): string => thread.parse(body).title,
} as const;

/** Without secrets, and without what no database stores: half a character, say, where somebody cut a name. */
const shown = (text: string) => redact(cleanText(text));

/** Secrets go before the text is cut, so that none survives in half. Tokens and addresses are not text: they stay. */
export function redactPost(whole: Post): Post {
  return {
    ...whole,
    text: shown(whole.text),
    ...(whole.persona === undefined ? {} : { persona: { ...whole.persona, name: shown(whole.persona.name) } }),
    ...(whole.footer === undefined ? {} : { footer: shown(whole.footer) }),
    ...(whole.buttons === undefined
      ? {}
      : { buttons: whole.buttons.map((row) => row.map((each) => ({ ...each, label: shown(each.label) }))) }),
    ...(whole.selects === undefined ? {} : { selects: whole.selects.map(redactSelect) }),
    ...(whole.links === undefined ? {} : { links: whole.links.map((each) => ({ ...each, label: shown(each.label) })) }),
  };
}

function redactSelect({ label, options }: Select): Select {
  return {
    label: shown(label),
    options: options.map((each) => ({
      ...each,
      label: shown(each.label),
      ...(each.description === undefined ? {} : { description: shown(each.description) }),
    })),
  };
}

export const redactTitle = (title: string): string => shown(title);

export function redactFile(whole: OutboundFile): OutboundFile {
  return {
    ...whole,
    name: shown(whole.name),
    ...(whole.caption === undefined ? {} : { caption: shown(whole.caption) }),
  };
}
