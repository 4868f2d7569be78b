import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { sentAtOf } from "../../adapters/discord/catch-up.ts";
import type { Post, Receipt } from "../../src/chat/index.ts";
import { mention, restarted, wire } from "./harness.ts";
import { visible } from "./visible.ts";

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const says = (text: string, more: Partial<Post> = {}): Post => ({ text, notify: true, ...more });
const idIn = (receipt: Receipt | undefined) =>
  receipt?.outcome === "delivered" ? receipt.messageId : JSON.stringify(receipt);
const delivered = { outcome: "delivered" };
const create = "POST /channels/:channel/messages";

describe("posts on Discord", () => {
  it("carry their key as a nonce, mention nobody, bring no preview, and are silent unless somebody is to be notified", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    await adapter.post({ channel: discord.general }, says("loud <@1>"), "key-1");
    await adapter.post({ channel: discord.general }, says("quiet", { notify: false }), "key-2");
    const bodies = discord.calls(create).map(({ body }) => body);
    expect(bodies[0]).toMatchObject({ nonce: "key-1", enforce_nonce: true, allowed_mentions: { parse: [] }, flags: 4 });
    expect(discord.messages(discord.general).map(({ silent }) => silent)).toEqual([false, true]);
  });

  it("have buttons in rows of five, lists with descriptions, and labels that fit", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    const row = Array.from({ length: 7 }, (_, n) => ({
      label: `${n} ${"long ".repeat(20)}`,
      token: `t${n}`,
      style: n === 0 ? ("danger" as const) : undefined,
    }));
    const options = [
      { label: "Milo", token: "m", description: "Software", current: true },
      { label: "x".repeat(130), token: "p" },
    ];
    const post = says("Choose", { buttons: [row, [{ label: "", token: "t9" }]], selects: [{ label: "Who", options }] });
    expect(await adapter.post({ channel: discord.general }, post, "k")).toMatchObject(delivered);
    const shown = discord.messages(discord.general).at(-1);
    expect(shown?.buttons).toHaveLength(8);
    expect(shown?.buttons[0]).toMatchObject({ style: 4, label: expect.stringMatching(/…$/u) });
    expect(shown?.selects[0]).toMatchObject({
      placeholder: "Who",
      options: [{ label: "Milo", description: "Software", selected: true }, {}],
    });
  });

  it("make a thread on the question, named after it, with the first thing that is shown there", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(
      discord,
      "Can you **please** look at the deploy of yesterday, and at the one before that, too?",
    );
    await until(() => expect(events).toHaveLength(1));
    await adapter.typing?.({ channel: discord.general, thread });
    expect(discord.thread(thread)).toMatchObject({
      name: "Can you please look at the deploy of yesterday, and at the…",
      botIsMember: true,
    });
    expect(discord.typing(thread)).toBe(1);
    const id = idIn(
      await adapter.post({ channel: discord.general, thread }, says("It is fine.", { replyTo: thread }), "k"),
    );
    expect(discord.messages(thread).at(-1)).toMatchObject({ id, text: "It is fine." });
    expect(discord.calls(create).at(-1)?.body).not.toHaveProperty("message_reference");
    expect(discord.calls("POST /channels/:channel/messages/:message/threads")).toHaveLength(1);
  });

  it("find their thread again after a restart, without a live event", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(discord, "hello");
    await until(() => expect(events).toHaveLength(1));
    await adapter.post({ channel: discord.general, thread }, says("one"), "k1");
    const other = await restarted(discord);
    expect(await other.post({ channel: discord.general, thread }, says("two"), "k2")).toMatchObject(delivered);
    expect(
      discord
        .messages(thread)
        .filter(({ fromUs }) => fromUs)
        .map(({ text }) => text),
    ).toEqual(["one", "two"]);
    const unanswered = mention(discord, "and this?");
    await other.post({ channel: discord.general, thread: unanswered }, says("three"), "k3");
    expect(discord.thread(unanswered)?.name).toBe("and this?");
  });

  it("F-48 join the thread that another bot made first", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(discord, "you two");
    await until(() => expect(events).toHaveLength(1));
    discord.faults.threadRace(thread);
    expect(await adapter.post({ channel: discord.general, thread }, says("me too"), "k")).toMatchObject(delivered);
    expect(discord.thread(thread)?.botIsMember).toBe(true);
    expect(discord.messages(thread).at(-1)?.text).toBe("me too");
  });

  it("answer in the channel where no thread may be made, and go on there", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    discord.forbid(discord.general, "CreatePublicThreads");
    const thread = mention(discord, "hello");
    await until(() => expect(events).toHaveLength(1));
    const address = { channel: discord.general, thread };
    const id = idIn(await adapter.post(address, says("Hi.", { persona: { name: "Milo" } }), "k1"));
    expect(discord.message(id)).toMatchObject({
      channelId: discord.general,
      replyTo: thread,
      author: { webhook: false },
    });
    expect(visible(discord.message(id)?.text ?? "")).toBe("Milo\nHi.");
    expect(await adapter.edit?.(address, id, says("Hi, Ada."))).toMatchObject(delivered);
    expect(discord.message(id)?.text).toBe("Hi, Ada.");
    await adapter.post(address, says("One more thing."), "k2");
    expect(discord.calls("POST /channels/:channel/messages/:message/threads")).toHaveLength(1);
    discord.say(discord.ada, discord.general, "and now?", { replyTo: id });
    await until(() => expect(events).toHaveLength(2));
    expect(events[1]).toMatchObject({ addressed: "reply", place: address });
  });

  it("F-45 tell that the question is gone, rather than speaking into the channel", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(discord, "never mind");
    await until(() => expect(events).toHaveLength(1));
    discord.deleteMessage(thread);
    const receipt = await adapter.post({ channel: discord.general, thread }, says("Done."), "k");
    expect(receipt).toMatchObject({ outcome: "failed", error: { kind: "gone" } });
    expect(discord.messages(discord.general)).toEqual([]);
  });

  it("open an archived thread again, and give up on a locked one", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(discord, "hello");
    await until(() => expect(events).toHaveLength(1));
    const address = { channel: discord.general, thread };
    const id = idIn(await adapter.post(address, says("one"), "k1"));
    discord.archiveThread(thread);
    expect(await adapter.edit?.(address, id, says("two"))).toMatchObject(delivered);
    discord.archiveThread(thread);
    expect(await adapter.post(address, says("three"), "k2")).toMatchObject(delivered);
    expect(discord.thread(thread)?.archived).toBe(false);
    discord.archiveThread(thread, { locked: true });
    const receipt = await adapter.post(address, says("four"), "k3");
    expect(receipt.outcome === "failed" && ["gone", "refused"].includes(receipt.error.kind)).toBe(true);
  });

  it("answer a message without disturbing its author, also where it is gone", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    const asked = discord.say(discord.ada, discord.general, "hm?");
    const id = idIn(await adapter.post({ channel: discord.general }, says("yes", { replyTo: asked.id }), "k1"));
    expect(discord.message(id)).toMatchObject({ replyTo: asked.id, pings: [] });
    discord.deleteMessage(asked.id);
    expect(await adapter.post({ channel: discord.general }, says("yes", { replyTo: asked.id }), "k2")).toMatchObject(
      delivered,
    );
    expect(await adapter.post({ channel: discord.general }, says("yes", { replyTo: "not an id" }), "k3")).toMatchObject(
      delivered,
    );
  });
});

