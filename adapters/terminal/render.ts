import {
  type Block,
  type Inline,
  inlineText,
  type List,
  listMarker,
  parseMarkdown,
  type Table,
  tableTexts,
  toGrid,
} from "../../src/chat/index.ts";
import type { Paint, Style } from "./style.ts";
import { type Span, wrap } from "./wrap.ts";

export interface Page {
  readonly width: number;
  readonly paint: Paint;
}

/** Markdown as lines for a terminal. Nothing in it can move the cursor or change colours: controls are dropped. */
export function renderMarkdown(markdown: string, page: Page): string[] {
  return renderBlocks(parseMarkdown(markdown).children, page, true);
}

function renderBlocks(blocks: readonly Block[], page: Page, apart: boolean): string[] {
  return blocks.flatMap((block, index) => [...(apart && index > 0 ? [""] : []), ...renderBlock(block, page)]);
}

function renderBlock(block: Block, page: Page): string[] {
  const { width, paint } = page;
  switch (block.type) {
    case "paragraph":
      return wrap(spans(block.children, []), width, paint);
    case "heading":
      return wrap(spans(block.children, block.depth === 1 ? ["bold", "underline"] : ["bold"]), width, paint);
    case "code":
      return block.value.split("\n").map((line) => (line === "" ? "" : `  ${paint("dim", line)}`));
    case "blockquote":
      return indented(renderBlocks(block.children, narrower(page, 2), true), paint("dim", "│ "), paint("dim", "│ "));
    case "list":
      return renderList(block, page);
    case "table":
      return renderTable(block, page);
    case "thematicBreak":
      return [paint("dim", "─".repeat(Math.min(width, 40)))];
  }
}

function renderList(list: List, page: Page): string[] {
  return list.children.flatMap((item, index) => {
    const marker = listMarker(list, index);
    const lines = renderBlocks(item.children, narrower(page, marker.length), item.spread);
    return [
      ...(list.spread && index > 0 ? [""] : []),
      ...indented(lines.length === 0 ? [""] : lines, marker, " ".repeat(marker.length)),
    ];
  });
}

/** Columns side by side where they fit, else each row as lines of `header: value`. */
function renderTable(table: Table, page: Page): string[] {
  const grid = toGrid(table, page.width);
  if (grid) return [page.paint("bold", grid.header), page.paint("dim", grid.rule), ...grid.rows];
  const [header = [], ...body] = tableTexts(table);
  return body.flatMap((row, index) => [
    ...(index > 0 ? [""] : []),
    ...row.flatMap((cell, column) => {
      if (cell === "") return [];
      const name = header[column] ? `${header[column]}: ` : "";
      return indented(wrap([{ text: `${name}${cell}`, styles: [] }], page.width - 2, page.paint), "", "  ");
    }),
  ]);
}

function spans(nodes: readonly Inline[], styles: readonly Style[]): Span[] {
  return nodes.flatMap((node) => inlineSpans(node, styles));
}

function inlineSpans(node: Inline, styles: readonly Style[]): Span[] {
  switch (node.type) {
    case "text":
      return [{ text: node.value, styles }];
    case "inlineCode":
      return [{ text: node.value, styles: [...styles, "code"] }];
    case "break":
      return [{ text: "\n", styles }];
    case "strong":
      return spans(node.children, [...styles, "bold"]);
    case "emphasis":
      return spans(node.children, [...styles, "italic"]);
    case "delete":
      return spans(node.children, [...styles, "strike"]);
    case "link": {
      const address = inlineText([node]).slice(inlineText(node.children).length);
      return [...spans(node.children, [...styles, "underline"]), { text: address, styles: [...styles, "dim"] }];
    }
  }
}

function narrower(page: Page, columns: number): Page {
  return { ...page, width: Math.max(20, page.width - columns) };
}

function indented(lines: readonly string[], first: string, rest: string): string[] {
  return lines.map((line, index) => ((index === 0 ? first : rest) + line).trimEnd());
}
