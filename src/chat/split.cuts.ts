import type { Block, Code, Document, Inline, List, Paragraph, Table } from "./markdown.document.ts";
import { markerSize, type Ruler } from "./split.clip.ts";

/** A place where a document may be cut, and how much that hurts (0 = between two blocks). */
export interface Cut {
  readonly at: number;
  readonly cost: number;
}

/** A run of characters that may be cut anywhere if nothing else helps. */
export interface Run {
  readonly at: number;
  readonly value: string;
}

export interface Cuts {
  /** In ascending order. */
  readonly cuts: readonly Cut[];
  readonly runs: readonly Run[];
}

/** Costs are on one scale with the distance from the ideal cut, see `split.ts`. */
const cost = { quote: 6, item: 8, row: 12, codeLine: 15, softBreak: 20, sentence: 25, word: 45 } as const;
/** Added where the cut falls inside something that had better stay whole. */
const extra = { whole: 30, cell: 40, heading: 30, link: 20, code: 15, afterHeading: 60, afterColon: 20 } as const;

/** Finds every place where a document may be cut. `capacity` is about what one part holds, in the ruler's unit. */
export function findCuts(document: Document, ruler: Ruler, capacity: number): Cuts {
  const cuts: Cut[] = [];
  const runs: Run[] = [];

  function blocks(children: readonly Block[], start: number, between: number, depth: number): void {
    let at = start;
    let previous: Block | undefined;
    for (const child of children) {
      if (previous !== undefined) cuts.push({ at, cost: between + separationCost(previous, child) });
      block(child, at, depth);
      at += ruler.size(child);
      previous = child;
    }
  }

  function block(node: Block, at: number, depth: number): void {
    if (node.type === "paragraph") inlines(node.children, at, 0);
    if (node.type === "heading") inlines(node.children, at, extra.heading);
    if (node.type === "code") code(node, at);
    if (node.type === "blockquote") blocks(node.children, at, cost.quote + depth, depth + 1);
    if (node.type === "list") list(node, at, depth);
    if (node.type === "table") table(node, at);
  }

  function list(node: List, start: number, depth: number): void {
    let at = start;
    for (const [index, item] of node.children.entries()) {
      if (index > 0) cuts.push({ at, cost: cost.item + 3 * depth });
      blocks(item.children, at + markerSize, cost.item + 6 + 3 * depth, depth + 1);
      at += ruler.size(item);
    }
  }

  function table(node: Table, start: number): void {
    const whole = ruler.size(node) <= capacity ? extra.whole : 0;
    let at = start;
    for (const [index, row] of node.children.entries()) {
      // Not between the header and its first row.
      if (index > 1) cuts.push({ at, cost: cost.row + whole });
      let cellAt = at;
      for (const cell of row.children) {
        if (index > 0) inlines(cell.children, cellAt, extra.cell);
        cellAt += cell.children.reduce((total, child) => total + ruler.size(child), 1);
      }
      at += ruler.size(row);
    }
  }

  function code(node: Code, at: number): void {
    const whole = ruler.size(node) <= capacity ? extra.whole : 0;
    runs.push({ at, value: node.value });
    for (const { index } of node.value.matchAll(/\n(?=[^\n])/gu)) {
      const blank = node.value[index - 1] === "\n";
      cuts.push({ at: at + index + 1, cost: cost.codeLine + whole - (blank ? 5 : 0) });
    }
  }

  function inlines(children: readonly Inline[], start: number, added: number): void {
    let at = start;
    for (const node of children) {
      if (node.type === "text") words(node.value, at, added);
      else if (node.type === "inlineCode") words(node.value, at, added + extra.code);
      else if (node.type === "break") cuts.push({ at: at + 1, cost: cost.softBreak + added });
      else inlines(node.children, at, added + (node.type === "link" ? extra.link : 0));
      at += ruler.size(node);
    }
  }

  function words(value: string, at: number, added: number): void {
    runs.push({ at, value });
    for (const match of value.matchAll(/([.!?…]["'”’)\]]*)?(\s+)|[。！？]/gu)) {
      const kind = match[2]?.includes("\n") ? "softBreak" : match[1] !== undefined || !match[2] ? "sentence" : "word";
      cuts.push({ at: at + match.index + match[0].length, cost: cost[kind] + added });
    }
  }

  blocks(document.children, 0, 0, 0);
  return { cuts: cuts.sort((a, b) => a.at - b.at || a.cost - b.cost), runs };
}

function separationCost(previous: Block, next: Block): number {
  if (previous.type === "heading") return extra.afterHeading;
  const introduces = previous.type === "paragraph" && endsWithColon(previous) && next.type !== "paragraph";
  return introduces ? extra.afterColon : 0;
}

function endsWithColon(paragraph: Paragraph): boolean {
  const last = paragraph.children.at(-1);
  return last?.type === "text" && /[:：]\s*$/u.test(last.value);
}
