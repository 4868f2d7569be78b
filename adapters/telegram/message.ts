import { type Post, parseMarkdown, splitMarkdown, toPlainText } from "../../src/chat/index.ts";
import { textLimit } from "./limits.ts";
import { escapeHtml, renderHtml, visibleText } from "./render.ts";

/** One message in both forms: as HTML, and without markup for when Telegram cannot read the HTML. */
export interface RenderedText {
  readonly html: string;
  readonly plain: string;
}

/** Persona line, text, footer line. */
export function renderPost({ text, persona, footer }: Post): RenderedText {
  const document = parseMarkdown(text);
  const body = renderHtml(document);
  const html = assemble(
    persona && `<b>${escapeHtml(oneLine(persona))}</b>`,
    body,
    footer && `<i>${escapeHtml(oneLine(footer))}</i>`,
  );
  const plain = assemble(persona && oneLine(persona), toPlainText(document), footer && oneLine(footer));
  // With the addresses of its links the plain form may be the longer one.
  return { html, plain: plain.length <= textLimit ? plain : visibleText(html) };
}

/** A text alone, such as a draft or a caption. */
export function renderText(markdown: string, limit: number): RenderedText {
  const document = parseMarkdown(markdown);
  const html = renderHtml(document);
  const plain = toPlainText(document);
  return { html, plain: plain.length <= limit ? plain : visibleText(html) };
}

/** The first and the last part of a text that may be too long for one message. */
export function edgesOf(markdown: string, limit: number): { readonly first: string; readonly last: string } {
  const parts = splitMarkdown(markdown, { limit, measure: measureMarkdown });
  return { first: parts[0] ?? "", last: parts.at(-1) ?? "" };
}

/** How many characters Telegram will count, in UTF-16 units. */
export function measureMarkdown(markdown: string): number {
  return visibleText(renderHtml(parseMarkdown(markdown))).length;
}

/** The persona and the reply go to the first part, the footer and the buttons to the last; one sound for all. */
export function splitPost(post: Post): readonly Post[] {
  const around =
    (post.persona ? oneLine(post.persona).length + 1 : 0) + (post.footer ? oneLine(post.footer).length + 2 : 0);
  const parts = splitMarkdown(post.text, { limit: textLimit - around, measure: measureMarkdown });
  if (parts.length <= 1) return [post];
  return parts.map((text, index) => {
    const [first, last] = [index === 0, index === parts.length - 1];
    return {
      text,
      notify: first && post.notify,
      ...(first && post.persona !== undefined ? { persona: post.persona } : {}),
      ...(first && post.replyTo !== undefined ? { replyTo: post.replyTo } : {}),
      ...(last && post.footer !== undefined ? { footer: post.footer } : {}),
      ...(last && post.buttons !== undefined ? { buttons: post.buttons } : {}),
    };
  });
}

function assemble(head: string | undefined, body: string, foot: string | undefined): string {
  const main = [head, body].filter(Boolean).join("\n");
  return [main, foot].filter(Boolean).join("\n\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
