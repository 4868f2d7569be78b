import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { NewPost } from "../../src/outbox/index.ts";
import type { PostPurpose } from "../../src/storage/index.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";

const minute = 60_000;

describe("an answer for one person only", () => {
  let office: PostOffice;
  let platform: Platform;
  beforeAll(async () => {
    office = await openPostOffice();
  });
  afterAll(() => office[Symbol.asyncDispose]());
  beforeEach(async () => {
    platform = createPlatform();
    await office.reset(platform.adapter);
  });
  const forBen = (text: string, purpose: PostPurpose = "answer"): NewPost => ({
    ...office.answer("chat", text, { purpose }),
    op: "post",
    post: { text, notify: true, onlyFor: { userId: "ben", interaction: { id: "i1", payload: "p" } } },
  });

  it("reaches the platform as one, with what it answers", async () => {
    office.send();
    await office.enqueue(forBen("Just for you."));
    await office.drain();
    expect(platform.seen("chat")).toMatchObject([
      { text: "Just for you.", onlyFor: { userId: "ben", interaction: { id: "i1", payload: "p" } } },
    ]);
  });

  it.each(["unavailable", "refused", "rate_limited"] as const)(
    "is tried for a quarter of an hour where the platform is %s, then dropped without a word",
    async (refuse) => {
      platform.breaks(({ channel }) => (channel === "chat" ? { refuse, retryAfterMs: 4 * minute } : undefined));
      office.send();
      await office.enqueue(forBen("In time?"), office.answer("chat", "behind it"));
      await office.pass(10 * minute);
      expect(await office.statuses()).toEqual(["pending", "pending"]);
      await office.pass(6 * minute);
      expect(await office.statuses()).toEqual(["failed", "pending"]);
      platform.works();
      await office.drain();
      expect(platform.texts("chat")).toEqual(["behind it"]);
      expect(platform.texts(office.dm)).toEqual([]);
    },
  );

  it("that nobody could send for longer, since we were away, is not sent at all", async () => {
    await office.enqueue(forBen("Too late."), office.answer("chat", "still worth it"));
    await office.pass(16 * minute);
    office.send();
    await office.drain();
    expect(platform.texts("chat")).toEqual(["still worth it"]);
    expect(await office.statuses()).toEqual(["failed", "sent"]);
    expect(platform.texts(office.dm)).toEqual([]);
  });

  it("is never repeated with a label", async () => {
    platform.breaksNext("response lost");
    office.send();
    await office.enqueue(forBen("Once."));
    await office.drain();
    expect(platform.texts("chat")).toEqual(["Once."]);
    expect(await office.statuses()).toEqual(["uncertain"]);
  });

  it("that the platform rejects is nothing to bother the owner with", async () => {
    platform.breaks(({ channel }) => (channel === "chat" ? { refuse: "rejected" } : undefined));
    office.send();
    await office.enqueue(forBen("No."));
    await office.drain();
    expect(platform.texts(office.dm)).toEqual([]);
  });
});
