import {
  type Block,
  type Inline,
  inlineText,
  type List,
  listMarker,
  type Post,
  parseMarkdown,
} from "../../src/chat/index.ts";
import { escapeText } from "./render.ts";

/** Slack's own mark-up, for pages, where `markdown` blocks are not taken. */
export function renderMrkdwn({ text }: Pick<Post, "text">): string {
  return blocks(parseMarkdown(text).children, "\n\n");
}

function blocks(children: readonly Block[], between: string): string {
  return children
    .map(block)
    .filter((text) => text !== "")
    .join(between);
}

function block(node: Block): string {
  switch (node.type) {
    case "paragraph":
      return inlines(node.children);
    case "heading":
      return marked("*", escapeText(inlineText(node.children)));
    case "code":
      return `\`\`\`\n${code(node.value)}\n\`\`\``;
    case "blockquote":
      return indented(blocks(node.children, "\n"), "> ", "> ");
    case "list":
      return list(node);
    case "table":
      return node.children
        .map((row) => row.children.map((cell) => inlines(cell.children).replaceAll("\n", " ")).join(" | "))
        .join("\n");
    case "thematicBreak":
      return "———";
  }
}

function list(node: List): string {
  return node.children
    .map((item, index) => indented(blocks(item.children, "\n"), listMarker(node, index), "    "))
    .join("\n");
}

function inlines(children: readonly Inline[]): string {
  return children.map(inline).join("");
}

function inline(node: Inline): string {
  switch (node.type) {
    case "text":
      return escapeText(node.value);
    case "inlineCode":
      return marked("`", code(node.value));
    case "break":
      return "\n";
    case "strong":
      return marked("*", inlines(node.children));
    case "emphasis":
      return marked("_", inlines(node.children));
    case "delete":
      return marked("~", inlines(node.children));
    case "link":
      return `<${escapeText(node.url).replaceAll("|", "%7C")}|${inlines(node.children).replaceAll("|", "¦")}>`;
  }
}

/** Slack has no way to show a backtick within code. */
function code(text: string): string {
  return escapeText(text).replaceAll("`", "ˋ");
}

function marked(mark: string, text: string): string {
  return text.trim() === "" ? text : `${mark}${text}${mark}`;
}

function indented(text: string, first: string, rest: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? first : rest) + line)
    .join("\n");
}
