import {
  closeOpenMarkdown,
  type Document,
  linksAsTextLength,
  oneLine,
  type Post,
  parseMarkdown,
  splitMarkdown,
  toParts,
  toPlainText,
  withLinksAsText,
} from "../../src/chat/index.ts";
import { isKeyUrl } from "./keyboard.ts";
import { captionLimit, textLimit } from "./limits.ts";
import { escapeHtml, renderHtml, visibleText } from "./render.ts";

/** One message in both forms: as HTML, and without markup for when Telegram cannot read the HTML. */
export interface RenderedText {
  readonly html: string;
  readonly plain: () => string;
}

/** Persona line, text, footer line. */
export function renderPost(post: Post): RenderedText {
  const { text, persona, footer } = withLinksAsText(post, isKeyUrl);
  const document = parseMarkdown(text);
  const [head, foot] = [persona && oneLine(persona.name), footer && oneLine(footer)];
  const html = assemble(
    head && `<b>${escapeHtml(head)}</b>`,
    renderHtml(document),
    foot && `<i>${escapeHtml(foot)}</i>`,
  );
  return { html, plain: () => fitting(assemble(head, toPlainText(document), foot), html, textLimit) };
}

/** What fits beneath a file; the start of what does not. */
export function renderCaption(caption: string | undefined): RenderedText {
  if (!caption) return { html: "", plain: () => "" };
  const whole = renderText(parseMarkdown(caption), captionLimit);
  if (visibleText(whole.html).length <= captionLimit) return whole;
  const [start = ""] = splitMarkdown(caption, { limit: captionLimit - 1, measure: measureMarkdown });
  const { html, plain } = renderText(parseMarkdown(start), captionLimit - 1);
  return { html: `${html}…`, plain: () => `${plain()}…` };
}

/** How much of an answer in the making is shown: its end, where something happens, and no more than is cheap to render twice a second. */
const draftWindow = 3000;

/** An unfinished answer: what is open is closed, and of a long one only the end is shown. */
export function renderDraft(markdown: string): RenderedText {
  const rendered = renderText(parseMarkdown(closeOpenMarkdown(tailOf(markdown))), textLimit);
  const text = visibleText(rendered.html);
  // Padded tables may grow past the limit; a preview may then do without its markup.
  return text.length <= textLimit
    ? rendered
    : { html: escapeHtml(text.slice(-draftWindow)), plain: () => text.slice(-draftWindow) };
}

function tailOf(markdown: string): string {
  if (markdown.length <= draftWindow) return markdown;
  const start = markdown.length - draftWindow;
  const line = markdown.indexOf("\n", start);
  const cut = line === -1 ? start : line + 1;
  const fence = openFence(markdown.slice(0, cut));
  return `…\n\n${fence === undefined ? "" : `${fence}\n`}${markdown.slice(cut).toWellFormed()}`;
}

/** The line that opened the code block a cut falls into. */
function openFence(before: string): string | undefined {
  let open: string | undefined;
  for (const [line, marks = ""] of before.matchAll(/^ {0,3}(`{3,}|~{3,}).*$/gm)) {
    if (open === undefined) open = line;
    else if (marks[0] === open.trimStart()[0]) open = undefined;
  }
  return open;
}

function renderText(document: Document, limit: number): RenderedText {
  const html = renderHtml(document);
  return { html, plain: () => fitting(toPlainText(document), html, limit) };
}

/** With the addresses of its links the plain form may be too long; what the HTML shows is not. */
function fitting(plain: string, html: string, limit: number): string {
  return plain.length <= limit ? plain : visibleText(html);
}

/** How many characters Telegram will count, in UTF-16 units. */
export function measureMarkdown(markdown: string): number {
  return visibleText(renderHtml(parseMarkdown(markdown))).length;
}

/** The persona and the reply go to the first part, footer, links, lists and buttons to the last; one sound for all. */
export function splitPost(post: Post): readonly Post[] {
  const { text, persona, footer } = post;
  const limit =
    textLimit -
    (persona ? oneLine(persona.name).length + 1 : 0) -
    (footer ? oneLine(footer).length + 2 : 0) -
    linksAsTextLength(post, isKeyUrl);
  if (surelyFits(text, limit)) return [post];
  const parts = splitMarkdown(text, { limit, measure: measureMarkdown });
  return toParts(post, parts, "first");
}

/** Without parsing: but for tables, rendering adds at most a few characters a line (markers, indents, blank lines). */
function surelyFits(text: string, limit: number): boolean {
  if (text.length > limit || text.includes("|")) return false;
  return text.length + 8 * text.split("\n").length <= limit;
}

function assemble(head: string | undefined, body: string, foot: string | undefined): string {
  const main = [head, body].filter(Boolean).join("\n");
  return [main, foot].filter(Boolean).join("\n\n");
}