describe("teammates on Discord", () => {
  const penny = { name: "Penny", picture: "https://example.com/penny.png" };

  it("speak under their own name and picture through one webhook a channel, which is found again", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    for (const [name, key] of [
      ["Penny", "k1"],
      ["Milo", "k2"],
    ] as const) {
      await adapter.post(
        { channel: discord.general },
        says("hello", { persona: { ...penny, name }, footer: "4 s" }),
        key,
      );
    }
    expect(discord.messages(discord.general).map(({ author, text }) => [author.name, author.webhook, text])).toEqual([
      ["Penny", true, "hello\n-# 4 s"],
      ["Milo", true, "hello\n-# 4 s"],
    ]);
    expect(discord.webhooks(discord.general)).toMatchObject([{ ours: true }]);
  });

  it("speak in threads too, and what they said can be changed, pressed and removed", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(discord, "hello");
    await until(() => expect(events).toHaveLength(1));
    const address = { channel: discord.general, thread };
    const buttons = [[{ label: "Stop", token: "stop" }]];
    const id = idIn(await adapter.post(address, says("working", { persona: penny, buttons }), "k1"));
    expect(discord.messages(thread).at(-1)).toMatchObject({ id, author: { name: "Penny", webhook: true } });
    discord.press(discord.ada, id, "Stop");
    await until(() => expect(events.at(-1)).toMatchObject({ kind: "button", token: "stop", place: address }));
    expect(await adapter.edit?.(address, id, says("stopped", { persona: penny }))).toMatchObject(delivered);
    expect(discord.message(id)).toMatchObject({ text: "stopped", buttons: [] });
    expect(await adapter.remove?.(address, id)).toMatchObject(delivered);
    expect(discord.message(id)).toBeUndefined();
  });

  it("can be changed and removed after a restart, when nobody remembers who said it", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    const hook = await adapter.post({ channel: discord.general }, says("old", { persona: penny }), "k1");
    const id = idIn(hook);
    const other = await restarted(discord);
    expect(await other.edit?.({ channel: discord.general }, id, says("new", { persona: penny }))).toMatchObject(
      delivered,
    );
    expect(discord.message(id)?.text).toBe("new");
    expect(await other.remove?.({ channel: discord.general }, id)).toMatchObject(delivered);
    expect(discord.message(id)).toBeUndefined();
  });

  it("get a new webhook once where somebody deleted it", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    await adapter.post({ channel: discord.general }, says("one", { persona: penny }), "k1");
    discord.deleteWebhooks(discord.general);
    expect(await adapter.post({ channel: discord.general }, says("two", { persona: penny }), "k2")).toMatchObject(
      delivered,
    );
    expect(discord.messages(discord.general).at(-1)).toMatchObject({
      text: "two",
      author: { name: "Penny", webhook: true },
    });
  });

  it("speak with a name line where we may have no webhook, and are not asked for one each time", async () => {
    await using wired = await wire({ manageWebhooks: false, start: false });
    const { discord, adapter } = wired;
    for (const key of ["k1", "k2"]) {
      expect(await adapter.post({ channel: discord.general }, says("hello", { persona: penny }), key)).toMatchObject(
        delivered,
      );
    }
    expect(discord.messages(discord.general).map(({ text, author }) => [text, author.webhook])).toEqual([
      ["**Penny**\nhello", false],
      ["**Penny**\nhello", false],
    ]);
    expect(discord.calls("GET /channels/:channel/webhooks")).toHaveLength(1);
  });

  it("speak with a name line where the channel has too many webhooks, and in direct messages", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    discord.addWebhooks(discord.general, 15);
    for (const channel of [discord.general, discord.dm(discord.ada)]) {
      expect(
        await adapter.post(
          { channel },
          says("hello", { persona: { name: "Penny", picture: "🪙" } }),
          `k${channel.slice(-9)}`,
        ),
      ).toMatchObject(delivered);
      expect(discord.messages(channel).at(-1)?.text).toBe("**🪙 Penny**\nhello");
    }
  });

  it("write no name where the words tell it anyway", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    const dm = discord.dm(discord.ada);
    await adapter.post({ channel: dm }, says("hello", { persona: { name: "Penny", unwritten: true } }), "k1");
    expect(discord.messages(dm).at(-1)?.text).toBe("hello");
  });

  it("keep their name where Discord would refuse it", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    for (const [name, shown] of [
      ["Discord Clyde", "D·iscord C·lyde"],
      ["x".repeat(100), "x".repeat(80)],
      ["@#:", "**@#:**"],
    ] as const) {
      const id = idIn(
        await adapter.post({ channel: discord.general }, says("hi", { persona: { name } }), name.slice(0, 20)),
      );
      const message = discord.message(id);
      expect(message?.author.webhook ? message.author.name : message?.text.split("\n")[0]).toBe(shown);
    }
  });

  it("F-35 appear once where the response of a webhook was lost", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    discord.faults.loseResponseAfterEffect("POST /webhooks/:webhook/:token");
    const post = says("Two orders arrived.", { persona: penny, buttons: [[{ label: "Go", token: "tok_go" }]] });
    expect(await adapter.post({ channel: discord.general }, post, "k1")).toMatchObject({ outcome: "unknown" });
    const again = await adapter.post({ channel: discord.general }, post, "k1", true);
    expect(discord.messages(discord.general).map(({ id }) => id)).toEqual([idIn(again)]);
    // The same words under another key are another message.
    expect(idIn(await adapter.post({ channel: discord.general }, post, "k2", true))).not.toBe(idIn(again));
    expect(discord.messages(discord.general)).toHaveLength(2);
  });
});

