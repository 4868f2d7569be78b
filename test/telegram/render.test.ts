import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureMarkdown, renderDraft, renderPost, splitPost } from "../../adapters/telegram/message.ts";
import { renderHtml, visibleText } from "../../adapters/telegram/render.ts";
import { parseMarkdown } from "../../src/chat/index.ts";
import { parseHtml } from "../fakes/telegram/html.ts";
import { forPartsOfLongPosts, piecesOfMarkdown } from "../support/markdown.ts";

const render = (markdown: string) => renderHtml(parseMarkdown(markdown));

describe("Markdown as Telegram HTML", () => {
  it.each([
    ["**bold** *italic* ~~gone~~ `x < y`", "<b>bold</b> <i>italic</i> <s>gone</s> <code>x &lt; y</code>"],
    ["# Title\n\ntext", "<b>Title</b>\n\ntext"],
    ["# A **strong** title", "<b>A strong title</b>"],
    ["[docs](https://example.com/?a=1&b=2)", '<a href="https://example.com/?a=1&amp;b=2">docs</a>'],
    ["<https://example.com>", "https://example.com"],
    ["[Ada](tg://user?id=7)", "Ada"],
    ["[call](tel:+351123)", "call (+351123)"],
    ["[write](mailto:ada@example.com?subject=Tea), ben@example.com", "write (ada@example.com), ben@example.com"],
    ["a < b & c > d", "a &lt; b &amp; c &gt; d"],
    ["```ts\nconst a = 1 < 2;\n```", '<pre><code class="language-ts">const a = 1 &lt; 2;</code></pre>'],
    ["```\nplain\n```", "<pre>plain</pre>"],
    ["```\n\n  indented\n\n```", "<pre>  indented</pre>"],
    ["- run\n  ```\n  it\n  ```\n  > said", "• run\n<pre>it</pre>\n<blockquote>said</blockquote>"],
    ["> said", "<blockquote>said</blockquote>"],
    ["- [x] done\n- [ ] open", "☑ done\n☐ open"],
    ["3. three\n4. four", "3. three\n4. four"],
    ["- one\n  - inner\n- two", "• one\n  • inner\n• two"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["first\\\nsecond", "first\nsecond"],
  ])("shows %j", (markdown, html) => {
    expect(render(markdown)).toBe(html);
  });

  it("folds a long quotation and keeps a nested one readable", () => {
    expect(render(`> ${"word ".repeat(150)}`)).toMatch(/^<blockquote expandable>/);
    expect(render("> outer\n>\n> > inner")).toBe("<blockquote>outer\n\n│ inner</blockquote>");
  });

  it("aligns a small table in a monospaced block", () => {
    expect(visibleText(render("| name | n |\n|---|--:|\n| a | 1 |\n| long | 200 |"))).toBe(
      "name    n\n────  ───\na       1\nlong  200",
    );
  });

  it("counts wide characters as two columns", () => {
    const [, , first = "", second = ""] = visibleText(render("| x | y |\n|---|---|\n| 日本 | a |\n| abcd | b |")).split(
      "\n",
    );
    expect(first).toBe("日本  a");
    expect(second).toBe("abcd  b");
  });

  it("turns a table too wide for a phone into one paragraph a row", () => {
    const html = render(`| task | state |\n|---|---|\n| deploy **site** | ${"waits for a review ".repeat(4)} |`);
    expect(html).toContain("<b>deploy site</b>\nstate: waits for a review");
    expect(html).not.toContain("<pre>");
  });

  it("puts the persona above and the footer beneath", () => {
    const { html, plain } = renderPost({ text: "*hi*", persona: { name: "Milo" }, footer: "Milo · 4 s", notify: true });
    expect(html).toBe("<b>Milo</b>\n<i>hi</i>\n\n<i>Milo · 4 s</i>");
    expect(plain()).toBe("Milo\nhi\n\nMilo · 4 s");
  });

  it("always makes HTML that Telegram can read, for whatever is written", () => {
    const pieces = piecesOfMarkdown("tg://user?id=1");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const markdown = parts.join("");
        const html = render(markdown);
        // What lets a short post be taken for fitting without being parsed.
        if (!markdown.includes("|")) {
          expect(visibleText(html).length).toBeLessThanOrEqual(markdown.length + 8 * markdown.split("\n").length);
        }
        const parsed = parseHtml(html);
        expect(parsed.text).toBe(visibleText(html).trim());
      }),
      { numRuns: 500 },
    );
  });
});

describe("drafts for Telegram", () => {
  it("closes what an unfinished answer left open", () => {
    expect(renderDraft("so **bo").html).toBe("so <b>bo</b>");
    expect(renderDraft("").html).toBe("");
  });

  it("shows the end of a long one, and code as code though its fence is out of sight", () => {
    const code = Array.from({ length: 900 }, (_, n) => `call(${n});`).join("\n");
    const { html } = renderDraft(`Intro\n\n\`\`\`ts\n${code}`);
    expect(html).toMatch(/^…\n\n<pre><code class="language-ts">call\(/);
    expect(html).toMatch(/call\(899\);<\/code><\/pre>$/);
    expect(visibleText(html).length).toBeLessThanOrEqual(4096);
  });

  it("stays within a message also where a table grows by its padding", () => {
    const rows = Array.from({ length: 400 }, () => "| a | b |").join("\n");
    const { html } = renderDraft(`| ${"x".repeat(20)} | ${"y".repeat(20)} |\n|---|---|\n${rows}`);
    expect(parseHtml(html).text.length).toBeLessThanOrEqual(4096);
  });
});

describe("splitting for Telegram", () => {
  it("leaves what fits as it is", () => {
    const post = { text: "short", notify: true };
    expect(splitPost(post)).toEqual([post]);
  });

  it("F-43 measures the rendered form, with persona and footer, and gives the last part what can be pressed", () => {
    const text = Array.from({ length: 300 }, (_, n) => `Line ${n} with **bold** & <tags> and \`code\`.`).join("\n\n");
    const buttons = [[{ label: "Go", token: "t" }]];
    const parts = splitPost({
      text,
      persona: { name: "Milo" },
      footer: "Milo · 48 s",
      buttons,
      selects: [{ label: "Who", options: [{ label: "Penny", token: "p" }] }],
      asksReply: true,
      replyTo: "5",
      notify: true,
    });
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(visibleText(renderPost(part).html).length).toBeLessThanOrEqual(4096);
    for (const key of ["buttons", "selects", "asksReply"] as const) {
      expect(parts.map((part) => part[key] !== undefined)).toEqual(parts.map((_, n) => n === parts.length - 1));
    }
    expect(parts[0]).toMatchObject({ persona: { name: "Milo" }, replyTo: "5", notify: true });
    expect(parts.at(-1)).toMatchObject({ footer: "Milo · 48 s", notify: false });
    expect(parts.slice(1).every((part) => part.persona === undefined && part.replyTo === undefined)).toBe(true);
  });

  it("F-43 makes parts that Telegram takes, for whatever is long", () => {
    forPartsOfLongPosts(splitPost, (part) => {
      const { text } = parseHtml(renderPost(part).html);
      expect(text.length).toBeLessThanOrEqual(4096);
      expect(text.length).toBeGreaterThan(0);
    });
  });

  it("counts as Telegram does: UTF-16 units after parsing", () => {
    expect(measureMarkdown("**😀** &amp; `<`")).toBe(6);
  });
});
