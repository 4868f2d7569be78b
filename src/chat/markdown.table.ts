import type { Inline, Table } from "./markdown.document.ts";
import { inlineText } from "./markdown.text.ts";

/** What fits beside each other in a monospaced block on a phone. */
export const phoneColumns = 44;

/** A table as lines of a monospaced font. */
export interface Grid {
  readonly header: string;
  readonly rule: string;
  readonly rows: readonly string[];
}

/** A table in aligned columns; undefined where a line would be wider than `most` columns. */
export function toGrid(table: Table, most: number): Grid | undefined {
  const [header = [], ...body] = tableTexts(table);
  const widths = table.align.map((_, column) =>
    Math.max(1, ...[header, ...body].map((row) => columnsOf(row[column] ?? ""))),
  );
  if (widths.reduce((sum, width) => sum + width + 2, -2) > most) return undefined;
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => pad(row[column] ?? "", width, table.align[column] ?? null))
      .join("  ")
      .trimEnd();
  return { header: line(header), rule: widths.map((width) => "─".repeat(width)).join("  "), rows: body.map(line) };
}

/** The cells of a table as text on one line each, row by row. */
export function tableTexts(table: Table): readonly (readonly string[])[] {
  return table.children.map((row) => row.children.map((cell) => inlineText(cell.children).replace(/[\n\t]/gu, " ")));
}

export interface CellRenderers {
  readonly cell: (children: readonly Inline[]) => string;
  /** The first cell of a row, which stands above the others. */
  readonly title: (children: readonly Inline[]) => string;
}

/** A table that is too wide: the lines of each row, every cell beneath the first one behind the name of its column. */
export function toRecords(table: Table, { cell, title }: CellRenderers): readonly (readonly string[])[] {
  const [header, ...body] = table.children;
  const names = (header?.children ?? []).map(({ children }) => cell(children).replaceAll("\n", " "));
  if (body.length === 0) return [[names.join(" · ")]];
  const records = body.map(({ children: [first, ...rest] }) => {
    const head = first === undefined ? "" : title(first.children);
    const fields = rest.map(({ children }, index) => [names[index + 1] ?? "", cell(children)] as const);
    const lines = fields.flatMap(([name, text]) => (text === "" ? [] : [`${name}: ${text}`]));
    return head === "" ? lines : [head, ...lines];
  });
  return records.filter((lines) => lines.length > 0);
}

function pad(text: string, width: number, align: Table["align"][number]): string {
  const room = width - columnsOf(text);
  const before = align === "right" ? room : align === "center" ? Math.floor(room / 2) : 0;
  return `${" ".repeat(before)}${text}${" ".repeat(room - before)}`;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|.\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u;

/** How many columns of a monospaced font a text takes, near enough: two for emoji and East Asian characters, none for marks alone. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7E]*$/u.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += wide.test(segment) ? 2 : /^[\p{Mn}\p{Cf}\p{Cc}]/u.test(segment) ? 0 : 1;
  }
  return columns;
}
