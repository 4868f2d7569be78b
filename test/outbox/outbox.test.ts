import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { NewPost } from "../../src/outbox/index.ts";
import { hashToken } from "../../src/shared/index.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";

describe("the outbox", () => {
  let office: PostOffice;
  let platform: Platform;
  beforeAll(async () => {
    office = await openPostOffice();
  });
  afterAll(() => office[Symbol.asyncDispose]());
  beforeEach(async () => {
    platform = createPlatform({ textLimit: 200 });
    await office.reset(platform.adapter);
  });

  const edit = (postId: string, text: string, more: Partial<NewPost> = {}): NewPost =>
    ({
      ...office.answer("chat", ""),
      op: "edit",
      target: { postId },
      post: { text, notify: false },
      ...more,
    }) as NewPost;
  const remove = (postId: string, more: Partial<NewPost> = {}): NewPost =>
    ({ ...office.answer("chat", ""), op: "remove", target: { postId }, ...more }) as NewPost;

  it("stores a key once and returns the first ids again", async () => {
    const long = "x".repeat(450);
    const first = await office.enqueue(office.answer("chat", long, { key: "run:1:answer" }));
    const second = await office.enqueue(office.answer("chat", long, { key: "run:1:answer" }));
    await office.send().idle();

    expect(first).toHaveLength(3);
    expect(second).toEqual(first);
    expect(platform.texts("chat").join("")).toBe(long);
  });

  it("stores a key once when two transactions bring it at the same time", async () => {
    const post = office.answer("chat", "x".repeat(450), { key: "same" });
    const [a, b] = await Promise.all([office.enqueue(post), office.enqueue(post)]);

    expect(a).toEqual(b);
    expect(await office.statuses()).toHaveLength(3);
  });

  it("shows nothing of a transaction that was rolled back", async () => {
    const sender = office.send();
    const failing = office.unit(async (unit) => {
      await office.outbox.enqueue(unit, office.answer("chat", "never said"));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await office.enqueue(office.answer("chat", "said"));
    await sender.idle();

    expect(platform.texts("chat")).toEqual(["said"]);
  });

  it("is woken by another process through the queue", async () => {
    const gateway = office.send();
    await gateway.idle();
    // A second outbox stands for a worker's process: it stores, and has no sender.
    const { createOutbox } = await import("../../src/outbox/index.ts");
    const worker = createOutbox(office.deps());
    await office.unit((unit) => worker.enqueue(unit, office.answer("chat", "from afar")));

    await expect.poll(() => platform.texts("chat"), { timeout: 10_000 }).toEqual(["from afar"]);
  });

  it("F-66 takes secrets out before it cuts", async () => {
    const secret = "sk-abcdefghijklmnopqrstuvwxyz0123456789";
    // The cut would go through the middle of the secret.
    const text = `${"a ".repeat(95)}${secret} end`;
    const button = { label: `use ${secret}`, token: "sk-token-of-a-button-000" };
    await office.enqueue({
      ...office.answer("chat", ""),
      op: "post",
      post: { text, footer: `key ${secret}`, buttons: [[button]], notify: true },
    });
    await office.send().idle();

    const shown = JSON.stringify(platform.seen("chat"));
    expect(shown).toContain("[secret]");
    for (const piece of ["sk-abc", "abcdef", "uvwxyz", "456789"]) expect(shown).not.toContain(piece);
    expect(platform.seen("chat").at(-1)?.buttons).toEqual([{ label: "use [secret]", token: button.token }]);
    const stored = JSON.stringify(await office.db.selectFrom("posts").select("body").execute());
    expect(stored).not.toMatch(/sk-abc|uvwxyz/);
  });

  it("keeps no raw button token and no address of a link once the post is in the chat", async () => {
    const buttons = [[{ label: "Approve", token: "raw-token" }]];
    const links = [{ label: "Sign in", url: "https://chat.example/one-time?key=sk-proj-0123456789abcdefghij" }];
    await office.enqueue({
      ...office.answer("chat", ""),
      purpose: "card",
      op: "post",
      post: { text: "card", buttons, links, notify: true },
    });
    expect(JSON.stringify(await office.db.selectFrom("posts").select("body").execute())).toContain("raw-token");
    await office.send().idle();

    expect(platform.seen("chat")[0]?.buttons).toMatchObject([{ token: "raw-token" }]);
    expect(platform.seen("chat")[0]?.links).toEqual(links);
    const kept = JSON.stringify(await office.db.selectFrom("posts").select("body").execute());
    expect(kept).not.toContain("raw-token");
    expect(kept).not.toContain("one-time");
  });

  it("sends an edit of a post that is not sent yet after that post, and only the newest one", async () => {
    const [postId = ""] = await office.enqueue(office.answer("chat", "card"));
    await office.enqueue(edit(postId, "first change"));
    await office.enqueue(edit(postId, "second change"));
    await office.send().idle();

    expect(platform.texts("chat")).toEqual(["second change"]);
    expect(platform.calls.map((call) => call.text)).toEqual(["card", "second change"]);
    expect(await office.statuses()).toEqual(["sent", "superseded", "sent"]);
  });

  it("waits with an edit in another lane until its post was sent", async () => {
    const release = platform.holds("chat");
    const [postId = ""] = await office.enqueue(office.answer("chat", "card"));
    await office.enqueue(edit(postId, "changed", { lane: "place:other" }));
    const sender = office.send();
    await expect.poll(() => platform.calls.length).toBe(1);
    release();
    await sender.idle();

    expect(platform.calls.map((call) => call.op)).toEqual(["post", "edit"]);
    expect(platform.texts("chat")).toEqual(["changed"]);
  });

  it("drops an edit of what was never sent", async () => {
    platform.breaks(({ text }) => (text === "card" ? { refuse: "rejected" } : undefined));
    const [postId = ""] = await office.enqueue(office.answer("chat", "card"));
    await office.enqueue(edit(postId, "changed"), office.answer("chat", "after"));
    await office.send().idle();

    expect(platform.texts("chat")).toEqual(["after"]);
    expect((await office.statuses()).slice(0, 3)).toEqual(["failed", "superseded", "sent"]);
  });

  it("replaces a reaction that was not sent yet", async () => {
    const react = {
      op: "react",
      messageId: "m7",
      to: office.to("chat"),
      purpose: "reaction",
      lane: "react:m7",
    } as const;
    await office.enqueue({ ...react, reaction: "received", dedupKey: "a" });
    await office.enqueue({ ...react, reaction: "done", dedupKey: "b" });
    await office.send().idle();

    expect(platform.reactions.map((each) => each.reaction)).toEqual(["done"]);
  });

  it("F-36 removes a live view only once the answer is there", async () => {
    const [view = ""] = await office.enqueue(office.answer("chat", "working…", { purpose: "status" }));
    const sender = office.send();
    await sender.idle();
    const release = platform.holds("chat");
    const [answer = ""] = await office.enqueue(office.answer("chat", "the answer"));
    await office.enqueue(remove(view, { lane: "place:view", requiresPostId: answer }));
    await expect.poll(() => platform.calls.length).toBe(2);
    expect(platform.texts("chat")).toEqual(["working…"]);
    release();
    await sender.idle();

    expect(platform.calls.map((call) => call.op)).toEqual(["post", "post", "remove"]);
    expect(platform.texts("chat")).toEqual(["the answer"]);
  });

  it("F-36 leaves the live view where it is when the answer was not taken", async () => {
    const [view = ""] = await office.enqueue(office.answer("chat", "working…", { purpose: "status" }));
    platform.breaks(({ text }) => (text === "the answer" ? { refuse: "rejected" } : undefined));
    const [answer = ""] = await office.enqueue(office.answer("chat", "the answer"));
    await office.enqueue(remove(view, { requiresPostId: answer }));
    await office.send().idle();

    expect(platform.texts("chat")).toEqual(["working…"]);
    expect((await office.statuses()).slice(0, 3)).toEqual(["sent", "failed", "superseded"]);
  });

  it("F-36 removes a message whose id nobody noted by its button, as soon as it can be looked for", async () => {
    const buttons = [[{ label: "Stop", token: "stop-it" }]];
    await platform.adapter.post({ channel: "chat" }, { text: "working…", buttons, notify: false }, "key");
    await platform.adapter.post({ channel: "chat" }, { text: "a word", notify: false }, "other-key");
    let failures = 2;
    platform.breaks(({ op }) => (op === "remove" && failures-- > 0 ? { refuse: "unavailable" } : undefined));
    const { to, purpose } = office.answer("chat", "", { purpose: "status" });
    const target = { buttonHash: hashToken("stop-it") };
    await office.enqueue({ op: "remove", target, to, purpose, lane: "live:1", dedupKey: "live:1:gone" });
    office.send();

    await expect.poll(() => platform.texts("chat"), { timeout: 15_000 }).toEqual(["a word"]);
    expect(await office.statuses()).toEqual(["sent"]);
  });

  it("sends to the new address of a place that moved", async () => {
    await office.enqueue(office.answer("chat", "hello"));
    await office.unit((unit) => office.outbox.moveUnsent(unit, office.connectionId, "chat", "new-chat"));
    await office.send().idle();

    expect(platform.texts("new-chat")).toEqual(["hello"]);
  });

  it("sends again to the new address what was on its way to the old one", async () => {
    platform.breaks(({ channel }) => (channel === "chat" ? { refuse: "unavailable" } : undefined));
    const release = platform.holds("chat");
    await office.enqueue(office.answer("chat", "hello"));
    office.send();
    await expect.poll(() => platform.calls.length).toBe(1);
    await office.unit((unit) => office.outbox.moveUnsent(unit, office.connectionId, "chat", "new-chat"));
    release();
    await office.drain();

    expect(platform.texts("new-chat")).toEqual(["hello"]);
  });

  it("finishes what it is sending when it stops, and begins nothing else", async () => {
    const release = platform.holds("chat");
    await office.enqueue(office.answer("chat", "one"), office.answer("chat", "two"));
    const sender = office.send();
    await expect.poll(() => platform.calls.length).toBe(1);
    const stopping = sender.stop();
    release();
    await stopping;

    expect(platform.texts("chat")).toEqual(["one"]);
    expect(await office.statuses()).toEqual(["sent", "pending"]);
  });
});
