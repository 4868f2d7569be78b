import type { RichElement, RichPart } from "./shapes.ts";
import type { Names } from "./text.ts";
import { markdownLink } from "./text.ts";

/** True where blocks say more than the text beside them: code, lists and quotations. */
export function hasStructure(parts: readonly RichPart[]): boolean {
  return parts.some(({ type }) => type !== "rich_text_section");
}

/** What Slack's composer wrote, as Markdown. */
export function richMarkdown(parts: readonly RichPart[], names: Names): string {
  const blocks: { readonly type: string; readonly text: string }[] = [];
  for (const part of parts) {
    const text = richPart(part, names);
    if (text.trim() !== "") blocks.push({ type: part.type, text });
  }
  return blocks
    .map(({ type, text }, index) => {
      // The parts of a nested list follow each other as lists of their own.
      const joins = type === "rich_text_list" && blocks[index + 1]?.type === "rich_text_list";
      return index === blocks.length - 1 ? text : text + (joins ? "\n" : "\n\n");
    })
    .join("")
    .trim();
}

function richPart(part: RichPart, names: Names): string {
  switch (part.type) {
    case "rich_text_list":
      return list(part, names);
    case "rich_text_quote":
      return inline(part.elements, names)
        .trim()
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
    case "rich_text_preformatted":
      return fenced(part.elements.map((element) => element.text ?? element.url ?? "").join(""));
    default:
      return withoutLineEnds(withoutOwnName(inline(part.elements, names)));
  }
}

function list({ elements, indent = 0, style, offset = 0 }: RichPart, names: Names): string {
  const margin = "   ".repeat(indent);
  return elements
    .map((item, index) => {
      const marker = style === "ordered" ? `${offset + index + 1}. ` : "- ";
      const text = inline(item.elements ?? [], names).trim();
      return `${margin}${marker}${text.replaceAll("\n", `\n${margin}${" ".repeat(marker.length)}`)}`;
    })
    .join("\n");
}

/** Stands where our own name was, until the spaces around it are known. */
const ownName = "\uFDD0";

function inline(elements: readonly RichElement[], names: Names): string {
  return elements.map((element) => styled(element, words(element, names))).join("");
}

function withoutOwnName(text: string): string {
  return text
    .replace(new RegExp(`(^|\\s)${ownName}[ \\t]`, "gu"), "$1")
    .replace(new RegExp(`[ \\t]?${ownName}`, "gu"), "");
}

function words(element: RichElement, names: Names): string {
  switch (element.type) {
    case "user":
      if (element.user_id === names.self) return ownName;
      return `@${names.users.get(element.user_id ?? "") ?? element.user_id}`;
    case "channel":
      return `#${names.channels.get(element.channel_id ?? "") ?? element.channel_id}`;
    case "broadcast":
      return `@${element.range}`;
    case "usergroup":
      return `@${element.usergroup_id}`;
    case "emoji":
      return `:${element.name}:`;
    case "link":
      return markdownLink(element.url ?? "", element.text) ?? element.url ?? "";
    case "date":
      return element.fallback ?? "";
    default:
      return element.text ?? "";
  }
}

function styled({ type, style }: RichElement, text: string): string {
  if (style === undefined || type !== "text" || text.trim() === "") return text;
  if (style.code) return inlineCode(text);
  const marks = `${style.bold ? "**" : ""}${style.italic ? "*" : ""}${style.strike ? "~~" : ""}`;
  const inner = text.trim();
  const start = text.indexOf(inner);
  const ends = [...(marks.match(/\*\*|\*|~~/gu) ?? [])].reverse().join("");
  return `${text.slice(0, start)}${marks}${inner}${ends}${text.slice(start + inner.length)}`;
}

/** Not by a pattern: from each of thousands of line ends in the middle it would look for the end anew. */
function withoutLineEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === "\n") start += 1;
  while (end > start && text[end - 1] === "\n") end -= 1;
  return text.slice(start, end);
}

function inlineCode(text: string): string {
  if (!text.includes("`")) return `\`${text}\``;
  const fence = "`".repeat(longestRun(text) + 1);
  return `${fence} ${text} ${fence}`;
}

function fenced(code: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}\n${code.replace(/\n$/u, "")}\n${fence}`;
}

function longestRun(code: string): number {
  return Math.max(0, ...(code.match(/`+/gu) ?? []).map((run) => run.length));
}
