import { type Inline, phoneColumns, type Table, toGrid, toRecords } from "../../src/chat/index.ts";
import { codeBlock } from "./escape.ts";

/** A table: as an aligned block of code where it fits a phone, else one paragraph a row, each cell under its header. */
export function renderTable(node: Table, inlines: (children: readonly Inline[]) => string): string {
  const grid = toGrid(node, phoneColumns);
  if (grid) return codeBlock([grid.header, grid.rule, ...grid.rows].join("\n"));
  const title = (children: readonly Inline[]) => {
    const words = inlines(children);
    return words === "" ? "" : `**${words.replaceAll("**", "")}**`;
  };
  return toRecords(node, { cell: inlines, title })
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
