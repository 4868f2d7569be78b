import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import remend from "remend";
import type { Document, Paragraph } from "./markdown.document.ts";
import { normalize, withoutPings } from "./markdown.normalize.ts";

/**
 * Parses GFM that a model or a person wrote. Never throws and never loses visible text: what a chat cannot show is
 * kept as plain text (HTML, unsafe links), and an image becomes a link, so that nothing is fetched by showing it.
 */
export function parseMarkdown(text: string): Document {
  const clean = cleanText(text);
  if (tooDeep.test(clean)) return plainDocument(clean);
  try {
    const document = normalize(fromMarkdown(clean, parserOptions(clean)));
    // A text of nothing but link definitions has no visible node, and would otherwise be an empty message.
    return document.children.length === 0 ? plainDocument(clean) : document;
  } catch (error) {
    if (error instanceof RangeError) return plainDocument(clean);
    throw error;
  }
}

/** Closes what an unfinished answer left open (bold, code, links), for a preview while it streams. */
export function closeOpenMarkdown(text: string): string {
  return remend(text, { linkMode: "text-only" });
}

/** Text without what no platform may see: control characters (escape sequences), lone surrogates, foreign line ends. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/gu, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .toWellFormed();
}

/** A document that shows the text as it is, one paragraph for each run of lines. */
export function plainDocument(text: string): Document {
  const runs = text.split(/\n\s*\n/u).map((run) => run.replace(/^[ \t]+|[ \t]+$/gmu, "").trim());
  const children = runs
    .filter((run) => run !== "")
    .map((run): Paragraph => ({ type: "paragraph", children: [{ type: "text", value: withoutPings(run) }] }));
  return { type: "root", children };
}

/**
 * Sixty containers opened on one line, or a list item behind 160 spaces: the parser would take quadratic time and the
 * renderers would run out of stack.
 */
const tooDeep = /^(?:(?:[ \t]*>|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+){60}|[ \t]{160,}(?:[-*+]|\d{1,9}[.)])[ \t])/mu;

function parserOptions(text: string): Parameters<typeof fromMarkdown>[1] {
  // One tilde is an "about" (~2 days) far more often than half of a strike.
  const extensions = [gfm({ singleTilde: false })];
  const noise = noiseIn(text);
  if (noise.length > 0) extensions.push({ disable: { null: noise } });
  return { extensions, mdastExtensions: [gfmFromMarkdown()] };
}

const emphasisConstructs = ["attention", "strikethrough"];
const linkConstructs = ["labelStartLink", "labelStartImage", "labelEnd", "gfmFootnoteCall", "gfmPotentialFootnoteCall"];

/**
 * The constructs to leave as text. Resolving emphasis and links is quadratic in the markers of one paragraph (seconds
 * for a few thousand); past these counts they are noise, not formatting.
 */
function noiseIn(text: string): string[] {
  if (text.length < 1_500) return [];
  const paragraphs = text.split(/\n(?=[ \t]*(?:[-+>|#\n]|\* |\d{1,9}[.)]))/u);
  const most = (marker: RegExp) => Math.max(...paragraphs.map((paragraph) => paragraph.match(marker)?.length ?? 0));
  return [...(most(/[*_~]+/gu) > 3_000 ? emphasisConstructs : []), ...(most(/\[/gu) > 500 ? linkConstructs : [])];
}
