import {
  type Block,
  clip,
  type Document,
  type Inline,
  oneLine,
  type Post,
  parseMarkdown,
  plainDocument,
  toMarkdown,
  toPlainText,
} from "../../src/chat/index.ts";
import { sectionLimit } from "./limits.ts";

/**
 * Standard Markdown for a `markdown` block. Slack reads its own `<…>` there before it reads Markdown: raw text would
 * become a live mention, and a backslash does not help. `&lt;` does: it is shown as `<` and not read again.
 */
export function renderMarkdown(document: Document): string {
  const marked = toMarkdown({ type: "root", children: document.children.map(block) });
  return marked
    .replace(/(\\*)(?:\u2E4E|&#x2E4E;)/gu, (_, slashes: string) => `${even(slashes)}&lt;`)
    .replace(/\uFDD1|&#xFDD1;/gu, "&");
}

/**
 * Stand for `<` and for the `&` of an address until the text is written: the serializer would escape them. The first is
 * a mark of mediaeval scribes, since only next to punctuation emphasis is written as it must be next to `&lt;`.
 */
const lessThan = "\u2E4E";
const ampersand = "\uFDD1";

/** A lone backslash would take the entity behind it for a character to escape. */
function even(slashes: string): string {
  return slashes.length % 2 === 0 ? slashes : `${slashes}\\`;
}

function block(node: Block): Block {
  switch (node.type) {
    case "paragraph":
    case "heading":
      return { ...node, children: inlines(node.children) };
    case "code":
      return { ...node, lang: /^[\w+#.-]{1,32}$/u.exec(node.lang ?? "")?.[0] ?? null, value: inCode(node.value) };
    case "blockquote":
      return { ...node, children: node.children.map(block) };
    case "list":
      return { ...node, children: node.children.map((item) => ({ ...item, children: item.children.map(block) })) };
    case "table":
      return {
        ...node,
        children: node.children.map((row) => ({
          ...row,
          children: row.children.map((cell) => ({ ...cell, children: inlines(cell.children) })),
        })),
      };
    case "thematicBreak":
      return node;
  }
}

function inlines(children: readonly Inline[]): Inline[] {
  return children.map(inline);
}

function inline(node: Inline): Inline {
  switch (node.type) {
    case "text":
      return { ...node, value: node.value.replaceAll("<", lessThan) };
    case "inlineCode":
      return { ...node, value: inCode(node.value) };
    case "break":
      return node;
    case "strong":
    case "emphasis":
    case "delete":
      return { ...node, children: inlines(node.children) };
    case "link":
      return link(node.url, node.children);
  }
}

/** Slack takes an address as it stands, escapes and all, but for its own `<…>`, which it reads there, too. A bare one stays bare. */
function link(url: string, children: readonly Inline[]): Inline {
  const address = url.replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll("&", ampersand);
  const [only] = children;
  if (children.length === 1 && only?.type === "text" && only.value === url) {
    return { type: "link", url: address, children: [{ type: "text", value: address }] };
  }
  return { type: "link", url: address.replaceAll("(", "%28").replaceAll(")", "%29"), children: inlines(children) };
}

/** In code nothing can be escaped: a word joiner, which nobody sees, keeps a mention from being one. */
function inCode(value: string): string {
  return value.replace(/<(?=[@!#])/gu, "<\u2060");
}

/** Plain text for a field that Slack reads as its own mark-up. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A text of at most `limit` once escaped, whole characters only. */
export function clipped(text: string, limit: number): string {
  return clip(text, limit, escapedLength);
}

export function escapedLength(text: string): number {
  let length = text.length;
  for (const [mark] of text.matchAll(/[&<>]/gu)) length += mark === "&" ? 4 : 3;
  return length;
}

/** How many characters of the limit a Markdown text takes. */
export function measureMarkdown(markdown: string): number {
  return escapedLength(renderMarkdown(parseMarkdown(markdown)));
}

/** The name of who speaks as a bold line, where the platform may not show it itself. */
export function nameLine(name: string): string {
  const [paragraph] = plainDocument(oneLine(name)).children;
  if (paragraph?.type !== "paragraph") return "";
  return renderMarkdown({
    type: "root",
    children: [{ type: "paragraph", children: [{ type: "strong", children: paragraph.children }] }],
  });
}

/** The name of who speaks as a line of its own, without mark-up. */
export function nameOnly({ persona }: Pick<Post, "persona">): readonly string[] {
  const name = persona && !persona.unwritten ? oneLine(persona.name) : "";
  return name === "" ? [] : [name];
}

/** A text without mark-up in pieces that each fit a section. */
export function plainPieces(markdown: string): readonly string[] {
  const pieces: string[] = [];
  for (let rest = toPlainText(parseMarkdown(markdown)); rest !== ""; ) {
    const end = pieceEnd(rest);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^\n+/u, "");
  }
  return pieces;
}

function pieceEnd(text: string): number {
  if (escapedLength(text) <= sectionLimit) return text.length;
  let end = sectionLimit;
  while (escapedLength(text.slice(0, end)) > sectionLimit) end = Math.floor(end * 0.8);
  const line = text.lastIndexOf("\n", end);
  if (line > end / 2) return line;
  return /[\uDC00-\uDFFF]/u.test(text.charAt(end)) ? end - 1 : end;
}
