import { type ByPayer, tokensOf, type UsageLine, type UsageReport } from "./report.ts";
import { clippedTo, colors, element, group, text } from "./svg.ts";

/** Everything that stands in the picture, as a person reads it. */
export interface PictureWords {
  readonly title: string;
  /** Such as "24–30 November". */
  readonly when: string;
  readonly tokens: (count: number) => string;
  readonly total: (count: string) => string;
  readonly plan: (count: string) => string;
  readonly key: (count: string) => string;
  readonly byTeammate: string;
  readonly byStep: string;
  readonly nothing: string;
  readonly unasked: string;
  readonly others: (count: number) => string;
  readonly most: (count: string) => string;
  /** Beneath the hours or days, where there is room. */
  readonly step: (start: Date) => string;
}

const width = 1080;
const margin = 64;
const inner = width - 2 * margin;
const mostLines = 7;
const lineHeight = 74;

/** A picture of what was used, for a phone: large letters on white, as high as it has to be. */
export function drawUsage(report: UsageReport, words: PictureWords): string {
  const parts: string[] = [];
  let y = margin;
  const put = (part: Part) => {
    parts.push(group(y, part.svg));
    y += part.height;
  };
  put(head(report, words));
  if (tokensOf(report.total) === 0) put(empty(words));
  else {
    put(teammates(report, words));
    put(steps(report, words));
  }
  const height = Math.ceil(y + margin / 2);
  return element(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
    element("rect", { width, height, fill: colors.paper }),
    ...parts,
  );
}

/** What stands on its own, from its upper edge at 0. */
interface Part {
  readonly svg: string;
  readonly height: number;
}

function head({ total }: UsageReport, words: PictureWords): Part {
  const [plan, key] = [sum(total.plan), sum(total.key)];
  const legend = [
    ...(plan > 0 ? [{ label: words.plan(words.tokens(plan)), color: colors.plan }] : []),
    ...(key > 0 ? [{ label: words.key(words.tokens(key)), color: colors.key }] : []),
  ];
  let x = margin;
  const keys = legend.map(({ label, color }) => {
    const shown =
      element("rect", { x, y: 262, width: 32, height: 32, rx: 6, fill: color }) +
      text(label, { x: x + 46, y: 289, size: 32, fill: colors.ink });
    x += 46 + label.length * 21 + 48;
    return shown;
  });
  return {
    svg: [
      text(words.title, { x: margin, y: 46, size: 46, bold: true }),
      text(words.when, { x: margin, y: 98, size: 32, fill: colors.quiet }),
      text(words.total(words.tokens(plan + key)), { x: margin, y: 216, size: 84, bold: true }),
      ...keys,
    ].join(""),
    height: legend.length === 0 ? 250 : 342,
  };
}

function empty({ nothing }: PictureWords): Part {
  return {
    svg: [
      element("rect", { x: margin, y: 0, width: inner, height: 220, rx: 24, fill: colors.wash }),
      text(nothing, { x: width / 2, y: 124, size: 40, fill: colors.quiet, anchor: "middle" }),
    ].join(""),
    height: 240,
  };
}

function teammates(report: UsageReport, words: PictureWords): Part {
  const lines = folded(report.teammates, words);
  const most = Math.max(...lines.map(tokensOf));
  const drawn = lines.map((line, index) => {
    const y = 78 + index * lineHeight;
    const count = words.tokens(tokensOf(line));
    return [
      text(clippedTo(line.name ?? words.unasked, inner - 190, 30), { x: margin, y, size: 30 }),
      text(count, { x: width - margin, y, size: 30, bold: true, anchor: "end" }),
      stackedAcross(line, most, y + 12),
    ].join("");
  });
  return {
    svg: text(words.byTeammate, { x: margin, y: 28, size: 34, bold: true }) + drawn.join(""),
    height: 78 + lines.length * lineHeight + 6,
  };
}

/** The most used ones, and the rest in one line. */
function folded(all: readonly UsageLine[], words: PictureWords): readonly UsageLine[] {
  if (all.length <= mostLines) return all;
  const rest = all.slice(mostLines - 1);
  const joined = rest.reduce((total, line) => ({
    name: null,
    plan: plus(total.plan, line.plan),
    key: plus(total.key, line.key),
  }));
  return [...all.slice(0, mostLines - 1), { ...joined, name: words.others(rest.length) }];
}

function plus(one: ByPayer["plan"], other: ByPayer["plan"]): ByPayer["plan"] {
  return {
    runs: one.runs + other.runs,
    input: one.input + other.input,
    cachedInput: one.cachedInput + other.cachedInput,
    output: one.output + other.output,
  };
}

const barHeight = 20;

function stackedAcross({ plan, key }: ByPayer, most: number, y: number): string {
  const long = (value: number) => (value === 0 ? 0 : Math.max(4, (value / most) * inner));
  const [first, second] = [long(sum(plan)), long(sum(key))];
  return [
    element("rect", { x: margin, y, width: inner, height: barHeight, rx: 6, fill: colors.wash }),
    first > 0 ? element("rect", { x: margin, y, width: first, height: barHeight, rx: 6, fill: colors.plan }) : "",
    second > 0
      ? element("rect", { x: margin + first, y, width: second, height: barHeight, rx: 6, fill: colors.key })
      : "",
  ].join("");
}

const chartHeight = 220;

function steps({ steps: amounts, span }: UsageReport, words: PictureWords): Part {
  const most = Math.max(...amounts.map(tokensOf));
  const [top, base] = [64, 64 + chartHeight];
  const room = inner / amounts.length;
  const wide = Math.max(6, Math.min(90, room * 0.72));
  const bars = amounts.map((amount, index) => {
    const x = margin + index * room + (room - wide) / 2;
    const high = (value: number) => (value === 0 ? 0 : Math.max(4, (value / most) * chartHeight));
    const [first, second] = [high(sum(amount.plan)), high(sum(amount.key))];
    return [
      first > 0 ? element("rect", { x, y: base - first, width: wide, height: first, rx: 3, fill: colors.plan }) : "",
      second > 0
        ? element("rect", { x, y: base - first - second, width: wide, height: second, rx: 3, fill: colors.key })
        : "",
    ].join("");
  });
  const labels = labelled(span.steps.length).flatMap((index) => {
    const start = span.steps[index];
    if (start === undefined) return [];
    const x = margin + (index + 0.5) * room;
    return text(words.step(start), { x, y: base + 38, size: 26, fill: colors.quiet, anchor: "middle" });
  });
  return {
    svg: [
      text(words.byStep, { x: margin, y: 28, size: 34, bold: true }),
      text(words.most(words.tokens(most)), { x: width - margin, y: 28, size: 26, fill: colors.quiet, anchor: "end" }),
      element("line", { x1: margin, y1: top, x2: width - margin, y2: top, stroke: colors.line, "stroke-width": 2 }),
      element("line", { x1: margin, y1: base, x2: width - margin, y2: base, stroke: colors.quiet, "stroke-width": 2 }),
      ...bars,
      ...labels,
    ].join(""),
    height: base + 56,
  };
}

/** Which steps have a label: all of a week, else about six. */
function labelled(count: number): readonly number[] {
  const every = count <= 7 ? 1 : Math.floor(count / 6);
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}

function sum({ input, output }: ByPayer["plan"]): number {
  return input + output;
}
