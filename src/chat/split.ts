import type { Block, Document, Inline, Table } from "./markdown.document.ts";
import { toMarkdown, toPlainText } from "./markdown.text.ts";
import { parseMarkdown, plainDocument } from "./markdown.ts";
import { createRuler, type Ruler } from "./split.clip.ts";
import { type Cut, type Cuts, findCuts, type Run } from "./split.cuts.ts";

export interface SplitOptions {
  /** The most one part may measure. */
  readonly limit: number;
  /** The size of a Markdown text in the platform's unit, as rendered. */
  readonly measure: (markdown: string) => number;
}

/**
 * Cuts a Markdown text into Markdown texts that each measure at most `limit` when rendered, at the best places there
 * are: between blocks, then items, rows and lines of code, then sentences, words, and last anywhere between graphemes.
 * Every part is complete by itself (fences, emphasis, links, table headers); together they show the whole text, evenly.
 */
export function splitMarkdown(text: string, options: SplitOptions): string[] {
  const { limit, measure } = options;
  if (text.length <= 4 * limit && measure(text) <= limit) return [text];
  const ruler = createRuler();
  const document = withoutWideTables(parseMarkdown(text), ruler, limit / 3);
  const end = document.children.reduce((total, child) => total + ruler.size(child), 0);
  const cuts = findCuts(document, ruler, limit);
  const parts: string[] = [];
  // How much one unit of the ruler measures; learnt from each part, since markup and addresses weigh differently.
  let density = 1;
  for (let at = 0; at < end; ) {
    const part = nextPart({ document, ruler, cuts, at, end, density, ...options });
    if (part.markdown.trim() !== "") parts.push(part.markdown);
    density = Math.max(0.1, (density + part.size / (part.to - at)) / 2);
    at = part.to;
  }
  return parts;
}

interface Rest extends SplitOptions {
  readonly document: Document;
  readonly ruler: Ruler;
  readonly cuts: Cuts;
  readonly at: number;
  readonly end: number;
  readonly density: number;
}

interface Part {
  readonly markdown: string;
  readonly size: number;
  readonly to: number;
}

function nextPart(rest: Rest): Part {
  // As plain text where even the smallest piece is too large with its markup, such as a row under a long header.
  return fittingPart(rest, (piece) => toMarkdown(piece)) ?? fittingPart(rest, plainMarkdown) ?? smallestPart(rest);
}

const plainMarkdown = (piece: Document) => toMarkdown(plainDocument(toPlainText(piece)));

function fittingPart(rest: Rest, write: (piece: Document) => string): Part | undefined {
  const { document, ruler, at, end, limit, measure } = rest;
  const remaining = end - at;
  let room = limit / rest.density;
  while (room >= 1) {
    // A twentieth is kept free: cuts are rarely where the arithmetic wants them, and a one-word tail is ugly.
    const count = remaining <= room ? 1 : Math.ceil(remaining / (room * 0.95));
    const to = count === 1 ? end : chooseCut(rest, remaining / count, room);
    const markdown = write(ruler.clip(document, at, to));
    const size = measure(markdown);
    if (size <= limit) return { markdown, size, to };
    room = Math.min((to - at) * (limit / size) * 0.95, (to - at) * 0.95 - 1);
  }
  return undefined;
}

/** One character, whatever it measures: the limit is smaller than what it needs. */
function smallestPart(rest: Rest): Part {
  const to = forcedCut(rest, 1);
  const markdown = plainMarkdown(rest.ruler.clip(rest.document, rest.at, to));
  return { markdown, size: rest.measure(markdown), to };
}

/** The offset that costs least, within `room` from where the part starts; `goal` is how long it would ideally be. */
function chooseCut(rest: Rest, goal: number, room: number): number {
  const { at, end, cuts } = rest;
  const ideal = Math.min(goal, room);
  const price = (to: number, cost: number) => {
    const length = to - at;
    const stub = length < ideal * 0.3 || end - to < ideal * 0.15 ? 40 : 0;
    return cost + stub + (50 * Math.abs(length - ideal)) / ideal;
  };
  let best: Cut | undefined;
  for (let index = firstAfter(cuts.cuts, at); index < cuts.cuts.length; index += 1) {
    const cut = cuts.cuts[index];
    if (cut === undefined || cut.at > at + room || cut.at >= end) break;
    if (best === undefined || price(cut.at, cut.cost) < price(best.at, best.cost)) best = cut;
  }
  const forcedCost = 90;
  if (best !== undefined && price(best.at, best.cost) <= forcedCost) return best.at;
  const forced = forcedCut(rest, ideal);
  return best === undefined || price(forced, forcedCost) < price(best.at, best.cost) ? forced : best.at;
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A cut inside a run without any better place: at a word as the language sees it, else between graphemes. */
function forcedCut({ cuts, at, end }: Rest, length: number): number {
  const wanted = Math.min(end, at + Math.max(1, Math.floor(length)));
  const run = cuts.runs[firstAfter(cuts.runs, wanted - 1) - 1];
  if (run === undefined || run.at + run.value.length < wanted) return wanted;
  const from = Math.max(0, at - run.at);
  const offset = wanted - run.at;
  for (const segmenter of [words, graphemes]) {
    const start = segmenter.segment(run.value).containing(offset)?.index ?? offset;
    if (start > from + (segmenter === words ? length / 2 : 0)) return run.at + start;
  }
  // One grapheme longer than the whole part (stacked marks): only the surrogate pair is kept together.
  const insidePair = /[\uDC00-\uDFFF]/u.test(run.value.charAt(offset));
  return insidePair ? wanted + 1 : wanted;
}

/** The index of the first entry behind an offset; entries are in ascending order. */
function firstAfter(entries: readonly (Cut | Run)[], offset: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.at ?? Number.POSITIVE_INFINITY) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Turns tables whose header is too long to be repeated in each part into lines of text. */
function withoutWideTables(document: Document, ruler: Ruler, room: number): Document {
  const tame = (children: Block[]): Block[] =>
    children.flatMap((node): Block[] => {
      if (node.type === "blockquote") return [{ ...node, children: tame(node.children) }];
      if (node.type === "list") {
        return [{ ...node, children: node.children.map((item) => ({ ...item, children: tame(item.children) })) }];
      }
      const header = node.type === "table" ? node.children[0] : undefined;
      const tooWide = header !== undefined && ruler.size(header) > room;
      return node.type === "table" && tooWide ? rowParagraphs(node) : [node];
    });
  return { type: "root", children: tame(document.children) };
}

function rowParagraphs(table: Table): Block[] {
  return table.children.map((row) => {
    const children = row.children.flatMap((cell, index): Inline[] =>
      index === 0 ? cell.children : [{ type: "text", value: " | " }, ...cell.children],
    );
    return { type: "paragraph", children };
  });
}
