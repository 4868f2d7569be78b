import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AdapterHarness } from "./adapter.harness.ts";
import { approve, compact, deny, everyTest, idIn, says, testsWhere, until } from "./adapter.stage.ts";

/** What we show arrives whole and readable, whatever is in it. */
export function showing(harness: AdapterHarness): void {
  const scene = everyTest(harness);
  const testWhere = testsWhere(harness);

  test("a post is shown, and the receipt names it", async () => {
    const receipt = await scene.send(says("The **deploy** went `fine`.", { footer: "Milo · 3 s" }));
    const message = (await scene.stage.shown()).at(-1);
    expect(receipt).toEqual({ outcome: "delivered", messageId: message?.id });
    expect(compact(message?.text ?? "")).toContain("Thedeploywentfine.");
    expect(message?.text).toContain("Milo · 3 s");
  });

  test("F-43 a huge answer fits when it was cut, and all of it is shown in order", async () => {
    const words = Array.from({ length: 9_000 }, (_, index) => `w${index}`);
    const lines = words.map((word, index) => (index % 12 === 11 ? `**${word}**\n\n` : `${word} `));
    const parts = scene.stage.adapter.split(says(lines.join(""), { footer: "Milo · 9 s", buttons: [[approve]] }));
    for (const part of parts) expect(await scene.send(part)).toMatchObject({ outcome: "delivered" });
    const shown = await scene.stage.shown();
    const limit = scene.stage.limit ?? Number.POSITIVE_INFINITY;
    for (const message of shown) expect(message.text.length).toBeLessThanOrEqual(limit);
    const all = shown.map((message) => message.text).join(" ");
    expect(all.match(/\bw\d+\b/gu)).toEqual(words);
    expect(shown.map((message) => message.buttons.length)).toEqual(shown.map((_, i) => (i + 1 < shown.length ? 0 : 1)));
    expect(shown.at(-1)?.text).toContain("Milo · 9 s");
  });

  test("F-44 code that is cut stays code in every part", async () => {
    const code = Array.from({ length: 3_000 }, (_, index) => `  line(${index});`).join("\n");
    for (const part of scene.stage.adapter.split(says(`\`\`\`ts\n${code}\n\`\`\``))) await scene.send(part);
    const shown = (await scene.stage.shown()).map((message) => message.text);
    expect(shown.join("\n").match(/line\(\d+\);/gu)).toHaveLength(3_000);
    expect(shown.join("")).not.toContain("```");
  });

  test.each(junk)("F-42 %j always arrives", async (text, words) => {
    expect(await scene.send(says(text))).toMatchObject({ outcome: "delivered" });
    expect(compact((await scene.stage.shown()).at(-1)?.text ?? "")).toContain(compact(words));
  });

  test("a press comes back with the token of its button, and is answered", async () => {
    const events = await scene.listen();
    const receipt = await scene.send(says("Milo asks: run a command", { buttons: [[approve, deny]] }));
    expect((await scene.stage.shown()).at(-1)?.buttons).toEqual(["Approve", "Deny"]);
    await scene.stage.press("Deny");
    await until(() => expect(events).toHaveLength(1));
    const press = events[0];
    expect(press).toMatchObject({ kind: "button", token: deny.token, author: { id: scene.stage.ada } });
    expect(press?.kind === "button" && press.messageId).toBe(idIn(receipt));
    if (press?.kind !== "button") return;
    await scene.stage.adapter.answer?.(press.interaction, "Only Ada can decide this.");
    await until(async () => expect((await scene.stage.answers()).at(-1)).toContain("Only Ada can decide this."));
  });

  test("a link opens its address and stands beside the buttons", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    await scene.send(says("Penny wants to use the calendar.", { links: [signIn], buttons: [[approve]] }));
    const shown = (await stage.shown()).at(-1);
    expect(shown?.links).toEqual([signIn]);
    expect(shown?.buttons).toEqual(["Approve"]);
    await stage.press("Approve");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "button", token: approve.token });
  });

  test.each([
    "http://localhost:8787/f/one-time",
    `https://calendar.example/authorize?scope=${"calendar.read+".repeat(200)}end`,
  ])("a link that no button takes can be read: %s", async (url) => {
    expect(await scene.send(says("Sign in here.", { links: [{ label: "Sign in", url }] }))).toMatchObject({
      outcome: "delivered",
    });
    const shown = (await scene.stage.shown()).at(-1);
    const opened = shown?.links.map((link) => link.url) ?? [];
    expect(opened.includes(url) || /Sign in|localhost/u.test(shown?.text ?? "")).toBe(true);
    expect(shown?.text).toContain("Sign in here.");
  });

  testWhere("edit")("a link goes away with the card it belongs to", async () => {
    const { stage } = scene;
    const id = idIn(await scene.send(says("Penny wants to use the calendar.", { links: [signIn] })));
    await stage.adapter.edit?.(stage.place, id, says("Penny can use the calendar."));
    expect((await stage.shown()).find((shown) => shown.id === id)?.links).toEqual([]);
  });

  test("the links of a post that was cut stand beneath its end", async () => {
    const parts = scene.stage.adapter.split(says("word ".repeat(9_000), { links: [signIn] }));
    for (const part of parts) expect(await scene.send(part)).toMatchObject({ outcome: "delivered" });
    const shown = await scene.stage.shown();
    expect(shown.map(({ links }) => links.length)).toEqual(shown.map((_, i) => (i + 1 < shown.length ? 0 : 1)));
  });

  test("who speaks is shown once", async () => {
    await scene.send(says("Two orders arrived.", { persona: { name: "Penny", picture: "🪙" } }));
    const message = (await scene.stage.shown()).at(-1);
    expect(`${message?.author ?? ""} ${message?.text}`.match(/Penny/gu)).toHaveLength(1);
    expect(message?.text).toContain("Two orders arrived.");
  });

  testWhere("pings")("a post notifies no crowd, whatever is written in it", async () => {
    const { stage } = scene;
    const text =
      "@everyone @here @channel <!channel> <!here> <!everyone> <@&1> <!subteam^S1> [all](tg://user?id=7) **done**";
    for (const place of [stage.place, ...(stage.shared ? [stage.shared.place] : [])]) {
      const more = { footer: "@everyone <!here>", persona: { name: "@here <!channel>" } };
      expect(await scene.send(says(text, more), place)).toMatchObject({ outcome: "delivered" });
    }
    expect(await stage.pings?.()).toEqual([]);
    expect((await stage.shown()).at(-1)?.text).toContain("done");
  });

  testWhere("status")("a status line shows until it is taken away, or something is said", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    await stage.say("what is new?");
    await until(() => expect(events).toHaveLength(1));
    const { place = stage.place } = events[0] ?? {};
    const status = (line: string | null) => stage.adapter.status?.(place, line);
    expect(await status("reading the news")).toMatchObject({ outcome: "delivered" });
    expect(await stage.statusLine?.()).toContain("reading the news");
    expect(await status(null)).toMatchObject({ outcome: "delivered" });
    expect(await stage.statusLine?.()).toBeUndefined();
    await status("writing");
    await scene.send(says("Nothing is new."), place);
    expect(await stage.statusLine?.()).toBeUndefined();
  });

  testWhere("edit")(
    "a post that is changed keeps its place, and one that is the same already is no error",
    async () => {
      const id = idIn(await scene.send(says("Milo asks", { buttons: [[approve]] })));
      const decided = says("Milo asks\n\nApproved by Ada");
      for (const _ of ["changed", "the same"]) {
        expect(await scene.stage.adapter.edit?.(scene.stage.place, id, decided)).toMatchObject({
          outcome: "delivered",
        });
      }
      const message = (await scene.stage.shown()).find((shown) => shown.id === id);
      expect(message?.text).toContain("Approved by Ada");
      expect(message?.buttons).toEqual([]);
    },
  );

  testWhere("remove")("a post that is removed is gone", async () => {
    const id = idIn(await scene.send(says("working")));
    expect(await scene.stage.adapter.remove?.(scene.stage.place, id)).toMatchObject({ outcome: "delivered" });
    expect(await scene.stage.shown()).toEqual([]);
  });

  testWhere("removeByButton")(
    "F-36 a post whose id nobody knows is found by its button and removed, and no other",
    async () => {
      const { adapter, place } = scene.stage;
      const remove = async () =>
        expect(await adapter.removeByButton?.(place, (token) => token === deny.token)).toMatchObject({
          outcome: "delivered",
        });
      await scene.send(says("a card", { buttons: [[approve]] }));
      await remove();
      await scene.send(says("working", { buttons: [[deny]] }));
      await scene.send(says("a word"));
      await remove();
      expect((await scene.stage.shown()).map(({ text }) => compact(text))).toEqual(["acard", "aword"]);
    },
  );

  testWhere("reactions", "lastSaid")("a reaction is shown on the message it is for", async () => {
    await scene.stage.say("deploy, please");
    const receipt = await scene.stage.adapter.react?.(scene.stage.place, scene.stage.lastSaid?.() ?? "", "received");
    expect(receipt).toMatchObject({ outcome: "delivered" });
    expect(await scene.stage.reactions?.()).toHaveLength(1);
  });

  testWhere("reactions", "lastSaid")("a message never carries two reactions of ours", async () => {
    const { stage } = scene;
    await stage.say("deploy, please");
    const looks = new Set<string>();
    for (const reaction of ["received", "done", "received", "failed", "stopped", "stopped"] as const) {
      await stage.adapter.react?.(stage.place, stage.lastSaid?.() ?? "", reaction);
      const now = (await stage.reactions?.()) ?? [];
      expect(now).toHaveLength(1);
      for (const each of now) looks.add(each);
    }
    expect(looks.size).toBe(4);
  });

  testWhere("upload")("a file is shown with its name, bytes and caption", async () => {
    const folder = await mkdtemp(join(tmpdir(), "shipmate-contract-"));
    const path = join(folder, "report.csv");
    await writeFile(path, "day,visits\n1,42\n");
    const file = { path, name: "report.csv", mime: "text/csv", caption: "The *report*" };
    const receipt = await scene.stage.adapter.upload?.(scene.stage.place, file, "file-key");
    const message = (await scene.stage.shown()).at(-1);
    expect(receipt).toMatchObject({ outcome: "delivered", messageId: message?.id });
    expect(message?.file?.name).toBe("report.csv");
    expect(Buffer.from(message?.file?.bytes ?? []).toString()).toBe("day,visits\n1,42\n");
    expect(message?.text).toContain("report");
    await rm(folder, { recursive: true });
  });
}

const signIn = { label: "Sign in", url: "https://calendar.example/authorize?state=a8f3-k2&scope=read" };

/** Texts that break renderers, and words that must be seen all the same. */
const junk: [string, string][] = [
  ["<b>", "<b>"],
  ["a & b &amp; &#60;", "a &"],
  ["**unbalanced *and _open `code", "code"],
  ["[label](javascript:alert(1))", "label"],
  ["[label](tg://user?id=7)", "label"],
  ["![picture](http://127.0.0.1:1/x.png)", "picture"],
  ["```\nnever closed", "never closed"],
  ["| a | b |\n|---|---|\n| only one |", "only one"],
  ["</code></pre>]]> \\ \\* {{x}}", "</code>"],
  ["[ref]: https://a.example", "https://a.example"],
  ["\u202Eright to left 🇵🇹\uD83D end", "end"],
  ["> ".repeat(80).concat("deep"), "deep"],
  ["***", ""],
];
