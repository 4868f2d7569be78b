import { describe, expect, test } from "vitest";
import { closeOpenMarkdown, parseMarkdown, toMarkdown, toPlainText } from "../../src/chat/index.ts";

const plain = (markdown: string) => toPlainText(parseMarkdown(markdown));

describe("Markdown from outside", () => {
  test("an image is a link, so that showing it fetches nothing", () => {
    expect(parseMarkdown("![chart](https://a.example/x.png)").children).toEqual([
      {
        type: "paragraph",
        children: [{ type: "link", url: "https://a.example/x.png", children: [{ type: "text", value: "chart" }] }],
      },
    ]);
  });

  test.each([
    ["[Ada](tg://user?id=7)", "Ada"],
    ["[run](javascript:alert(1))", "run"],
    ["[app.ts](/srv/shipmate/app.ts:12)", "app.ts"],
    ["[x](data:text/html,hi)", "x"],
    ["<tg://user?id=7>", "tg://user?id=7"],
  ])("the link in %s is only its words", (markdown, words) => {
    expect(parseMarkdown(markdown).children).toEqual([
      { type: "paragraph", children: [{ type: "text", value: words }] },
    ]);
  });

  test("one tilde is an about, two are a strike", () => {
    expect(plain("1~2 days, ~~not~~ H~2~O")).toBe("1~2 days, not H~2~O");
    expect(toMarkdown(parseMarkdown("in ~2 days and ~3 nights"))).not.toContain("~~");
  });

  test("a line break written as HTML begins the next line at its edge", () => {
    expect(plain("one<br> two<br/>three")).toBe("one\ntwo\nthree");
  });

  test.each(["@everyone", "hello @here", "(@channel)", "<!channel>", "<!here|here>", "<!subteam^S12|@ops>"])(
    "F-49 %s keeps its words and pings nobody",
    (markdown) => {
      const shown = plain(`${markdown} look`);
      expect(shown).not.toMatch(/@(?:everyone|here|channel|ops)|<!/u);
      expect(shown.replaceAll("\u2060", "")).toMatch(/@(?:everyone|here|channel|ops)\)? look$/u);
      expect(plain(toMarkdown(parseMarkdown(markdown)))).toBe(plain(markdown));
    },
  );

  test("an address with a ping word in it is left alone", () => {
    expect(plain("mail ops@here.example or `@everyone`")).toContain("`@everyone`".replaceAll("`", ""));
    expect(plain("mail ops@here.example")).toContain("ops@here.example");
  });

  test("HTML is text, and a line break in a table cell is one", () => {
    expect(plain("<b>bold</b> & <i>")).toBe("<b>bold</b> & <i>");
    const table = "| a |\n| - |\n| x<br>y |";
    expect(plain(table)).toBe("a\nx y");
    expect(parseMarkdown(toMarkdown(parseMarkdown(table)))).toEqual(parseMarkdown(table));
  });

  test("control characters and half characters are gone", () => {
    expect(plain("a\u001b[2Jb\u0000c\u009bd\u0007")).toBe("a[2Jbcd");
    expect(plain("a\uD83D").isWellFormed()).toBe(true);
    expect(plain("&#27;[2J")).not.toContain("\u001b");
  });

  test("what has no visible block is shown as it is", () => {
    expect(plain("[docs]: https://a.example")).toBe("[docs]: https://a.example");
    expect(plain("")).toBe("");
  });

  test("references and footnotes stand where they are used", () => {
    expect(plain("[the docs][d] say so[^1]\n\n[d]: https://a.example/d\n[^1]: Page 3.")).toBe(
      "the docs (https://a.example/d) say so[1]\n\n[1] Page 3.",
    );
  });

  test.each([
    ["quotes", ">".repeat(5_000)],
    ["list markers", "- ".repeat(5_000)],
    ["emphasis", "**a".repeat(10_000)],
    ["closed emphasis", `${"*a ".repeat(2_000)}${"b* ".repeat(2_000)}`],
    ["brackets", "[".repeat(30_000)],
    ["strikes", "~~a".repeat(10_000)],
    ["deep lists", Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n")],
  ])("thousands of %s are parsed and written again", (_, markdown) => {
    const shown = plain(markdown);
    expect(shown.length).toBeGreaterThan(0);
    expect(plain(toMarkdown(parseMarkdown(markdown))).replace(/\s/gu, "")).toBe(shown.replace(/\s/gu, ""));
  });

  test("plain text keeps markers, numbers, states and addresses", () => {
    const markdown =
      "3. three\n4. four\n   - [x] done\n   - [ ] open\n\n> said [here](https://a.example) https://b.example";
    expect(plain(markdown)).toBe(
      "3. three\n4. four\n   ☑ done\n   ☐ open\n\n> said here (https://a.example) https://b.example",
    );
  });

  test("an unfinished answer is closed for its preview", () => {
    expect(plain(closeOpenMarkdown("see **the bold"))).toBe("see the bold");
    expect(plain(closeOpenMarkdown("see [the link](https://a.exa"))).toBe("see the link");
  });
});
