import { expect, it } from "vitest";
import { drawUsage, type PictureWords, spanOf, toPng, type UsageReport } from "../../src/usage/index.ts";
import { wordsFor } from "../../src/words/index.ts";

const words = wordsFor(null).usage;
const span = spanOf("week", new Date("2026-11-30T15:10:00Z"), "UTC");
const amount = (input: number) => ({ runs: input === 0 ? 0 : 1, input, cachedInput: 0, output: 0 });
const of = (plan: number, key = 0) => ({ plan: amount(plan), key: amount(key) });

function report(teammates: readonly [string | null, number, number][]): UsageReport {
  const lines = teammates.map(([name, plan, key]) => ({ name, ...of(plan, key) }));
  const total = teammates.reduce((sum, [, plan, key]) => ({ plan: sum.plan + plan, key: sum.key + key }), {
    plan: 0,
    key: 0,
  });
  const steps = span.steps.map((_, day) => (day === 3 ? of(total.plan, total.key) : of(0)));
  return { span, total: of(total.plan, total.key), teammates: lines, people: [], steps };
}

const pictureWords: PictureWords = {
  ...words.picture,
  title: "Usage · last 7 days",
  when: "24–30 November",
  tokens: words.tokens,
  byStep: "By day",
  nothing: "Nothing was used in the last 7 days.",
  unasked: words.unasked,
  others: words.others,
  step: (start) => `${start.getUTCDate()}.`,
};

const draw = (teammates: readonly [string | null, number, number][]) => drawUsage(report(teammates), pictureWords);

/** Width and height, as a PNG's header has them. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

it("is a PNG for a phone, no higher than it has to be", async () => {
  const many = Array.from({ length: 40 }, (_, index): [string, number, number] => [
    `Teammate ${index}`,
    100 - index,
    1,
  ]);
  const [empty, one, all] = await Promise.all([[], many.slice(0, 1), many].map((each) => toPng(draw(each))));
  for (const png of [empty, one, all]) {
    expect(png?.subarray(1, 4).toString()).toBe("PNG");
    expect(sizeOf(png ?? Buffer.alloc(24))[0]).toBe(1080);
  }
  const heights = [empty, one, all].map((png) => sizeOf(png ?? Buffer.alloc(24))[1] ?? 0);
  expect(heights).toEqual(heights.toSorted((x, y) => x - y));
  expect(heights.at(-1)).toBeLessThan(1400);
});

it("names whoever used most, and sums the rest up", () => {
  const svg = draw(Array.from({ length: 12 }, (_, index) => [`T${index}`, 1_200 - index * 100, 0]));
  expect(svg).toContain(">T0<");
  expect(svg).toContain(">6 others<");
  expect(svg).not.toContain(">T6<");
});

it("shows a name as it is, whatever is in it", async () => {
  const name = `</text><script>&"' 🌙 \u0007${"long ".repeat(40)}`;
  const svg = draw([[name, 10, 0]]);
  expect(svg).not.toContain("<script>");
  expect(svg).toMatch(/>&#60;\/text&#62;&#60;script&#62;&#38;&#34;&#39; long [^<]*…</u);
  expect((await toPng(svg)).length).toBeGreaterThan(1_000);
});

it("draws letters that need other fonts than its own without failing", async () => {
  expect((await toPng(draw([["東京オフィス", 10, 0]]))).length).toBeGreaterThan(1_000);
});

it("has something to see for the smallest amount beside a huge one", () => {
  const svg = draw([
    ["Milo", 987_654_321_000, 0],
    ["Penny", 0, 1],
  ]);
  const widths = [...svg.matchAll(/width="([\d.]+)" height="20" rx="6" fill="#f08c2e"/gu)].map(([, wide]) =>
    Number(wide),
  );
  expect(widths).toEqual([4]);
});

it.each([
  [0, "0"],
  [812, "812"],
  [999, "999"],
  [1_000, "1k"],
  [12_449, "12.4k"],
  [99_960, "100k"],
  [999_400, "999k"],
  [999_600, "1M"],
  [1_249_000, "1.2M"],
  [3_000_000_000, "3B"],
  [1_045_000_000_000, "1T"],
])("%d tokens are written %s", (count, written) => {
  expect(words.tokens(count)).toBe(written);
});