describe("signs and files on Discord", () => {
  it("show one reaction at a time, on the question though its thread has its id", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(discord, "hello");
    await until(() => expect(events).toHaveLength(1));
    const address = { channel: discord.general, thread };
    await adapter.post(address, says("working"), "k1");
    for (const [reaction, shown] of [
      ["received", "👀"],
      ["done", "✅"],
      ["failed", "❌"],
      ["stopped", "⏹️"],
    ] as const) {
      expect(await adapter.react?.(address, thread, reaction)).toMatchObject(delivered);
      expect(discord.message(thread)?.reactions).toEqual([shown]);
    }
  });

  it("replace what an earlier process showed, also when the message is tried again", async () => {
    await using wired = await wire({ start: false });
    const { discord, adapter } = wired;
    const said = mention(discord, "hello");
    const address = { channel: discord.general };
    await adapter.react?.(address, said, "failed");
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(sentAtOf(said).getTime()));
    const later = await restarted(discord);
    expect(await later.react?.(address, said, "received")).toMatchObject(delivered);
    expect(discord.message(said)?.reactions).toEqual(["👀"]);
    await later.stop();
  });

  it("upload a file with a caption into the thread, and say what is too large", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const folder = await mkdtemp(join(tmpdir(), "shipmate-discord-"));
    const [small, large, empty] = ["small.csv", "large.bin", "empty.txt"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(small, "a,b\n");
    await writeFile(large, Buffer.alloc(10 * 1024 * 1024 + 1));
    await writeFile(empty, "");
    const thread = mention(discord, "the report, please");
    await until(() => expect(events).toHaveLength(1));
    const address = { channel: discord.general, thread };
    const id = idIn(
      await adapter.upload?.(
        address,
        { path: small, name: "Report: 1.csv", mime: "text/csv", caption: "The **report**" },
        "f1",
      ),
    );
    expect(discord.message(id)).toMatchObject({ channelId: thread, text: "The **report**" });
    expect(discord.message(id)?.files[0]?.bytes.toString()).toBe("a,b\n");
    for (const path of [large, empty, join(folder, "missing")]) {
      expect(await adapter.upload?.(address, { path, name: "x" }, "f2")).toMatchObject({
        outcome: "failed",
        error: { kind: "rejected" },
      });
    }
    await rm(folder, { recursive: true });
  });

  it("link to messages, in the channel or the thread they are in", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const thread = mention(discord, "hello");
    discord.say(discord.ada, discord.dm(discord.ada), "hi");
    await until(() => expect(events).toHaveLength(2));
    const address = { channel: discord.general, thread };
    expect(adapter.link?.(address, thread)).toBe(
      `https://discord.com/channels/${discord.guildId}/${discord.general}/${thread}`,
    );
    expect(adapter.link?.(address, "1234")).toBe(`https://discord.com/channels/${discord.guildId}/${thread}/1234`);
    expect(adapter.link?.({ channel: discord.dm(discord.ada) }, "1234")).toBe(
      `https://discord.com/channels/@me/${discord.dm(discord.ada)}/1234`,
    );
    expect(adapter.link?.({ channel: "404" }, "1234")).toBeUndefined();
  });
});
