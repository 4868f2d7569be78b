import type { Block, Document, Inline, List, ListItem, Table, TableRow } from "./markdown.document.ts";

/**
 * A document as a line of offsets, so that "from 4,000 to 8,000" names a piece of it. An offset counts the characters
 * people see, and a little for what separates blocks, items and cells; so each boundary has an offset of its own.
 */
export interface Ruler {
  size(node: Block | ListItem | TableRow | Inline): number;
  /** The piece between two offsets, as a document of its own: fences, quotes, emphasis and table headers complete. */
  clip(document: Document, from: number, to: number): Document;
}

/** What a list item's marker counts. */
export const markerSize = 2;
const ruleSize = 4;

type Parent = { readonly children: readonly (Block | ListItem | TableRow | Inline)[] };

export function createRuler(): Ruler {
  const sizes = new WeakMap<object, number>();

  function size(node: Block | ListItem | TableRow | Inline): number {
    const known = sizes.get(node);
    if (known !== undefined) return known;
    const computed = compute(node);
    sizes.set(node, computed);
    return computed;
  }

  const sum = (parent: Parent) => parent.children.reduce((total, child) => total + size(child), 0);

  function compute(node: Block | ListItem | TableRow | Inline): number {
    switch (node.type) {
      case "text":
      case "inlineCode":
        return node.value.length;
      case "break":
        return 1;
      case "code":
        return node.value.length + 1;
      case "thematicBreak":
        return ruleSize;
      case "listItem":
        return sum(node) + markerSize;
      case "tableRow":
        return node.children.reduce((total, cell) => total + sum(cell) + 1, 1);
      case "paragraph":
      case "heading":
        return sum(node) + 1;
      case "blockquote":
      case "list":
      case "table":
      case "strong":
      case "emphasis":
      case "delete":
      case "link":
        return sum(node);
    }
  }

  function clipEach<T extends Block | ListItem | TableRow | Inline, R>(
    children: readonly T[],
    from: number,
    to: number,
    take: (child: T, from: number, to: number, index: number) => R[],
  ): R[] {
    const taken: R[] = [];
    let start = 0;
    for (const [index, child] of children.entries()) {
      const end = start + size(child);
      if (end > from && start < to)
        taken.push(...take(child, Math.max(from - start, 0), Math.min(to, end) - start, index));
      start = end;
    }
    return taken;
  }

  const clipBlocks = (children: readonly Block[], from: number, to: number) => clipEach(children, from, to, clipBlock);

  function clipBlock(node: Block, from: number, to: number): Block[] {
    if (from <= 0 && to >= size(node)) return [node];
    switch (node.type) {
      case "paragraph":
      case "heading": {
        const children = clipEdges(node.children, from, to);
        return children.length === 0 ? [] : [{ ...node, children }];
      }
      case "code": {
        const value = clipCode(node.value, from, to);
        return value === "" && node.value !== "" ? [] : [{ ...node, value }];
      }
      case "thematicBreak":
        return from <= 0 ? [node] : [];
      case "blockquote": {
        const children = clipBlocks(node.children, from, to);
        return children.length === 0 ? [] : [{ ...node, children }];
      }
      case "list":
        return clipList(node, from, to);
      case "table":
        return clipTable(node, from, to);
    }
  }

  // The rest of an item that was cut stands before the list without a marker: its number was said already.
  function clipList(list: List, from: number, to: number): Block[] {
    const loose: Block[] = [];
    let first: number | undefined;
    const items = clipEach(list.children, from, to, (item, itemFrom, itemTo, index): ListItem[] => {
      const children = clipBlocks(item.children, itemFrom - markerSize, itemTo - markerSize);
      if (itemFrom > 0) {
        loose.push(...children);
        return [];
      }
      first ??= index;
      return [{ ...item, children }];
    });
    if (items.length === 0) return loose;
    const start = list.ordered ? (list.start ?? 1) + (first ?? 0) : null;
    return [...loose, { ...list, start, children: items }];
  }

  function clipTable(table: Table, from: number, to: number): Block[] {
    const header = table.children[0];
    const rows = clipEach(table.children, from, to, (row, rowFrom, rowTo) => [clipRow(row, rowFrom, rowTo)]);
    if (rows.length === 0 || header === undefined) return [];
    return [{ ...table, children: from >= size(header) ? [header, ...rows] : rows }];
  }

  function clipRow(row: TableRow, from: number, to: number): TableRow {
    if (from <= 0 && to >= size(row)) return row;
    let start = 0;
    const children = row.children.map((cell) => {
      const cellFrom = from - start;
      const cellTo = to - start;
      start += sum(cell) + 1;
      return { ...cell, children: clipEdges(cell.children, cellFrom, cellTo) };
    });
    return { ...row, children };
  }

  function clipEdges(children: readonly Inline[], from: number, to: number): Inline[] {
    const total = children.reduce((sum, child) => sum + size(child), 0);
    const clipped = clipInlines(children, from, to);
    const headless = from > 0 ? trimmed(clipped, "start") : clipped;
    return to < total ? trimmed(headless, "end") : headless;
  }

  const clipInlines = (children: readonly Inline[], from: number, to: number): Inline[] =>
    clipEach(children, from, to, (node, start, end): Inline[] => {
      if (start <= 0 && end >= size(node)) return [node];
      if (node.type === "break") return [];
      if (node.type === "text" || node.type === "inlineCode") return [{ ...node, value: node.value.slice(start, end) }];
      return [{ ...node, children: clipInlines(node.children, start, end) }];
    });

  return {
    size,
    clip: (document, from, to) => ({ type: "root", children: clipBlocks(document.children, from, to) }),
  };
}

/** Lines of code between two offsets, without the line end at either cut. Indentation stays. */
function clipCode(value: string, from: number, to: number): string {
  const piece = value.slice(Math.max(from, 0), to);
  return to < value.length ? piece.replace(/\n$/u, "") : piece;
}

/** Removes white space and line breaks at one end, also inside emphasis, where Markdown could not express it. */
function trimmed(nodes: readonly Inline[], edge: "start" | "end"): Inline[] {
  const rest = [...nodes];
  for (;;) {
    const node = edge === "start" ? rest[0] : rest.at(-1);
    if (node === undefined) return rest;
    const kept = trimmedNode(node, edge);
    if (kept !== undefined) {
      rest[edge === "start" ? 0 : rest.length - 1] = kept;
      return rest;
    }
    if (edge === "start") rest.shift();
    else rest.pop();
  }
}

function trimmedNode(node: Inline, edge: "start" | "end"): Inline | undefined {
  if (node.type === "break") return undefined;
  if (node.type === "text" || node.type === "inlineCode") {
    const value = edge === "start" ? node.value.trimStart() : node.value.trimEnd();
    return value === "" ? undefined : { ...node, value };
  }
  const children = trimmed(node.children, edge);
  return children.length === 0 ? undefined : { ...node, children };
}
