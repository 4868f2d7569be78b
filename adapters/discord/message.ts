import {
  linksAsTextLength,
  oneLine,
  type Persona,
  type Post,
  parseMarkdown,
  splitMarkdown,
  toParts,
  toPlainText,
  withLinksAsText,
} from "../../src/chat/index.ts";
import { isButtonUrl } from "./components.ts";
import { escapeText } from "./escape.ts";
import { textLimit } from "./limits.ts";
import { renderDiscord } from "./render.ts";

/** Stands where a message must have a content and has none to show. */
const nothing = "\u200B";

/** Name line, text, footer. Without the name line where the platform itself shows who speaks. */
export function renderPost(post: Post, withName = true): string {
  const { text, persona, footer } = withLinksAsText(post, isButtonUrl);
  const head = withName ? nameLine(persona) : "";
  const foot = footer ? footLine(footer) : "";
  return assemble(head, fittingText(text, textLimit - head.length - foot.length - 2), foot) || nothing;
}

/** What fits beneath a file; the start of what does not. */
export function renderCaption(caption: string | undefined): string {
  if (!caption) return "";
  const whole = renderDiscord(parseMarkdown(caption));
  if (whole.length <= textLimit) return whole;
  const [start = ""] = splitMarkdown(caption, { limit: textLimit - 1, measure: measureMarkdown });
  return `${renderDiscord(parseMarkdown(start))}…`;
}

/** Markup may grow in ways the splitter did not measure (a post that was never split); then the words go without it. */
function fittingText(text: string, limit: number): string {
  const document = parseMarkdown(text);
  const rendered = renderDiscord(document);
  if (rendered.length <= limit) return rendered;
  const plain = escapeText(toPlainText(document));
  return plain.length <= limit
    ? plain
    : `${plain
        .slice(0, limit - 1)
        .replace(/\\$/u, "")
        .toWellFormed()}…`;
}

/** How many characters Discord will count. */
export function measureMarkdown(markdown: string): number {
  return renderDiscord(parseMarkdown(markdown)).length;
}

/** The persona goes to each part, since each is a message of its own; the reply to the first, footer, links and buttons to the last; one sound for all. */
export function splitPost(post: Post): readonly Post[] {
  const { text, persona, footer } = post;
  const limit =
    textLimit -
    (persona ? nameLine(persona).length + 1 : 0) -
    (footer ? footLine(footer).length + 1 : 0) -
    linksAsTextLength(post, isButtonUrl);
  const parts = splitMarkdown(text, { limit, measure: measureMarkdown });
  return toParts(post, parts, "each");
}

/** One emoji is a picture that a name line can show; an address is not. */
export function namedWithEmoji({ name, picture }: Persona): string {
  const words = oneLine(name);
  return picture === undefined || /^https?:/iu.test(picture) ? words : `${oneLine(picture)} ${words}`;
}

function nameLine(persona: Persona | undefined): string {
  return persona === undefined || persona.unwritten ? "" : `**${escapeText(namedWithEmoji(persona))}**`;
}

function footLine(footer: string): string {
  return `-# ${escapeText(oneLine(footer))}`;
}

function assemble(head: string, body: string, foot: string): string {
  return [head, body, foot].filter((part) => part !== "").join("\n");
}
