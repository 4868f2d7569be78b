import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPlatform, type Platform, type PlatformOptions } from "../support/platform.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";

const label = "♻︎ This may be a repeat: I'm not sure the first one arrived.";

describe("what a receipt means", () => {
  let office: PostOffice;
  let platform: Platform;
  beforeAll(async () => {
    office = await openPostOffice();
  });
  afterAll(() => office[Symbol.asyncDispose]());
  const on = async (options: PlatformOptions = {}) => {
    platform = createPlatform(options);
    await office.reset(platform.adapter);
    return office.send();
  };
  beforeEach(async () => {
    await on();
  });

  it("F-35 repeats an answer once after a lost response, and says so", async () => {
    platform.breaksNext("response lost");
    await office.enqueue(office.answer("chat", "It is done."), office.answer("chat", "Next."));
    await office.drain();

    expect(platform.texts("chat")).toEqual(["It is done.", `${label}\n\nIt is done.`, "Next."]);
  });

  it("gives up after the repeat got no response either", async () => {
    platform.breaksNext("response lost", "response lost");
    await office.enqueue(office.answer("chat", "It is done."));
    await office.drain();

    expect(platform.texts("chat")).toEqual(["It is done.", `${label}\n\nIt is done.`]);
    expect(await office.statuses()).toEqual(["uncertain"]);
  });

  it("never repeats a notice", async () => {
    platform.breaksNext("response lost");
    await office.enqueue(office.answer("chat", "By the way", { purpose: "notice" }));
    await office.drain();

    expect(platform.texts("chat")).toEqual(["By the way"]);
    expect(await office.statuses()).toEqual(["uncertain"]);
  });

  it("puts the label ahead of a repeat that fills its message", async () => {
    await on({ textLimit: 70 });
    const full = "x".repeat(70);
    platform.breaksNext("response lost");
    await office.enqueue(office.answer("chat", full));
    await office.drain();

    expect(platform.texts("chat")).toEqual([full, label, full]);
  });

  it("repeats silently, under the same key, where the platform shows one message a key", async () => {
    await on({ idempotentPosts: true });
    platform.breaksNext("response lost", "response lost");
    await office.enqueue(office.answer("chat", "It is done."));
    await office.drain();

    expect(platform.texts("chat")).toEqual(["It is done."]);
    const keys = platform.calls.map((call) => call.key);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]?.length).toBeLessThanOrEqual(25);
  });

  it("asks again for an edit whose response was lost", async () => {
    const [postId = ""] = await office.enqueue(office.answer("chat", "before"));
    await office.drain();
    platform.breaksNext("response lost");
    await office.enqueue({
      ...office.answer("chat", ""),
      op: "edit",
      target: { postId },
      post: { text: "after", notify: false },
    });
    await office.drain();

    expect(platform.texts("chat")).toEqual(["after"]);
    expect(await office.statuses()).toEqual(["sent", "sent"]);
  });

  it("F-35 treats what was being sent when the process died like a lost response", async () => {
    const release = platform.holds("chat");
    const posts = [
      office.answer("chat", "the answer"),
      office.answer("chat", "a notice", { purpose: "notice", lane: "place:1" }),
      office.answer("chat", "after the answer"),
    ];
    await office.enqueue(...posts);
    await expect.poll(() => platform.calls.length).toBe(2);
    const started = platform.calls.length;
    expect(await office.statuses()).toEqual(["sending", "sending", "pending"]);

    platform.breaksNext("request lost", "request lost");
    await office.restart();
    await office.db.selectFrom("posts").select("id").execute();
    expect(await office.statuses()).toEqual(["pending", "uncertain", "pending"]);
    release();
    await office.drain();
    expect(started).toBe(2);
    expect(platform.texts("chat")).toEqual([`${label}\n\nthe answer`, "after the answer"]);
  });

  it("keeps trying for hours when the platform is down, then gives up and tells the owner", async () => {
    platform.breaks(({ channel }) => (channel === "chat" ? { refuse: "unavailable" } : undefined));
    await office.enqueue(office.answer("chat", "late"));
    await office.pass(0);
    for (let hour = 0; hour < 23; hour += 1) await office.pass(3_600_000);
    expect(await office.statuses()).toEqual(["pending"]);
    platform.works();
    await office.drain();
    expect(platform.texts("chat")).toEqual(["late"]);

    platform.breaks(({ channel }) => (channel === "chat" ? { refuse: "unavailable" } : undefined));
    await office.enqueue(office.answer("chat", "never"));
    for (let hour = 0; hour < 26; hour += 1) await office.pass(3_600_000);
    await office.drain();
    expect(platform.texts("chat")).toEqual(["late"]);
    expect(platform.texts(office.dm)).toEqual([expect.stringContaining("gave up")]);
  });

  it("F-43 does not repeat what the platform rejects, goes on, and tells the owner once", async () => {
    platform.breaks(({ text, channel }) => (channel === "chat" && text === "bad" ? { refuse: "rejected" } : undefined));
    await office.enqueue(office.answer("chat", "bad"), office.answer("chat", "good"));
    await office.drain();

    expect(platform.texts("chat")).toEqual(["good"]);
    expect(platform.calls.filter((call) => call.text === "bad")).toHaveLength(1);
    expect(platform.texts(office.dm)).toEqual([expect.stringContaining("didn't take it")]);
  });

  it("F-45 tells the owner once that a place is gone, and never posts it anywhere else", async () => {
    platform.breaks(({ channel }) => (channel === "chat" ? { refuse: "gone" } : undefined));
    await office.enqueue(office.answer("chat", "one"), office.answer("chat", "two"), office.answer("chat", "three"));
    await office.drain();

    expect(platform.texts(office.dm)).toEqual([expect.stringContaining("gone or closed to me")]);
    expect(
      platform.calls.filter((call) => /^(?:one|two|three)$/.test(call.text)).every((call) => call.channel === "chat"),
    ).toBe(true);
  });

  it("does not report its own reports", async () => {
    platform.breaks(() => ({ refuse: "rejected" }));
    await office.enqueue(office.answer("chat", "one"));
    await office.drain();

    expect(platform.calls).toHaveLength(2);
    expect(await office.statuses()).toEqual(["failed", "failed"]);
  });

  it("keeps posts while the token is refused, says so, and sends them once it was mended", async () => {
    const state = async () =>
      await office.db.selectFrom("connections").select(["state", "state_detail"]).executeTakeFirstOrThrow();
    platform.breaks(() => ({ refuse: "refused" }));
    await office.enqueue(office.answer("chat", "one"));
    await office.pass(0);
    await expect.poll(state).toEqual({ state: "misconfigured", state_detail: "refused by the stand-in" });
    await office.pass(48 * 3_600_000);
    expect(await office.statuses()).toEqual(["pending"]);

    platform.works();
    await office.drain();
    expect(platform.texts("chat")).toEqual(["one"]);
    expect(await state()).toMatchObject({ state: "connected" });
  });
});
