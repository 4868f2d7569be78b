import type * as mdast from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { defaultHandlers, type Options, toMarkdown as serialize } from "mdast-util-to-markdown";
import type { Block, Document, Inline, List } from "./markdown.document.ts";

/** Markdown that parses to the same document again. */
export function toMarkdown(document: Document): string {
  return serialize(document satisfies mdast.Root, serializerOptions).trimEnd();
}

const serializerOptions: Options = {
  bullet: "-",
  emphasis: "*",
  // A line of hyphens beneath a paragraph would make it a heading.
  rule: "*",
  // In a tight list item too: a table, or what follows a quote or a list, would go on in the paragraph above it.
  join: [
    (left, right) => (right.type === "table" || left.type === "list" || left.type === "blockquote" ? 1 : undefined),
  ],
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  handlers: {
    // A line break inside a table cell can only be written as HTML.
    break: (node, parent, state, info) =>
      state.stack.includes("tableCell") ? "<br>" : defaultHandlers.break(node, parent, state, info),
  },
};

/**
 * The document as text without markup, for places and clients that show no formatting: markers for lists, `a | b` for
 * table rows, and the address behind a link whose label is not the address itself.
 */
export function toPlainText(document: Document): string {
  return blocksText(document.children, "\n\n");
}

function blocksText(children: readonly Block[], between: string): string {
  return children.map(blockText).join(between);
}

function blockText(node: Block): string {
  switch (node.type) {
    case "paragraph":
    case "heading":
      return inlineText(node.children);
    case "code":
      return node.value;
    case "blockquote":
      return prefixed(blocksText(node.children, "\n\n"), "> ", "> ");
    case "list":
      return listText(node);
    case "table":
      return node.children
        .map((row) => row.children.map((cell) => inlineText(cell.children).replaceAll("\n", " ")).join(" | "))
        .join("\n");
    case "thematicBreak":
      return "———";
  }
}

function listText(list: List): string {
  const items = list.children.map((item, index) => {
    const marker = listMarker(list, index);
    return prefixed(blocksText(item.children, item.spread ? "\n\n" : "\n"), marker, " ".repeat(marker.length));
  });
  return items.join(list.spread ? "\n\n" : "\n");
}

/** What stands before an item in plain text, with the space behind it: `• `, `3. `, `☑ `. */
export function listMarker(list: List, index: number): string {
  const checked = list.children[index]?.checked ?? null;
  const number = list.ordered ? `${(list.start ?? 1) + index}. ` : "";
  if (checked !== null) return `${number}${checked ? "☑" : "☐"} `;
  return number === "" ? "• " : number;
}

/** The words of inline content, links with their address behind the label. */
export function inlineText(children: readonly Inline[]): string {
  return children.map(oneInlineText).join("");
}

function oneInlineText(node: Inline): string {
  switch (node.type) {
    case "text":
    case "inlineCode":
      return node.value;
    case "break":
      return "\n";
    case "strong":
    case "emphasis":
    case "delete":
      return inlineText(node.children);
    case "link": {
      const label = inlineText(node.children);
      return showsAddress(label, node.url) ? label : `${label} (${node.url})`;
    }
  }
}

function showsAddress(label: string, url: string): boolean {
  const bare = (value: string) => value.replace(/^(?:https?:\/\/|mailto:|tel:)|\/$/giu, "");
  return bare(label) === bare(url);
}

function prefixed(text: string, first: string, rest: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? first : line === "" ? rest.trimEnd() : rest) + line)
    .join("\n");
}
