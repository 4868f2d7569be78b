import type { Block, Document, Inline, List } from "../../src/chat/index.ts";
import { codeBlock, escapeLineStart, escapeText, inlineCode } from "./escape.ts";
import { renderTable } from "./table.ts";

/** Discord's Markdown for a document. What Discord has no form for (rules, tables, nested quotations) is drawn in characters. */
export function renderDiscord(document: Document): string {
  return blocks(document.children, top)
    .replace(/\n{3,}/gu, "\n\n")
    .trim();
}

interface Place {
  /** Inside a list or a quotation: Discord knows headings and quotations only at the start of a line. */
  readonly nested: boolean;
  readonly bold: boolean;
}

const top: Place = { nested: false, bold: false };

function blocks(children: readonly Block[], place: Place, gap = "\n\n"): string {
  let text = "";
  let before: Block | undefined;
  for (const child of children) {
    const rendered = block(child, place);
    if (rendered === "") continue;
    // A heading brings its own space; two lists in a row would become one.
    if (before !== undefined) text += before.type === "heading" && !place.nested ? "\n" : gap;
    text += rendered;
    before = child;
  }
  return text;
}

function block(node: Block, place: Place): string {
  switch (node.type) {
    case "paragraph":
      return lines(inlines(node.children, place), escapeLineStart);
    case "heading":
      return heading(node.depth, node.children, place);
    case "code":
      return codeBlock(node.value, node.lang);
    case "blockquote":
      return quote(node.children, place);
    case "list":
      return list(node, place);
    case "table":
      return renderTable(node, (children) => inlines(children, place));
    case "thematicBreak":
      return "———";
  }
}

function heading(depth: number, children: readonly Inline[], place: Place): string {
  const asHeading = depth <= 3 && !place.nested;
  const text = inlines(children, asHeading ? place : { ...place, bold: true }).replaceAll("\n", " ");
  if (text.trim() === "") return "";
  return asHeading ? `${"#".repeat(depth)} ${text}` : place.bold ? text : wrap("**", text);
}

function quote(children: readonly Block[], place: Place): string {
  const text = blocks(children, { ...place, nested: true });
  if (text === "") return "";
  return lines(text, (line) => (place.nested ? `│ ${line}` : `> ${line}`));
}

function list(node: List, place: Place): string {
  const items = node.children.map((item, index) => {
    const marker = node.ordered ? `${(node.start ?? 1) + index}. ` : "- ";
    const indent = " ".repeat(Math.min(4, marker.length));
    const text = `${taskMark(item)}${blocks(item.children, { ...place, nested: true }, item.spread ? "\n\n" : "\n")}`;
    return `${marker}${indented(text, indent)}`;
  });
  return items.join(node.spread ? "\n\n" : "\n");
}

/** Lines of code stay where they are: a space before them would be part of the code. */
function indented(text: string, indent: string): string {
  let inCode = false;
  return lines(text, (line, number) => {
    const wasInCode = inCode;
    if (line.startsWith("```")) inCode = !inCode;
    return number === 0 || line === "" || wasInCode || inCode ? line : `${indent}${line}`;
  });
}

function taskMark({ checked = null }: List["children"][number]): string {
  return checked === null ? "" : checked ? "☑ " : "☐ ";
}

function lines(text: string, change: (line: string, number: number) => string): string {
  return text.split("\n").map(change).join("\n");
}

function inlines(children: readonly Inline[], place: Place): string {
  let text = "";
  for (const child of children) {
    const rendered = inline(child, place);
    // Two runs of markers that touch would be read as one; a space of no width keeps them apart.
    const touches = /[*_~`|]$/u.test(text) && /^[*_~`|]/u.test(rendered);
    text += touches ? `\u200B${rendered}` : rendered;
  }
  return text;
}

function inline(node: Inline, place: Place): string {
  switch (node.type) {
    case "text":
      return escapeText(node.value);
    case "break":
      return "\n";
    case "inlineCode":
      return inlineCode(node.value);
    case "strong":
      return place.bold ? inlines(node.children, place) : wrap("**", inlines(node.children, { ...place, bold: true }));
    case "emphasis":
      return wrap("*", inlines(node.children, place));
    case "delete":
      return wrap("~~", inlines(node.children, place));
    case "link":
      return link(node.url, node.children, place);
  }
}

/** Markers around the words: Discord takes no space beside them. */
function wrap(marker: string, text: string): string {
  const words = text.trim();
  if (words === "") return text;
  const apart = words.startsWith(marker[0] ?? "") ? "\u200B" : "";
  const behind = words.endsWith(marker[0] ?? "") ? "\u200B" : "";
  const start = text.indexOf(words);
  return `${text.slice(0, start)}${marker}${apart}${words}${behind}${marker}${text.slice(start + words.length)}`;
}

/** In angle brackets an address ends where it should and brings no preview. */
function link(url: string, children: readonly Inline[], place: Place): string {
  const label = inlines(children, place).replaceAll("\n", " ");
  const bare = plainLabel(children).trim();
  if (!/^https?:/iu.test(url)) {
    const address = url.replace(/^\w+:|\?.*$/gu, "");
    return bare.includes(address) ? label : `${label} (${escapeText(address)})`;
  }
  const target = `<${url.replaceAll("<", "%3C").replaceAll(">", "%3E")}>`;
  if (bare === url || bare === "" || bare === url.replace(/^https?:\/\//iu, "")) return target;
  // Discord shows no link behind words that look like an address, and none with brackets in them.
  if (/https?:\/\/|discord\.gg|[[\]`<>]/iu.test(bare)) return `${label} (${target})`;
  return `[${label}](${target})`;
}

function plainLabel(children: readonly Inline[]): string {
  return children
    .map((node) => ("value" in node ? node.value : "children" in node ? plainLabel(node.children) : " "))
    .join("");
}
