import { type Inline, inlineText, type Table } from "../../src/chat/index.ts";
import { codeBlock } from "./escape.ts";

/** What fits beside each other in a block of code on a phone. */
const gridWidth = 44;

/** A table: as an aligned block of code where it fits a phone, else one paragraph a row, each cell under its header. */
export function renderTable(node: Table, inlines: (children: readonly Inline[]) => string): string {
  const rows = node.children.map((row) => row.children.map((cell) => inlineText(cell.children).replaceAll("\n", " ")));
  const widths = node.align.map((_, column) => Math.max(1, ...rows.map((row) => displayWidth(row[column] ?? ""))));
  const total = widths.reduce((sum, width) => sum + width + 2, -2);
  if (total > gridWidth) return records(node, inlines);
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, node.align[column] ?? null))
      .join("  ")
      .trimEnd();
  const [header = [], ...body] = rows;
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return codeBlock([line(header), rule, ...body.map(line)].join("\n"));
}

function records(node: Table, inlines: (children: readonly Inline[]) => string): string {
  const [header, ...body] = node.children;
  const names = (header?.children ?? []).map((cell) => inlines(cell.children).replaceAll("\n", " "));
  const paragraphs = body.map((row) => {
    const [first = "", ...rest] = row.children.map((cell) => inlines(cell.children));
    const title = first === "" ? [] : [`**${first.replaceAll("**", "")}**`];
    const fields = rest.flatMap((cell, index) => (cell === "" ? [] : [`${names[index + 1] ?? ""}: ${cell}`]));
    return [...title, ...fields].join("\n");
  });
  if (paragraphs.length === 0) return names.join(" · ");
  return paragraphs.filter((text) => text !== "").join("\n\n");
}

function pad(text: string, width: number, align: "left" | "right" | "center" | null): string {
  const room = width - displayWidth(text);
  const before = align === "right" ? room : align === "center" ? Math.floor(room / 2) : 0;
  return `${" ".repeat(before)}${text}${" ".repeat(room - before)}`;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\uFE0F/u;

/** Columns in a monospaced font: East Asian characters and emoji take two. */
function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}
