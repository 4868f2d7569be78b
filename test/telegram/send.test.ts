import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DownloadError } from "../../src/chat/index.ts";
import { type Wired, wire } from "./harness.ts";

const dm = { channel: "7" };
const post = (text: string) => ({ text, notify: true });

describe("what Shipmate shows in Telegram", () => {
  let wired: Wired;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "shipmate-telegram-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    wired = await wire({ start: false, privateTopics: true });
    wired.telegram.say(wired.telegram.ada, 7, "hello");
  });
  afterEach(() => wired[Symbol.asyncDispose]());

  const file = async (name: string, content: string | Buffer) => {
    const path = join(folder, `file-${name}`);
    await writeFile(path, content);
    return path;
  };
  const collect = async (bytes: AsyncIterable<Uint8Array> | undefined) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes ?? []) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  it("posts formatted, answering, with buttons, silent unless somebody should look", async () => {
    const { telegram, adapter } = wired;
    const hello = telegram.chat(7).messages[0];
    const long = `Always allow ${"npm run build ".repeat(9)}`;
    const receipt = await adapter.post(
      dm,
      {
        text: "**Milo asks:** run `rm -rf build`",
        footer: "Milo · 3 s",
        replyTo: String(hello?.id),
        buttons: [
          [
            { label: "Approve", token: "a".repeat(22), style: "primary" },
            { label: "Deny", token: "d", style: "danger" },
          ],
          [{ label: long, token: "l" }],
        ],
        notify: false,
      },
      "key",
    );
    const [card] = telegram.chat(7).fromBot;
    expect(receipt).toEqual({ outcome: "delivered", messageId: String(card?.id) });
    expect(card).toMatchObject({ text: "Milo asks: run rm -rf build\n\nMilo · 3 s", replyTo: hello?.id, silent: true });
    expect(card?.entities.map((entity) => entity.type)).toEqual(["bold", "code", "italic"]);
    expect(card?.keyboard[0]).toEqual([
      { text: "Approve", data: "a".repeat(22), style: "primary" },
      { text: "Deny", data: "d", style: "danger" },
    ]);
    expect(card?.keyboard[1]?.[0]?.text.length).toBeLessThanOrEqual(64);
    expect(telegram.calls("sendMessage")[0]?.payload).toMatchObject({ link_preview_options: { is_disabled: true } });
  });

  it("offers lists as buttons, with a mark on what holds now, and names the lists where there are several", async () => {
    const { telegram, adapter } = wired;
    const who = {
      label: "Who answers",
      options: [
        { label: "Milo", token: "m", description: "Software", current: true },
        { label: "Penny", token: "p" },
      ],
    };
    const when = { label: "When", options: [{ label: "Only when mentioned", token: "w" }] };
    const buttons = [[{ label: "Close", token: "c" }]];
    await adapter.post(dm, { ...post("?"), selects: [who], buttons }, "k");
    await adapter.post(dm, { ...post("?"), selects: [who, when], buttons }, "k");
    const rows = telegram.chat(7).fromBot.map(({ keyboard }) => keyboard.map((row) => row.map(({ text }) => text)));
    expect(rows).toEqual([
      [["✓ Milo", "Penny"], ["Close"]],
      [["✓ Who answers: Milo"], ["Who answers: Penny"], ["When: Only when mentioned"], ["Close"]],
    ]);
  });

  it("opens the reply box of the person it asks, unless there is something to press", async () => {
    const { telegram, adapter } = wired;
    const asks = { ...post("What should be allowed?"), asksReply: true };
    const receipt = await adapter.post(dm, asks, "k");
    await adapter.post(dm, { ...asks, buttons: [[{ label: "Never mind", token: "n" }]] }, "k");
    expect(telegram.calls("sendMessage").map(({ payload }) => payload.reply_markup)).toEqual([
      { force_reply: true, selective: true, input_field_placeholder: "Write your answer here" },
      { inline_keyboard: [[{ text: "Never mind", callback_data: "n" }]] },
    ]);
    const id = receipt.outcome === "delivered" ? receipt.messageId : "";
    expect(await adapter.edit?.(dm, id, { ...asks, text: "Noted." })).toMatchObject({ outcome: "delivered" });
  });

  it("answers a message that is gone all the same", async () => {
    expect(await wired.adapter.post(dm, { ...post("x"), replyTo: "999" }, "k")).toMatchObject({ outcome: "delivered" });
  });

  it("F-45 stays in the topic with every kind of send", async () => {
    const { telegram, adapter } = wired;
    const topic = telegram.createTopic(telegram.ada, 7, "Plans");
    const there = { channel: "7", thread: String(topic) };
    await adapter.post(there, post("text"), "k");
    await adapter.draft?.(there, 4, "draft");
    await adapter.typing?.(there);
    await adapter.upload?.(there, { path: await file("a.txt", "a"), name: "a.txt" }, "k");
    const chat = telegram.chat(7);
    expect([...chat.fromBot, ...chat.drafts, ...chat.actions].map(({ thread }) => thread)).toEqual(
      Array(4).fill(topic),
    );
    telegram.closeTopic(7, topic);
    expect(await adapter.post(there, post("x"), "k")).toMatchObject({ outcome: "failed", error: { kind: "gone" } });
  });

  it("edits, takes an edit without a change for done, and removes the buttons that are not given again", async () => {
    const { telegram, adapter } = wired;
    await adapter.post(dm, { ...post("one"), buttons: [[{ label: "Stop", token: "s" }]] }, "k");
    const id = String(telegram.chat(7).fromBot[0]?.id);
    expect(await adapter.edit?.(dm, id, post("two"))).toEqual({ outcome: "delivered", messageId: id });
    expect(telegram.chat(7).fromBot[0]).toMatchObject({ text: "two", keyboard: [] });
    expect(await adapter.edit?.(dm, id, post("two"))).toEqual({ outcome: "delivered", messageId: id });
    expect(await adapter.remove?.(dm, id)).toMatchObject({ outcome: "delivered" });
    expect(await adapter.edit?.(dm, id, post("three"))).toMatchObject({ error: { kind: "gone" } });
    expect(await adapter.remove?.(dm, id)).toMatchObject({ error: { kind: "gone" } });
  });

  it("streams a draft in a private chat, also when the answer outgrows one message", async () => {
    const { telegram, adapter } = wired;
    await adapter.draft?.(dm, 9, "");
    await adapter.draft?.(dm, 9, "**unfinish");
    expect(telegram.chat(7).draft).toMatchObject({ draftId: 9, text: "unfinish", canStop: true });
    const long = Array.from({ length: 2000 }, (_, n) => `word ${n}`).join(" ");
    expect(await adapter.draft?.(dm, 9, long)).toMatchObject({ outcome: "delivered" });
    expect(telegram.chat(7).draft?.text.endsWith("word 1999")).toBe(true);
  });

  it("reacts with one emoji and answers a press once, to the presser", async () => {
    const { telegram, adapter } = wired;
    const hello = telegram.chat(7).messages[0];
    for (const reaction of ["received", "failed", "stopped", "done"] as const) {
      expect(await adapter.react?.(dm, String(hello?.id), reaction)).toMatchObject({ outcome: "delivered" });
    }
    expect(telegram.chat(7).messages[0]?.reactions).toEqual(["👌"]);
    await adapter.post(dm, { ...post("?"), buttons: [[{ label: "Go", token: "t" }]] }, "k");
    const [card] = telegram.chat(7).fromBot;
    if (!card) throw new Error("no card");
    const press = telegram.press(telegram.ada, card, "Go");
    await adapter.answer?.({ id: press.id }, `Only Ada can decide this. ${"x".repeat(300)}`);
    await adapter.answer?.({ id: press.id });
    expect(press.answer()?.text).toHaveLength(200);
  });

  it("shows pictures as photos, everything else as documents, and falls back when a photo is refused", async () => {
    const { telegram, adapter } = wired;
    const png = Buffer.from("89504e470d0a1a0a", "hex");
    await adapter.upload?.(dm, { path: await file("p.png", png), name: "p.png", caption: "**see**" }, "k");
    await adapter.upload?.(dm, { path: await file("broken.png", "no picture"), name: "broken.png" }, "k");
    await adapter.upload?.(dm, { path: await file("r.pdf", "%PDF"), name: "../r;\n.pdf" }, "k");
    expect(telegram.chat(7).fromBot.map(({ file, text }) => [file?.kind, file?.name, text])).toEqual([
      ["photo", "p.png", "see"],
      ["document", "broken.png", ""],
      ["document", "r_.pdf", ""],
    ]);
  });

  it("F-43 cuts a caption that is too long", async () => {
    const path = await file("c.txt", "c");
    const caption = "A **long** caption. ".repeat(90);
    expect(await wired.adapter.upload?.(dm, { path, name: "c.txt", caption }, "k")).toMatchObject({
      outcome: "delivered",
    });
    const text = wired.telegram.chat(7).fromBot[0]?.text ?? "";
    expect(text.length).toBeLessThanOrEqual(1024);
    expect(text).toMatch(/^A long caption\..*…$/);
  });

  it("says so of a file Telegram would not take, without sending it", async () => {
    const big = await file("big.bin", "");
    await truncate(big, 60 * 1024 * 1024);
    const { adapter, telegram } = wired;
    expect(await adapter.upload?.(dm, { path: big, name: "big.bin" }, "k")).toMatchObject({
      error: { kind: "rejected", detail: expect.stringContaining("60 MB") },
    });
    expect(await adapter.upload?.(dm, { path: await file("e", ""), name: "e" }, "k")).toMatchObject({
      error: { kind: "rejected" },
    });
    expect(await adapter.upload?.(dm, { path: `${folder}/none`, name: "none" }, "k")).toMatchObject({
      error: { kind: "rejected" },
    });
    expect(telegram.calls("sendDocument")).toEqual([]);
  });

  it("fetches files, and F-09 names the reason when it cannot", async () => {
    const { telegram, adapter } = wired;
    const events = await receiveFiles();
    const [small, huge] = events;
    expect(await collect(await adapter.download?.({ id: small ?? "" }, AbortSignal.timeout(5000)))).toEqual(
      Buffer.from("abc"),
    );
    const kindOf = async (id: string, signal = AbortSignal.timeout(5000)) => {
      const error = await adapter.download?.({ id }, signal).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof DownloadError)) throw new Error(`not a DownloadError: ${String(error)}`);
      expect(`${error.message} ${String(error.cause)}`).not.toContain(telegram.token);
      return error.kind;
    };
    expect(await kindOf(huge ?? "")).toBe("too_large");
    expect(await kindOf("nothing")).toBe("gone");
    expect(await kindOf(small ?? "", AbortSignal.abort())).toBe("unavailable");
    await telegram.faults.refuseConnections();
    expect(await kindOf(small ?? "")).toBe("unavailable");
    await telegram.faults.acceptConnections();

    async function receiveFiles() {
      telegram.sendDocument(telegram.ada, 7, { name: "a.txt", bytes: Buffer.from("abc") });
      telegram.sendDocument(telegram.ada, 7, { name: "b.bin", size: 60 * 1024 * 1024 });
      return telegram.pendingUpdates().flatMap(({ message }) => message?.document?.file_id ?? []);
    }
  });

  it("links to messages of supergroups only", () => {
    const { adapter } = wired;
    expect(adapter.link?.({ channel: "-1001234", thread: "5" }, "9")).toBe("https://t.me/c/1234/5/9");
    expect(adapter.link?.(dm, "9")).toBeUndefined();
  });
});
