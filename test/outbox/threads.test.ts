import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NewPost } from "../../src/outbox/index.ts";
import { createPlatform } from "../support/platform.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";

let office: PostOffice;
beforeAll(async () => {
  office = await openPostOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

const thread = (): NewPost => ({
  op: "open_thread",
  title: "Open incidents",
  to: office.to("ops"),
  purpose: "answer",
  lane: "thread:1",
  dedupKey: "thread:1",
});

async function enqueueBoth(): Promise<void> {
  const [threadPostId] = await office.enqueue(thread());
  await office.enqueue({ ...office.answer("ops", "None today."), threadPostId });
}

describe("a thread whose making was not confirmed", () => {
  it("F-48 is asked for again with the same key where that makes one only, and what waits goes into it", async () => {
    const platform = createPlatform({ idempotentPosts: true });
    await office.reset(platform.adapter);
    platform.breaksNext("response lost");
    office.send();
    await enqueueBoth();
    await office.drain();
    const keys = platform.calls.filter(({ op }) => op === "open_thread").map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(2);
    expect(await office.statuses()).toEqual(["sent", "sent"]);
    expect(platform.seen("ops").map((message) => message.thread)).toEqual([...platform.threads.keys()]);
  });

  it("elsewhere is not made twice: what was to stand in it goes beside it", async () => {
    const platform = createPlatform();
    await office.reset(platform.adapter);
    platform.breaksNext("response lost");
    office.send();
    await enqueueBoth();
    await office.drain();
    expect(await office.statuses()).toEqual(["uncertain", "sent"]);
    expect(platform.threads.size).toBe(1);
    expect(platform.seen("ops").map((message) => message.thread)).toEqual([undefined]);
  });

  it("holds up nothing else in the place", async () => {
    const platform = createPlatform();
    await office.reset(platform.adapter);
    platform.breaks(({ op }) => (op === "open_thread" ? { refuse: "unavailable" } : undefined));
    const sender = office.send();
    await enqueueBoth();
    await office.enqueue(office.answer("ops", "Another answer.", { lane: "conversation:2" }));
    await sender.idle();
    expect(platform.texts("ops")).toEqual(["Another answer."]);
  });
});
