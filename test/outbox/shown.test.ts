import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { NewPost } from "../../src/outbox/index.ts";
import { createPlatform, type PlatformOptions } from "../support/platform.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";

const label = "♻︎ This may be a repeat: I'm not sure the first one arrived.";
const milo = { name: "Milo", picture: "🦊" };

describe("what reaches the adapter", () => {
  let office: PostOffice;
  beforeAll(async () => {
    office = await openPostOffice();
  });
  afterAll(() => office[Symbol.asyncDispose]());
  const on = async (options: PlatformOptions = {}) => {
    const platform = createPlatform(options);
    await office.reset(platform.adapter);
    office.send();
    return { platform, post: vi.spyOn(platform.adapter, "post") };
  };
  const askedAgain = ({ post }: Awaited<ReturnType<typeof on>>) =>
    post.mock.calls.map(([, , , again]) => again ?? false);

  it("F-35 says that an earlier try may have arrived, also when that was before a restart", async () => {
    const world = await on({ idempotentPosts: true });
    world.platform.breaksNext("response lost");
    await office.enqueue(office.answer("chat", "one"));
    await office.drain();
    expect(askedAgain(world)).toEqual([false, true]);

    const release = world.platform.holds("chat");
    await office.enqueue(office.answer("chat", "two"));
    await expect.poll(() => world.post.mock.calls.length).toBe(3);
    const { key } = world.platform.calls.at(-1) ?? {};
    // Nobody hears of that try any more: the process that made it is gone.
    world.platform.breaksNext("response lost");
    await office.restart();
    const left = office.db.selectFrom("posts").select(["status", "attempts"]).where("status", "<>", "sent");
    expect(await left.execute()).toEqual([{ status: "pending", attempts: 1 }]);
    release();
    await office.drain();
    const [first, ...later] = askedAgain(world).slice(2);
    expect(first).toBe(false);
    // The process we call dead is only ignored here, and may still have put its post back once.
    expect(new Set(later)).toEqual(new Set([true]));
    expect(world.platform.calls.at(-1)?.key).toBe(key);
    expect(world.platform.texts("chat")).toEqual(["one", "two"]);
  });

  it("does not say so after a refusal, which left nothing there", async () => {
    const world = await on({ idempotentPosts: true });
    world.platform.breaksNext({ refuse: "rate_limited", retryAfterMs: 10 });
    await office.enqueue(office.answer("chat", "one"));
    await office.drain();
    expect(askedAgain(world)).toEqual([false, false]);
  });

  it("F-35 labels the repeat of a file, which no platform tells apart", async () => {
    const { platform } = await on({ idempotentPosts: true });
    platform.breaksNext("response lost");
    const file = { path: "/tmp/report.pdf", name: "report.pdf", caption: "The report" };
    await office.enqueue({ ...office.answer("chat", ""), op: "upload", file, purpose: "file" });
    await office.drain();
    expect(platform.texts("chat")).toEqual(["The report", `${label}\n\nThe report`]);
  });

  it("gives lists and a wish for a reply to the last part, and keeps no token once it is there", async () => {
    const { post } = await on({ textLimit: 10 });
    const selects = [{ label: "Effort", options: [{ label: "High", token: "token-high", current: true }] }];
    await office.enqueue({
      ...office.answer("chat", ""),
      op: "post",
      post: { text: "0123456789abc", notify: true, selects, asksReply: true },
    });
    await office.drain();
    const parts = post.mock.calls.map(([, part]) => part);
    expect(parts).toEqual([
      { text: "0123456789", notify: true },
      { text: "abc", notify: false, selects, asksReply: true },
    ]);
    const bodies = await office.db.selectFrom("posts").select("body").execute();
    expect(JSON.stringify(bodies)).not.toContain("token-high");
  });

  const unwritten = { ...milo, unwritten: true };

  it("shows who speaks in every part and edit where the platform can", async () => {
    const { post, platform } = await on({ textLimit: 10, persona: "native" });
    const edit = vi.spyOn(platform.adapter, "edit");
    const [postId = ""] = await office.enqueue({ ...office.answer("chat", "0123456789abc"), speaker: milo });
    await office.drain();
    await office.enqueue({
      ...office.answer("chat", ""),
      op: "edit",
      target: { postId },
      post: { text: "new", notify: false },
      speaker: milo,
    });
    await office.drain();
    expect(post.mock.calls.map(([, part]) => part.persona)).toEqual([unwritten, unwritten]);
    expect(edit.mock.calls.map(([, , part]) => part.persona)).toEqual([unwritten]);
  });

  it("puts a name in a line only where a post asks for it, and only above its first part", async () => {
    const { post } = await on({ textLimit: 10 });
    const asking = (text: string): NewPost => ({
      ...office.answer("chat", text),
      op: "post",
      post: { text, notify: true, persona: milo },
      speaker: milo,
    });
    await office.enqueue({ ...office.answer("chat", "quiet"), speaker: milo }, asking("0123456789abc"));
    await office.drain();
    expect(post.mock.calls.map(([, part]) => part.persona)).toEqual([undefined, milo, undefined]);
  });
});
