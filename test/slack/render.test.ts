import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderPlain, renderPost, splitPost } from "../../adapters/slack/message.ts";
import { renderMrkdwn } from "../../adapters/slack/mrkdwn.ts";
import { clipped, escapedLength, measureMarkdown, plainPieces, renderMarkdown } from "../../adapters/slack/render.ts";
import { richMarkdown } from "../../adapters/slack/rich.ts";
import { decodeText, mentionsIn } from "../../adapters/slack/text.ts";
import { type Post, parseMarkdown, toPlainText } from "../../src/chat/index.ts";
import { forPartsOfLongPosts, piecesOfMarkdown } from "../support/markdown.ts";

const render = (markdown: string) => renderMarkdown(parseMarkdown(markdown));
/** Slack's own tokens, which it reads before the Markdown around them. */
const token = /<(?:[@#!][^\u2060])/u;

const pieces = piecesOfMarkdown(
  ...["<!channel>", "<@U123>", "<#C1|x>", "<!subteam^S1>", "&lt;!here&gt;", "<https://e.com|x>", "@here", "\\<!here>"],
);

describe("Markdown as Slack's markdown block takes it", () => {
  it.each([
    ["**bold** *italic* ~~gone~~ `x < y`", "**bold** *italic* ~~gone~~ `x < y`"],
    ["# Title\n\ntext", "# Title\n\ntext"],
    ["a < b & c > d", "a &lt; b & c > d"],
    ["[docs](https://example.com/?a=1&b=2)", "[docs](https://example.com/?a=1&b=2)"],
    ["<https://example.com>", "<https://example.com>"],
    ["<https://example.com/?a=1&b=2>", "<https://example.com/?a=1&b=2>"],
    ["[a](https://e.com/x_(y)_z)", "[a](https://e.com/x_%28y%29_z)"],
    ["[x](https://e.com/<!channel>)", "[x](https://e.com/%3C!channel%3E)"],
    ["![x](https://e.com/&lt;!here&gt;)", "[x](https://e.com/%3C!here%3E)"],
    ["```<!here>\ncode\n```", "```\ncode\n```"],
    ["[Ada](tg://user?id=7)", "Ada"],
    ["![x](https://a.example/x.png)", "[x](https://a.example/x.png)"],
    ["```ts\nconst a = 1 < 2;\n```", "```ts\nconst a = 1 < 2;\n```"],
    ["- [x] done\n- [ ] open", "- [x] done\n- [ ] open"],
    ["<@U1> and <!here>", "&lt;@U1> and @\u2060here"],
    ["`<!here>`", "`<\u2060!here>`"],
    ["<b>bold</b>", "&lt;b>bold&lt;/b>"],
  ])("%j is %j", (markdown, rendered) => {
    expect(render(markdown)).toBe(rendered);
  });

  it("F-49 never contains a mention, for whatever is written", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = render(parts.join(""));
        expect(text).not.toMatch(token);
        expect(renderPlain({ text: parts.join(""), notify: true }, false).text).not.toMatch(/</u);
        expect(renderMrkdwn({ text: parts.join("") })).not.toMatch(/<(?!https?:|mailto:|tel:)/u);
      }),
      { numRuns: 500 },
    );
  });

  it("shows the same words once Slack has read it", () => {
    fc.assert(
      // Addresses are written as Slack takes them, not as Markdown would.
      fc.property(
        fc.array(
          pieces.filter((piece) => !piece.includes("https:")),
          { maxLength: 30 },
        ),
        (parts) => {
          const document = parseMarkdown(parts.join(""));
          const seen = toPlainText(parseMarkdown(renderMarkdown(document)));
          // Code that goes over a line of a quotation gains or loses the mark of that line.
          const words = (text: string) => visible(text).replaceAll(">", "");
          expect(words(seen)).toBe(words(toPlainText(document)));
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Without white space and the joiners that nobody sees. */
function visible(text: string): string {
  return text.replace(/[\s\u2060]/gu, "");
}

describe("pages in Slack's own mark-up", () => {
  it.each([
    ["# Title\n\n**bold** *it* ~~no~~ `x < y`", "*Title*\n\n*bold* _it_ ~no~ `x &lt; y`"],
    ["[a|b](https://e.com/?a=1&b=2)", "<https://e.com/?a=1&amp;b=2|a¦b>"],
    ["- one\n  - inner\n- [x] two", "• one\n    • inner\n☑ two"],
    ["> said\n> more", "> said\n> more"],
    ["```\na\n```", "```\na\n```"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n1 | 2"],
  ])("%j is %j", (text, rendered) => {
    expect(renderMrkdwn({ text })).toBe(rendered);
  });
});

describe("splitting for Slack", () => {
  it("leaves what fits as it is", () => {
    const post = { text: "short", notify: true };
    expect(splitPost(post)).toEqual([post]);
  });

  it("F-43 measures the rendered form and everything beneath it, and gives the last part the buttons", () => {
    const text = Array.from({ length: 900 }, (_, n) => `Line ${n} with **bold** & <tags> and \`code\`.`).join("\n\n");
    const post: Post = {
      text,
      persona: { name: "Milo" },
      footer: "Milo · 48 s",
      buttons: [[{ label: "Go", token: "t" }]],
      selects: [
        {
          label: "Who",
          options: Array.from({ length: 25 }, (_, n) => ({ label: "long ".repeat(15) + n, token: `t${n}` })),
        },
      ],
      replyTo: "5",
      notify: true,
    };
    const parts = splitPost(post);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map((part) => [part.buttons, part.selects, part.footer].every((one) => one !== undefined))).toEqual(
      parts.map((_, n) => n === parts.length - 1),
    );
    expect(parts.map(({ notify, replyTo }) => [notify, replyTo])).toEqual(
      parts.map((_, n) => (n === 0 ? [true, "5"] : [false, undefined])),
    );
    expect(parts.every(({ persona }) => persona?.name === "Milo")).toBe(true);
    for (const part of parts) expectFits(part);
  });

  it("F-43 makes parts that Slack takes, for whatever is long", () => {
    forPartsOfLongPosts(splitPost, expectFits, { longest: 9000, blocks: 6, numRuns: 15, signs: "<&>" });
  });

  it("counts what Slack escapes", () => {
    expect(measureMarkdown("a & b")).toBe(9);
    expect(escapedLength("<&>")).toBe("&lt;&amp;&gt;".length);
  });

  function expectFits(part: Post): void {
    const { blocks, text } = renderPost(part, true);
    const [first] = blocks;
    const markdown = first?.type === "markdown" ? first.text : "";
    expect(escapedLength(markdown)).toBeLessThanOrEqual(12_000);
    expect(markdown.trim()).not.toBe("");
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(blocks.length).toBeLessThanOrEqual(50);
    const all = blocks.flatMap((one) => textsIn(one)).reduce((total, each) => total + escapedLength(each), 0);
    expect(all).toBeLessThanOrEqual(13_200);
    for (const plain of renderPlain(part, true).blocks) {
      if (plain.type === "section") expect(escapedLength(plain.text?.text ?? "")).toBeLessThanOrEqual(3_000);
    }
  }
});

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === "text" && typeof one === "string" ? [one] : textsIn(one),
  );
}

describe("what does not fit", () => {
  it("is cut between whole characters, counted as Slack counts them", () => {
    expect(clipped("short", 75)).toBe("short");
    expect(clipped("👩‍👩‍👧".repeat(20), 30)).toMatch(/^(?:👩‍👩‍👧)+…$/u);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 1, max: 100 }), (text, limit) => {
        expect(escapedLength(clipped(text, limit))).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it("as plain text it comes in pieces that are all there", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("word ", "<&>", "日本", "\n", "😀"), { maxLength: 3000 }), (parts) => {
        const text = parts.join("");
        expect(visible(plainPieces(text).join(""))).toBe(visible(toPlainText(parseMarkdown(text))));
      }),
      { numRuns: 30 },
    );
  });
});

