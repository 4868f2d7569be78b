import type { ModalView } from "@slack/web-api";
import { z } from "zod";
import type { Form, InboundFile } from "../../src/chat/index.ts";
import { formTitleLimit, formValueLimit, metadataLimit } from "./limits.ts";
import { plain } from "./message.ts";
import { callbacks } from "./names.ts";
import { originShape } from "./origin.ts";
import { words } from "./words.ts";

/** Puts a form before whoever caused the trigger, within three seconds of it. Rejects also where the form cannot be made. */
export type OpenView = (trigger: string, view: () => ModalView) => Promise<void>;

const formMetadata = z.object({ token: z.string(), messageId: z.string(), origin: originShape });

export function formView(form: Form, metadata: z.infer<typeof formMetadata>): ModalView {
  return modal(callbacks.form, form, JSON.stringify(metadata));
}

export function readFormMetadata(text: string) {
  return formMetadata.safeParse(fromJson(text)).data;
}

const askMetadata = z.object({
  channel: z.string(),
  thread: z.string(),
  url: z.url().optional(),
  at: z.number(),
  quote: z.object({
    messageId: z.string(),
    text: z.string().optional(),
    authorName: z.string().optional(),
    fromUs: z.boolean(),
  }),
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      mime: z.string().optional(),
      size: z.number().optional(),
      kind: z.enum(["photo", "document", "voice", "audio", "video"]),
    }),
  ),
});

type AskMetadata = z.infer<typeof askMetadata>;

/** The form of "Ask a teammate". What it is about travels in the view, of which Slack carries 3,000 characters: the start of a long text. */
export function askView(about: Omit<AskMetadata, "files"> & { readonly files: readonly InboundFile[] }): ModalView {
  const form: Form = { title: words.askTitle, label: words.askLabel, long: true, required: true };
  const { text = "", ...quote } = about.quote;
  for (let files = about.files.map(withoutAddress); ; files = files.slice(0, -1)) {
    for (const length of [2_400, 1_500, 600, 0]) {
      const shown = text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
      const metadata = JSON.stringify({ ...about, files, quote: { ...quote, text: shown } });
      if (metadata.length <= metadataLimit) return modal(callbacks.ask, form, metadata);
    }
    if (files.length === 0) return modal(callbacks.ask, form, JSON.stringify({ ...about, files, quote }));
  }
}

export function readAskMetadata(text: string) {
  return askMetadata.safeParse(fromJson(text)).data;
}

/** Slack's own id is enough to find a file again. */
function withoutAddress(file: InboundFile): InboundFile {
  return { ...file, id: file.id.split(" ", 1)[0] ?? file.id };
}

function modal(callback: string, { title, label, value, long, required }: Form, metadata: string): ModalView {
  return {
    type: "modal",
    callback_id: callback,
    private_metadata: metadata,
    title: plain(title.slice(0, formTitleLimit)),
    submit: plain(words.submit),
    close: plain(words.cancel),
    blocks: [
      {
        type: "input",
        block_id: "field",
        optional: !required,
        label: plain(label),
        element: {
          type: "plain_text_input",
          action_id: "value",
          multiline: long,
          max_length: formValueLimit,
          ...(value ? { initial_value: value.slice(0, formValueLimit).toWellFormed() } : {}),
        },
      },
    ],
  };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
