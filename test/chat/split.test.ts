import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Document, parseMarkdown, splitMarkdown, toMarkdown, toPlainText } from "../../src/chat/index.ts";

/** The size as Telegram counts it: UTF-16 units of the text that is left once the markup became entities. */
const measure = (markdown: string) => toPlainText(parseMarkdown(markdown)).length;

/** Every character people see in a document, without white space and without the markers and addresses renderers add. */
function letters(node: unknown, skipTableHeaders = false): string {
  if (typeof node !== "object" || node === null) return "";
  const { type, value, children } = node as { type: string; value?: string; children?: unknown[] };
  if (value !== undefined) return value.replace(/\s+/gu, "");
  const inside = skipTableHeaders && type === "table" ? (children ?? []).slice(1) : (children ?? []);
  return inside.map((child) => letters(child, skipTableHeaders)).join("");
}

const lettersOf = (markdown: string, skipTableHeaders = false) => letters(parseMarkdown(markdown), skipTableHeaders);

const word = fc.constantFrom(
  ..."a deploy, failed. rm -rf * _under_ `code` <b> & © 🇵🇹 👩‍👩‍👧‍👦 e\u0301\u0323 שלום مرحبا 日本語です。 C:\\temp\\ 1. - # | ~ [x] (y) https://a.example/b?c=d&e=f user@a.example ![i](u) **".split(
    " ",
  ),
);
const sentence = fc.array(word, { minLength: 1, maxLength: 15 }).map((words) => words.join(" "));
const styled = fc
  .tuple(sentence, fc.constantFrom("", "**", "*", "~~", "`"), sentence)
  .map(([before, mark, inside]) => `${before} ${mark}${inside.replaceAll("`", "")}${mark}`);
const line = fc.oneof(sentence, styled);
const code = fc
  .array(fc.constantFrom("const a = 1;", "  if (x) {", "", "```", "\treturn `y`;", "🇵🇹".repeat(30)), { maxLength: 25 })
  .map((lines) => `~~~~ts\n${lines.join("\n")}\n~~~~`);
const cell = sentence.map((text) => text.replaceAll("|", "\\|").replaceAll("`", ""));
const table = fc
  .array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 })
  .map((rows) => ["| HEAD | NAME |", "|---|---|", ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join("\n"));
const endless = fc.tuple(
  fc.constantFrom("a", "ä", "🇵🇹", "👩‍👩‍👧‍👦", "日", "*a", "ש"),
  fc.integer({ min: 1, max: 900 }),
);
const leaf = fc.oneof(
  line,
  code,
  table,
  line.map((text) => `## ${text}`),
  endless.map(([unit, count]) => unit.repeat(count)),
  fc.constant("---"),
);
const several = (block: fc.Arbitrary<string>, separator: string) =>
  fc.array(block, { minLength: 1, maxLength: 3 }).map((blocks) => blocks.join(separator));
const inQuote = (text: string) => text.replace(/^/gmu, "> ");
const inItem = (text: string) => `- ${text.replaceAll("\n", "\n  ")}`;
const inNumber = (text: string) => `7. ${text.replaceAll("\n", "\n   ")}`;

/** Markdown with blocks in quotes and lists, three deep. */
function nestedIn(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const body = several(inner, "\n\n");
  return fc.oneof(inner, body.map(inQuote), several(body.map(inItem), "\n"), several(body.map(inNumber), "\n"));
}
const nested = several(nestedIn(nestedIn(leaf)), "\n\n");
const runs = { numRuns: 60 };
const limits = fc.constantFrom(120, 400, 1_024, 4_096);

describe("parts of any Markdown", { timeout: 60_000 }, () => {
  test("F-43 never measure more than the limit once rendered", () => {
    fc.assert(
      fc.property(nested, limits, (text, limit) => {
        for (const part of splitMarkdown(text, { limit, measure })) expect(measure(part)).toBeLessThanOrEqual(limit);
      }),
      runs,
    );
  });

  test("F-44 put together give the text back", () => {
    fc.assert(
      fc.property(nested, limits, (text, limit) => {
        const parts = splitMarkdown(text, { limit, measure });
        const whole = parts.map((part) => lettersOf(part, true)).join("");
        // A table that was cut shows its header in each part; headers are compared by the test below.
        expect(whole).toBe(lettersOf(text, true));
      }),
      runs,
    );
  });

  test("serialize and parse to the same document again", () => {
    fc.assert(
      fc.property(nested, (text) => {
        const document: Document = parseMarkdown(text);
        expect(letters(parseMarkdown(toMarkdown(document)))).toBe(letters(document));
      }),
      runs,
    );
  });

  test("never cut a grapheme or a surrogate pair", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("🇵🇹", "👩‍👩‍👧‍👦", "e\u0301\u0323", "𝔞"),
        fc.integer({ min: 50, max: 3_000 }),
        (unit, count) => {
          const parts = splitMarkdown(unit.repeat(count), { limit: 101, measure });
          for (const part of parts) expect(part.replaceAll(unit, "")).toBe("");
        },
      ),
    );
  });
});