describe("Slack's mark-up as Markdown", () => {
  const names = { self: "U0BOT", users: new Map([["U1", "Ada"]]), channels: new Map([["C1", "general"]]) };

  it.each([
    ["<@U0BOT> hello", "hello"],
    ["hello <@U0BOT>, deploy", "hello, deploy"],
    ["hey <@U0BOT> deploy <@U0BOT>", "hey deploy"],
    ["<@U1> <@U2> <@U3|penny>", "@Ada @U2 @penny"],
    ["<#C1> <#C2|random> <#C3>", "#general #random #C3"],
    ["<!here> <!subteam^S1|@ops> <!date^1^{date}|12 May>", "@here @ops 12 May"],
    [
      "<https://e.com|e.com> <https://e.com|https://e.com> <https://e.com/(x)|x>",
      "[e.com](https://e.com) https://e.com [x](<https://e.com/(x)>)",
    ],
    ["<mailto:ada@e.com|ada@e.com>", "ada@e.com"],
    ["<javascript:alert(1)|press>", "press"],
    ["<https://e.com|a [b]>", "a [b] (https://e.com)"],
    ["a &lt; b &amp;amp; c", "a < b &amp; c"],
    ["1 < 2 and <odd>", "1 < 2 and <odd>"],
  ])("%j is %j", (text, decoded) => {
    expect(decodeText(text, names)).toBe(decoded);
  });

  it("finds whom and what it mentions, once each", () => {
    expect(mentionsIn("<@U1> <@U1|ada> <#C1|general> <!here> <https://e.com>")).toEqual({
      users: ["U1"],
      channels: ["C1"],
    });
  });
});

describe("what Slack's composer wrote", () => {
  const names = { self: "U0", users: new Map(), channels: new Map() };
  const section = (text: string, style?: { bold: boolean }) =>
    richMarkdown([{ type: "rich_text_section", elements: [{ type: "text", text, style }] }], names);

  it("keeps the space around what is bold outside of it", () => {
    expect(`${section(" bold ", { bold: true })}|`).toBe("**bold**|");
    expect(section("\n\na\n\nb\n")).toBe("a\n\nb");
  });

  it("is read in a moment, whatever it is filled with", () => {
    const many = 200_000;
    const begun = performance.now();
    section(`a${" ".repeat(many)}b`, { bold: true });
    section(`a${"\n".repeat(many)}b`);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
