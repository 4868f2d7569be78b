import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { measureMarkdown, renderCaption, renderPost, splitPost } from "../../adapters/discord/message.ts";
import { renderDiscord } from "../../adapters/discord/render.ts";
import { parseMarkdown, plainDocument, toPlainText } from "../../src/chat/index.ts";
import { forPartsOfLongPosts, piecesOfMarkdown } from "../support/markdown.ts";
import { live, visible } from "./visible.ts";

const render = (markdown: string) => renderDiscord(parseMarkdown(markdown));
const compact = (text: string) => text.replace(/[\s\u200B\u2060]+/gu, "");

beforeEach(() => {
  live.length = 0;
});

describe("Markdown as Discord's Markdown", () => {
  it.each([
    ["**bold** *italic* ~~gone~~ `x < y`", "**bold** *italic* ~~gone~~ `x < y`"],
    ["# One\n\n## Two\n\n### Three\n\n#### Four\n\ntext", "# One\n## Two\n### Three\n**Four**\ntext"],
    ["#### A **strong** title", "**A strong title**"],
    ["[docs](https://example.com/?a=1&b=2)", "[docs](<https://example.com/?a=1&b=2>)"],
    ["<https://example.com>", "<https://example.com>"],
    ["see https://example.com/a_b_c now", "see <https://example.com/a_b_c> now"],
    ["[https://evil.example](https://example.com)", "https://evil.example (<https://example.com>)"],
    ["[Ada](tg://user?id=7)", "Ada"],
    ["[call](tel:+351123)", "call (+351123)"],
    ["[write](mailto:ada@example.com?subject=Tea)", "write (ada@example.com)"],
    ["2 \\* 3 \\* 4, snake_case, \\_x\\_", "2 \\* 3 \\* 4, snake_case, \\_x\\_"],
    ["```ts\nconst a = 1 < 2;\n```", "```ts\nconst a = 1 < 2;\n```"],
    ["```\n\n  indented\n\n```", "```\n  indented\n```"],
    ["> said\n> twice", "> said\n> twice"],
    ["- [x] done\n- [ ] open", "- ☑ done\n- ☐ open"],
    ["3. three\n4. four", "3. three\n4. four"],
    ["- one\n  - inner\n- two", "- one\n  - inner\n- two"],
    ["1. one\n   - inner\n2. two", "1. one\n   - inner\n2. two"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["first\\\nsecond", "first\nsecond"],
  ])("shows %j", (markdown, text) => {
    expect(render(markdown)).toBe(text);
  });

  it.each([
    ["\\# no heading", "# no heading"],
    ["\\- no list", "- no list"],
    ["1\\. no list", "1. no list"],
    ["\\> no quotation", "> no quotation"],
    ["-# not dim", "-# not dim"],
    ["\\|\\|no spoiler\\|\\|", "||no spoiler||"],
    ["\\~\\~kept\\~\\~", "~~kept~~"],
    ["__init__ is bold in Markdown", "init is bold in Markdown"],
    ["\\_\\_init\\_\\_", "__init__"],
    ["\\`no code\\`", "`no code`"],
    ["\\[no\\](https\\://example.com)", "[no](https://example.com)"],
  ])("shows %j letter by letter", (markdown, text) => {
    expect(visible(render(markdown))).toBe(text);
  });

  it("F-49 mentions nobody and starts nothing, whatever is written", () => {
    const written = "<@123456789012345678> <@!12345678901234567> <@&123456789012345678> <#123456789012345678>";
    const more = "<:wave:123456789012345678> <t:1600000000:R> </ask:123456789012345678> @everyone @here";
    const shown = visible(render(`${written} ${more}`));
    expect(live).toEqual([]);
    expect(shown.replaceAll("\u2060", "")).toBe(`${written} ${more}`);
  });

  it("F-44 keeps code in its block, whatever backticks it has", () => {
    const code = "a\n```\nb ```` c\n~~~";
    const rendered = render(`~~~~md\n${code}\n~~~~`);
    expect(rendered.match(/```/gu)).toHaveLength(2);
    expect(visible(rendered).replaceAll("\u200B", "")).toBe(code);
    expect(visible(render("a `` x`y `` b ```` p```q ````")).replaceAll("\u200B", "")).toBe("a x`y b p```q");
  });

  it("keeps apart what touches", () => {
    expect(visible(render("**a***b* and *c***d**")).replaceAll("\u200B", "")).toBe("ab and cd");
    expect(visible(render("***both***")).replaceAll("\u200B", "")).toBe("both");
  });

  it("draws what Discord cannot nest", () => {
    expect(render("> outer\n>\n> > inner\n>\n> # head")).toBe("> outer\n> \n> │ inner\n> \n> **head**");
    expect(render("- > said\n- # head")).toBe("- │ said\n- **head**");
  });

  it("does not indent the code in a list", () => {
    expect(render("- run\n\n  ```sh\n  it\n    now\n  ```\n\n  then")).toContain("```sh\nit\n  now\n```");
  });

  it("aligns a small table in a block of code", () => {
    expect(visible(render("| name | n |\n|---|--:|\n| a | 1 |\n| long | 200 |"))).toBe(
      "name    n\n────  ───\na       1\nlong  200",
    );
  });

  it("turns a table too wide for a phone into one paragraph a row", () => {
    const text = render(`| task | state |\n|---|---|\n| deploy **site** | ${"waits for a review ".repeat(4)} |`);
    expect(text).toContain("**deploy site**\nstate: waits for a review");
    expect(text).not.toContain("```");
  });

  it("puts the persona above and the footer beneath", () => {
    const post = { text: "*hi*", persona: { name: "Milo", picture: "🦊" }, footer: "Milo · 4 s", notify: true };
    expect(renderPost(post)).toBe("**🦊 Milo**\n*hi*\n-# Milo · 4 s");
    expect(renderPost(post, false)).toBe("*hi*\n-# Milo · 4 s");
  });

  it("shows plain words as they were written, for whatever they are", () => {
    const pieces = fc.constantFrom(
      "*",
      "_",
      "__",
      "~~",
      "`",
      "```",
      "||",
      "|",
      "\\",
      "<@1>",
      "<",
      ">",
      "#",
      "-",
      "1.",
      "[",
      "](",
      ")",
      ":",
      "@",
      "a",
      "Ada ",
      " ",
      "\n",
      "é",
      "😀",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        live.length = 0;
        expect(compact(visible(renderDiscord(plainDocument(text))))).toBe(compact(text));
        expect(live).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("loses no word and makes no mention, for whatever Markdown is written", () => {
    const pieces = piecesOfMarkdown("<@12>", "||");
    const word = fc.integer({ min: 10, max: 99 }).map((n) => `w${n} `);
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, word), { maxLength: 40 }), (parts) => {
        const markdown = parts.join("");
        live.length = 0;
        const shown = visible(render(markdown));
        const words = toPlainText(parseMarkdown(markdown)).match(/w\d\d/gu);
        expect(shown.match(/w\d\d/gu)).toEqual(words);
        expect(live).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("splitting for Discord", () => {
  it("leaves what fits as it is", () => {
    const post = { text: "short", notify: true };
    expect(splitPost(post)).toEqual([post]);
  });

  it("F-43 measures the rendered form, and gives each part the name and the last one footer, lists and buttons", () => {
    const text = Array.from({ length: 300 }, (_, n) => `Line ${n} with **bold** * stars * and \`code\`.`).join("\n\n");
    const buttons = [[{ label: "Go", token: "t" }]];
    const selects = [{ label: "Who", options: [{ label: "Milo", token: "m" }] }];
    const persona = { name: "Milo" };
    const parts = splitPost({ text, persona, footer: "Milo · 48 s", buttons, selects, replyTo: "5", notify: true });
    expect(parts.length).toBeGreaterThan(1);
    const last = parts.length - 1;
    for (const part of parts) expect(renderPost(part).length).toBeLessThanOrEqual(2000);
    expect(parts.every((part) => part.persona === persona)).toBe(true);
    expect(parts.map((part) => part.buttons !== undefined)).toEqual(parts.map((_, n) => n === last));
    expect(parts.map((part) => part.selects !== undefined)).toEqual(parts.map((_, n) => n === last));
    expect(parts.map((part) => part.replyTo)).toEqual(parts.map((_, n) => (n === 0 ? "5" : undefined)));
    expect(parts.map((part) => part.notify)).toEqual(parts.map((_, n) => n === 0));
    expect(parts.at(-1)?.footer).toBe("Milo · 48 s");
  });

  it("F-43 leaves room for the name and the footer, so that no word and no markup is lost to them", () => {
    const text = "**a** ".repeat(331).trim();
    for (const more of [{ footer: "Milo · 48 s · some model" }, { persona: { name: "Milo the Magnificent" } }]) {
      const parts = splitPost({ text, notify: true, ...more }).map((part) => renderPost(part));
      expect(parts).toHaveLength(2);
      expect(parts.join(" ").match(/\*\*a\*\*/gu)).toHaveLength(331);
    }
  });

  it("F-43 makes parts that Discord takes, for whatever is long", () => {
    forPartsOfLongPosts(splitPost, (part) => {
      expect(renderPost(part).length).toBeLessThanOrEqual(2000);
      expect(visible(renderPost(part, false)).length).toBeGreaterThan(0);
      expect((renderPost(part).match(/```/gu) ?? []).length % 2).toBe(0);
    });
  });

  it("never sends more than fits, also where nobody split", () => {
    expect(renderPost({ text: "\\* ".repeat(3000), footer: "x", notify: true }).length).toBeLessThanOrEqual(2000);
    expect(renderCaption("word ".repeat(900)).length).toBeLessThanOrEqual(2000);
  });

  it("counts as Discord does: what is sent, in UTF-16 units", () => {
    expect(measureMarkdown("**😀** \\*")).toBe("**😀** \\*".length);
  });
});