describe("where a text is cut", () => {
  const paragraph = (index: number) => `Paragraph ${index}. ${"It has some words. ".repeat(5)}`.trim();
  const split = (text: string, limit: number) => splitMarkdown(text, { limit, measure });

  test("a text that fits is left as it is", () => {
    expect(split("a *b*  \n\n\nc", 100)).toEqual(["a *b*  \n\n\nc"]);
  });

  test("between paragraphs, when there are any", () => {
    const paragraphs = Array.from({ length: 30 }, (_, index) => paragraph(index));
    const parts = split(paragraphs.join("\n\n"), 500);
    expect(parts.flatMap((part) => part.split("\n\n"))).toEqual(paragraphs);
  });

  test("a heading goes with what it heads", () => {
    const sections = Array.from({ length: 12 }, (_, index) => `## Part ${index}\n\n${paragraph(index)}`);
    for (const part of split(sections.join("\n\n"), 400)) expect(part).not.toMatch(/## Part \d+$/u);
  });

  test("parts are about even, without a tail of one word", () => {
    const sizes = split("some words of one paragraph, and more of them. ".repeat(100), 1_500).map(measure);
    expect(Math.min(...sizes)).toBeGreaterThan(Math.max(...sizes) * 0.7);
  });

  test("F-44 a fence is closed and opened again in the same language", () => {
    const lines = Array.from({ length: 200 }, (_, index) => `  const line${index} = "\`\`\`";`);
    const parts = split(`Look:\n\n\`\`\`\`ts\n${lines.join("\n")}\n\`\`\`\`\n\nDone.`, 1_000);
    expect(parts.length).toBeGreaterThan(5);
    const blocks = parts.flatMap((part) => parseMarkdown(part).children);
    const code = blocks.flatMap((block) => (block.type === "code" ? [block] : []));
    expect(new Set(code.map((block) => block.lang))).toEqual(new Set(["ts"]));
    expect(code.map((block) => block.value).join("\n")).toBe(lines.join("\n"));
    expect(blocks.length - code.length).toBe(2);
  });

  test("a table shows its header in every part", () => {
    const rows = Array.from({ length: 100 }, (_, index) => `| row${index} | ${index} |`);
    const parts = split(["| Name | Count |", "| :- | -: |", ...rows].join("\n"), 400);
    for (const part of parts) {
      const [table] = parseMarkdown(part).children;
      expect(toPlainText(parseMarkdown(part)).split("\n")[0]).toBe("Name | Count");
      expect(table).toMatchObject({ type: "table", align: ["left", "right"] });
    }
    expect(parts.join("\n").match(/row\d+/gu)).toEqual(rows.map((_, index) => `row${index}`));
  });

  test("a header too long to repeat is said once", () => {
    const text = `| ${"long header ".repeat(40)} | b |\n| - | - |\n${"| x | y |\n".repeat(50)}`;
    const parts = split(text, 300);
    expect(parts.join(" ").match(/long header/gu)).toHaveLength(40);
    expect(parts.map(measure).every((size) => size <= 300)).toBe(true);
  });

  test("numbers of a list go on in the next part", () => {
    const items = Array.from({ length: 60 }, (_, index) => `${index + 1}. Item number ${index + 1}`);
    const shown = split(items.join("\n"), 300).map((part) => toPlainText(parseMarkdown(part)));
    expect(shown.join("\n").split("\n")).toEqual(items);
  });

  test("emphasis and links go on in the next part", () => {
    const parts = split(`**[${"word ".repeat(200).trim()}](https://a.example)**`, 400);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part).toMatch(/^\*\*\[.*\]\(https:\/\/a\.example\)\*\*$/u);
  });

  test("text without spaces is cut between words as its language has them", () => {
    const parts = split("今日は天気がいいですね、散歩に行きましょう".repeat(60), 200);
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts.slice(0, -1)) expect(measure(part)).toBeGreaterThan(100);
  });

  test("a limit smaller than one grapheme still ends, and keeps surrogate pairs", () => {
    const parts = split("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 1);
    expect(parts.join("")).toBe("👩‍👩‍👧‍👦👩‍👩‍👧‍👦");
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
  });

  test.each([
    ["one line", "a".repeat(100_000)],
    ["words", "some **bold** words and `code`. ".repeat(3_200)],
    ["items", "- an item of a list\n".repeat(5_000)],
    ["code", `\`\`\`\n${"const a = 1;\n".repeat(8_000)}\`\`\``],
    ["rows", `| a | b |\n| - | - |\n${"| some | cells |\n".repeat(6_000)}`],
  ])(
    "100,000 characters of %s are measured about once",
    (_, text) => {
      let measured = 0;
      const parts = splitMarkdown(text, {
        limit: 4_096,
        measure: (markdown) => {
          measured += markdown.length;
          return measure(markdown);
        },
      });
      expect(parts.length).toBeGreaterThan(20);
      expect(measured).toBeLessThan(text.length * 2.5);
    },
    30_000,
  );
});
