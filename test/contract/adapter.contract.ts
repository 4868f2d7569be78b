import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { InboundEvent, Post, Receipt } from "../../src/chat/index.ts";
import { type Ability, type AdapterHarness, recordingSink, type Stage } from "./adapter.harness.ts";

export type { AdapterHarness, Shown, Stage } from "./adapter.harness.ts";

const says = (text: string, more: Partial<Post> = {}): Post => ({ text, notify: true, ...more });
const compact = (text: string) => text.replace(/\s+/gu, "");
const patience = { timeout: 15_000, interval: 10 };

/** What every adapter owes the core, proven on its platform's stand-in. */
export function adapterContract(name: string, harness: AdapterHarness): void {
  const lacks = (...abilities: Ability[]) => abilities.some((ability) => harness.lacks.includes(ability));
  /** What a platform is said to lack has no test, rather than a skipped one; that it really lacks it is the first test's business. */
  const testWhere = (...abilities: Ability[]) => (lacks(...abilities) ? () => {} : test);
  let stage: Stage;
  let keys = 0;
  const send = (post: Post) => {
    keys += 1;
    return stage.adapter.post(stage.place, post, `key-${keys}`);
  };
  const until = (check: () => void | Promise<void>) => vi.waitFor(check, patience);
  const newest = async () => (await stage.shown()).at(-1);

  beforeEach(async () => {
    stage = await harness.create();
  });
  afterEach(async () => {
    await stage.adapter.stop();
    await stage[Symbol.asyncDispose]();
  });

  describe(`${name}: what people say`, () => {
    test("the stage offers all that the platform is not said to lack", () => {
      const offered = { ...stage.faults, ...stage.adapter, ...stage } as Record<string, unknown>;
      const abilities: Ability[] = ["change", "sendFile", "reactions", "lastSaid", "rateLimit", "serverError"];
      const more: Ability[] = ["loseResponse", "gone", "rejectFormatting", "reject", "edit", "remove", "upload"];
      const missing = [...abilities, ...more].filter((ability) => offered[ability] === undefined);
      expect(missing.sort()).toEqual([...harness.lacks].sort());
    });

    test("a message reaches the sink once, as it was said", async () => {
      const { events, sink } = recordingSink();
      await stage.adapter.start(sink);
      await stage.say("hello *there* <b>Milo</b> & 🇵🇹 שלום");
      await stage.say("second");
      await until(() => expect(events).toHaveLength(2));
      expect(events[0]).toMatchObject({
        kind: "message",
        text: "hello *there* <b>Milo</b> & 🇵🇹 שלום",
        author: { id: stage.ada, isBot: false },
        place: { channel: stage.place.channel, kind: "dm" },
        addressed: "direct",
        files: [],
      });
      const ids = events.map((event) => (event.kind === "message" ? event.messageId : ""));
      expect(new Set(ids).size).toBe(2);
      expect(new Set(events.map((event) => event.key)).size).toBe(2);
    });

    test("a message is offered again until the sink has stored it, and the next one waits", async () => {
      const offered: string[] = [];
      const { events, sink } = recordingSink(async (event) => {
        offered.push(event.key);
        if (offered.length <= 2) throw new Error("the database is away");
      });
      await stage.adapter.start(sink);
      await stage.say("one");
      await stage.say("two");
      await until(() => expect(events.map(textOf)).toEqual(["one", "two"]));
      expect(new Set(offered.slice(0, 3)).size).toBe(1);
      expect(offered).toHaveLength(4);
    });

    test("events of one place arrive one after another, in order", async () => {
      let running = 0;
      let overlapped = false;
      const gate = Promise.withResolvers<void>();
      const { events, sink } = recordingSink(async () => {
        running += 1;
        overlapped ||= running > 1;
        await gate.promise;
        running -= 1;
      });
      await stage.adapter.start(sink);
      for (const text of ["one", "two", "three"]) await stage.say(text);
      await until(() => expect(running).toBe(1));
      gate.resolve();
      await until(() => expect(events.map(textOf)).toEqual(["one", "two", "three"]));
      expect(overlapped).toBe(false);
    });

    test("a command arrives as its name and argument", async () => {
      const { events, sink } = recordingSink();
      await stage.adapter.start(sink);
      await stage.command("ask", "Penny what is new?");
      await until(() => expect(events).toHaveLength(1));
      expect(events[0]).toMatchObject({ kind: "command", name: "ask", argument: "Penny what is new?" });
      expect(events[0]).toMatchObject({ author: { id: stage.ada }, place: { channel: stage.place.channel } });
    });

    testWhere("change")("a changed message arrives as an edit of the same message", async () => {
      const { events, sink } = recordingSink();
      await stage.adapter.start(sink);
      await stage.say("delpoy");
      await stage.change?.("deploy");
      await until(() => expect(events).toHaveLength(2));
      const [said, changed] = events;
      expect(changed).toMatchObject({ kind: "edit", text: "deploy", author: { id: stage.ada } });
      expect(idOf(changed)).toBe(idOf(said));
    });

    testWhere("sendFile")("the bytes of a file that somebody sent can be fetched", async () => {
      const { events, sink } = recordingSink();
      await stage.adapter.start(sink);
      const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));
      await stage.sendFile?.("notes.bin", bytes, "look at this");
      await until(() => expect(events).toHaveLength(1));
      const event = events[0];
      expect(event).toMatchObject({ kind: "message", text: "look at this", files: [{ name: "notes.bin" }] });
      const file = event?.kind === "message" ? event.files[0] : undefined;
      const stream = file && (await stage.adapter.download?.(file, AbortSignal.timeout(15_000)));
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream ?? []) chunks.push(chunk);
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    });

    test("what is said while stopped, or was not stored before, arrives after the next start", async () => {
      const attempted = Promise.withResolvers<void>();
      const before = recordingSink(async () => {
        attempted.resolve();
        throw new Error("the database is away");
      });
      await stage.adapter.start(before.sink);
      await stage.say("not stored");
      await attempted.promise;
      await stage.adapter.stop();
      await stage.say("while stopped");
      const after = recordingSink();
      await stage.adapter.start(after.sink);
      await until(() => expect(after.events.map(textOf)).toEqual(["not stored", "while stopped"]));
      expect(before.events).toEqual([]);
    });
  });

  describe(`${name}: what we show`, () => {
    test("a post is shown, and the receipt names it", async () => {
      const receipt = await send(says("The **deploy** went `fine`.", { footer: "Milo · 3 s" }));
      const message = await newest();
      expect(receipt).toEqual({ outcome: "delivered", messageId: message?.id });
      expect(compact(message?.text ?? "")).toContain("Thedeploywentfine.");
      expect(message?.text).toContain("Milo · 3 s");
    });

    test("F-43 a huge answer fits when it was cut, and all of it is shown in order", async () => {
      const words = Array.from({ length: 9_000 }, (_, index) => `w${index}`);
      const lines = words.map((word, index) => (index % 12 === 11 ? `**${word}**\n\n` : `${word} `));
      const parts = stage.adapter.split(says(lines.join(""), { footer: "Milo · 9 s", buttons: [[approve]] }));
      for (const part of parts) expect(await send(part)).toMatchObject({ outcome: "delivered" });
      const shown = await stage.shown();
      const limit = stage.limit ?? Number.POSITIVE_INFINITY;
      for (const message of shown) expect(message.text.length).toBeLessThanOrEqual(limit);
      const all = shown.map((message) => message.text).join(" ");
      expect(all.match(/\bw\d+\b/gu)).toEqual(words);
      expect(shown.map((message) => message.buttons.length)).toEqual(
        shown.map((_, i) => (i + 1 < shown.length ? 0 : 1)),
      );
      expect(shown.at(-1)?.text).toContain("Milo · 9 s");
    });

    test("F-44 code that is cut stays code in every part", async () => {
      const code = Array.from({ length: 3_000 }, (_, index) => `  line(${index});`).join("\n");
      for (const part of stage.adapter.split(says(`\`\`\`ts\n${code}\n\`\`\``))) await send(part);
      const shown = (await stage.shown()).map((message) => message.text);
      expect(shown.join("\n").match(/line\(\d+\);/gu)).toHaveLength(3_000);
      expect(shown.join("")).not.toContain("```");
    });

    test.each(junk)("F-42 %j always arrives", async (text, words) => {
      expect(await send(says(text))).toMatchObject({ outcome: "delivered" });
      expect(compact((await newest())?.text ?? "")).toContain(compact(words));
    });

    test("a press comes back with the token of its button, and is answered", async () => {
      const { events, sink } = recordingSink();
      await stage.adapter.start(sink);
      const receipt = await send(says("Milo asks: run a command", { buttons: [[approve, deny]] }));
      expect((await newest())?.buttons).toEqual(["Approve", "Deny"]);
      await stage.press("Deny");
      await until(() => expect(events).toHaveLength(1));
      const press = events[0];
      expect(press).toMatchObject({ kind: "button", token: deny.token, author: { id: stage.ada } });
      expect(press?.kind === "button" && press.messageId).toBe(idIn(receipt));
      if (press?.kind !== "button") return;
      await stage.adapter.answer?.(press.interaction, "Only Ada can decide this.");
      await until(async () => expect((await stage.answers()).at(-1)).toContain("Only Ada can decide this."));
    });

    testWhere("edit")(
      "a post that is changed keeps its place, and one that is the same already is no error",
      async () => {
        const id = idIn(await send(says("Milo asks", { buttons: [[approve]] })));
        const decided = says("Milo asks\n\nApproved by Ada");
        for (const _ of ["changed", "the same"]) {
          expect(await stage.adapter.edit?.(stage.place, id, decided)).toMatchObject({ outcome: "delivered" });
        }
        const message = (await stage.shown()).find((shown) => shown.id === id);
        expect(message?.text).toContain("Approved by Ada");
        expect(message?.buttons).toEqual([]);
      },
    );

    testWhere("remove")("a post that is removed is gone", async () => {
      const id = idIn(await send(says("working")));
      expect(await stage.adapter.remove?.(stage.place, id)).toMatchObject({ outcome: "delivered" });
      expect(await stage.shown()).toEqual([]);
    });

    testWhere("reactions", "lastSaid")("a reaction is shown on the message it is for", async () => {
      await stage.say("deploy, please");
      const receipt = await stage.adapter.react?.(stage.place, stage.lastSaid?.() ?? "", "received");
      expect(receipt).toMatchObject({ outcome: "delivered" });
      expect(await stage.reactions?.()).toHaveLength(1);
    });

    testWhere("upload")("a file is shown with its name, bytes and caption", async () => {
      const folder = await mkdtemp(join(tmpdir(), "shipmate-contract-"));
      const path = join(folder, "report.csv");
      await writeFile(path, "day,visits\n1,42\n");
      const file = { path, name: "report.csv", mime: "text/csv", caption: "The *report*" };
      const receipt = await stage.adapter.upload?.(stage.place, file, "file-key");
      const message = await newest();
      expect(receipt).toMatchObject({ outcome: "delivered", messageId: message?.id });
      expect(message?.file?.name).toBe("report.csv");
      expect(Buffer.from(message?.file?.bytes ?? []).toString()).toBe("day,visits\n1,42\n");
      expect(message?.text).toContain("report");
      await rm(folder, { recursive: true });
    });
  });

  describe(`${name}: what a receipt says`, () => {
    test("delivered, with the id by which people see it", async () => {
      const id = idIn(await send(says("hello")));
      expect((await newest())?.id).toBe(id);
    });

    testWhere("rateLimit")("rate limited: not taken, and when to try again", async () => {
      stage.faults.rateLimit?.();
      const receipt = await send(says("hello"));
      expect(receipt).toMatchObject({ outcome: "failed", error: { kind: "rate_limited" } });
      expect(receipt.outcome === "failed" && receipt.error.retryAfterMs).toBeGreaterThan(0);
      expect(await stage.shown()).toEqual([]);
      expect(await send(says("hello"))).toMatchObject({ outcome: "delivered" });
    });

    testWhere("serverError")("an error of the server: never said to be delivered, never sent twice", async () => {
      stage.faults.serverError?.();
      const receipt = await send(says("hello"));
      expect(receipt.outcome).not.toBe("delivered");
      expect(await stage.shown()).toEqual([]);
    });

    testWhere("loseResponse")("F-35 a lost response is unknown, and was sent once", async () => {
      stage.faults.loseResponse?.();
      expect(await send(says("hello"))).toMatchObject({ outcome: "unknown" });
      expect(await stage.shown()).toHaveLength(1);
    });

    testWhere("gone")("F-45 a place that is gone", async () => {
      stage.faults.gone?.();
      expect(await send(says("hello"))).toMatchObject({ outcome: "failed", error: { kind: "gone" } });
    });

    testWhere("rejectFormatting")("F-42 formatting that is refused arrives as plain text", async () => {
      stage.faults.rejectFormatting?.();
      expect(await send(says("the **deploy** went fine"))).toMatchObject({ outcome: "delivered" });
      const shown = await stage.shown();
      expect(shown).toHaveLength(1);
      expect(shown[0]?.text).toContain("went fine");
    });

    testWhere("reject")("content that is refused is a permanent failure", async () => {
      stage.faults.reject?.();
      expect(await send(says("hello"))).toMatchObject({ outcome: "failed", error: { kind: "rejected" } });
      expect(await stage.shown()).toEqual([]);
    });
  });
}

const approve = { label: "Approve", token: "tok_approve_8f3k", style: "primary" } as const;
const deny = { label: "Deny", token: "tok_deny_2c9x", style: "danger" } as const;

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

function textOf(event: InboundEvent): string {
  return event.kind === "message" ? event.text : event.kind;
}

function idOf(event: InboundEvent | undefined): string | undefined {
  return event?.kind === "message" || event?.kind === "edit" ? event.messageId : undefined;
}

function idIn(receipt: Receipt): string {
  if (receipt.outcome !== "delivered") throw new Error(`not delivered: ${JSON.stringify(receipt)}`);
  return receipt.messageId;
}
