import fc from "fast-check";
import type { Post } from "../../src/chat/index.ts";

const common = [
  ...["**", "*", "_", "`", "```", "~~", "\\", "> ", "- ", "- [x] ", "1. ", "# ", "| a | b |\n|---|---|\n"],
  ...[
    "<b>",
    "</i>",
    "&amp;",
    "&",
    "<",
    ">",
    '"',
    "[x](https://e.com)",
    "](https://e.com/",
    ")",
    "[",
    "[y](javascript:a)",
  ],
  ...["\n", "\n\n", " ", "word ", "😀", "日"],
];

/** Pieces of Markdown, whole and broken, and what else means something on a platform. */
export function piecesOfMarkdown(...more: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...common, ...more);
}

/** Holds every part of long posts of all kinds against `check`. `longest`: of one block, in characters. */
export function forPartsOfLongPosts(
  split: (post: Post) => readonly Post[],
  check: (part: Post) => void,
  { longest = 3000, blocks = 8, numRuns = 25, signs = "\\* " } = {},
): void {
  const size = fc.integer({ min: 1, max: longest });
  const block = fc.oneof(
    fc.constantFrom(
      "# Title",
      "> said & <done>",
      "- item **one**\n  - [x] inner",
      "| a | b |\n|---|---|\n| `x` | y |",
      "---",
    ),
    size.map((n) => `\`\`\`ts\n${"if (a < b) c();\n".repeat(n / 10)}\`\`\``),
    size.map((n) => "**so** *it* goes & on 😀 ".repeat(n / 20)),
    size.map((n) => "日".repeat(n)),
    size.map((n) => signs.repeat(n)),
  );
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: blocks }), (texts) => {
      const text = texts.join("\n\n");
      for (const part of split({ text, persona: { name: "Milo" }, footer: "Milo · 4 s", notify: true })) check(part);
    }),
    { numRuns },
  );
}
