import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlatform, type Fault } from "../support/platform.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";

describe("the order of posts", () => {
  let office: PostOffice;
  beforeAll(async () => {
    office = await openPostOffice();
  });
  afterAll(() => office[Symbol.asyncDispose]());

  it("stays within a lane, whatever the platform does, and repeats are labelled", async () => {
    const fault = fc.constantFrom<Fault | undefined>(
      undefined,
      undefined,
      "response lost",
      "request lost",
      { refuse: "unavailable" },
      { refuse: "rate_limited", retryAfterMs: 2_000 },
    );
    const lanes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lanes, fc.array(fault, { maxLength: 40 }), async (sizes, faults) => {
        const platform = createPlatform();
        await office.reset(platform.adapter);
        const script = [...faults];
        platform.breaks(() => script.shift());
        const posts = sizes.flatMap((size, lane) =>
          Array.from({ length: size }, (_, index) => office.answer(`chat-${lane}`, `${lane}.${index}`)),
        );
        office.send();
        await office.enqueue(...posts);
        await office.drain();

        for (const [lane, size] of sizes.entries()) {
          const shown = platform.texts(`chat-${lane}`);
          const numbers = shown.map((text) => Number(/\d+\.(\d+)$/.exec(text)?.[1]));
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
          const plain = shown.filter((text) => !text.startsWith("♻︎"));
          const labelled = shown.filter((text) => text.startsWith("♻︎"));
          expect(new Set(plain).size).toBe(plain.length);
          expect(new Set(labelled).size).toBe(labelled.length);
          // Only a post whose both sends got no answer may be missing.
          const rows = await office.db
            .selectFrom("posts")
            .select("status")
            .where("lane", "=", `conversation:chat-${lane}`)
            .execute();
          const sent = rows.filter((row) => row.status === "sent").length;
          expect(new Set(numbers).size).toBeGreaterThanOrEqual(sent);
          expect(rows.every((row) => row.status === "sent" || row.status === "uncertain")).toBe(true);
          expect(rows.length).toBe(size);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("holds for 500 posts in 50 chats, each shown once", async () => {
    const platform = createPlatform();
    await office.reset(platform.adapter);
    const sender = office.send();
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const chats = Array.from({ length: 50 }, (_, index) => `chat-${index}`);
    await office.enqueue(...numbers.flatMap((number) => chats.map((chat) => office.answer(chat, `${number}`))));
    await sender.idle();

    for (const chat of chats) expect(platform.texts(chat)).toEqual(numbers.map(String));
  });

  it("keeps the parts of a long answer together: the first replies and notifies, the last has buttons and footer", async () => {
    const platform = createPlatform({ textLimit: 10 });
    await office.reset(platform.adapter);
    const sender = office.send();
    const post = {
      text: "0123456789abcdefghijKLMNO",
      notify: true,
      replyTo: "m0",
      footer: "Milo · 3 s",
      buttons: [[{ label: "Go", token: "t" }]],
      links: [{ label: "Open", url: "https://a.example" }],
    };
    const ids = await office.enqueue({ ...office.answer("chat", ""), op: "post", post }, office.answer("chat", "next"));
    await sender.idle();

    expect(ids).toHaveLength(4);
    expect(platform.seen("chat")).toMatchObject([
      { text: "0123456789", replyTo: "m0", notify: true, footer: undefined, buttons: [], links: [] },
      { text: "abcdefghij", replyTo: undefined, notify: false, footer: undefined, buttons: [] },
      {
        text: "KLMNO",
        replyTo: undefined,
        notify: false,
        footer: "Milo · 3 s",
        buttons: [{ label: "Go" }],
        links: [{ label: "Open" }],
      },
      { text: "next" },
    ]);
  });

  it("F-22 leaves other chats alone when several groups do not let us write", async () => {
    const platform = createPlatform();
    await office.reset(platform.adapter);
    platform.breaks(({ channel }) => (channel.startsWith("mute") ? { refuse: "refused" } : undefined));
    const sender = office.send();
    await office.enqueue(...[1, 2, 3, 4, 5, 6].map((group) => office.answer(`mute ${group}`, "hello")));
    await expect.poll(() => platform.calls.length).toBe(6);
    await sender.idle();
    await office.enqueue(office.answer("quick", "hello"));
    await sender.idle();

    expect(platform.texts("quick")).toEqual(["hello"]);
  });

  it("F-22 leaves other chats alone when one is limited or slow", async () => {
    const platform = createPlatform();
    await office.reset(platform.adapter);
    const sender = office.send();
    platform.breaks(({ channel }) =>
      channel === "limited" ? { refuse: "rate_limited", retryAfterMs: 60_000 } : undefined,
    );
    const release = platform.holds("slow");
    await office.enqueue(
      office.answer("limited", "one"),
      office.answer("limited", "two", { lane: "place:another lane of the same chat" }),
      office.answer("slow", "one"),
      ...["a", "b", "c"].map((text) => office.answer("quick", text)),
    );

    await expect.poll(() => platform.texts("quick")).toEqual(["a", "b", "c"]);
    expect(platform.texts("slow")).toEqual([]);
    release();
    await sender.idle();
    expect(platform.texts("slow")).toEqual(["one"]);
    expect(platform.texts("limited")).toEqual([]);

    // While the place is limited nobody asks again, not even another lane.
    const asked = () => platform.calls.filter((call) => call.channel === "limited").length;
    const before = asked();
    await office.enqueue(office.answer("limited", "three", { lane: "place:a third lane" }));
    await sender.idle();
    expect(asked()).toBe(before);
    platform.works();
    await office.pass(61_000);
    expect(platform.texts("limited")).toEqual(["one", "two", "three"]);
    const attempts = await office.db.selectFrom("posts").select("attempts").where("channel", "=", "limited").execute();
    expect(attempts.map((row) => row.attempts)).toEqual([0, 0, 0]);
  });

  it("rests in a place after a short burst of posts, while reactions go at once", async () => {
    const platform = createPlatform({ postIntervalMs: 60_000 });
    await office.reset(platform.adapter);
    const sender = office.send();
    const react = {
      op: "react",
      messageId: "m7",
      reaction: "received",
      to: office.to("chat"),
      purpose: "reaction",
    } as const;
    await office.enqueue(
      office.answer("chat", "one", { lane: "place:a" }),
      office.answer("chat", "two", { lane: "place:b" }),
      office.answer("chat", "three", { lane: "place:c" }),
      office.answer("chat", "four", { lane: "place:d" }),
      { ...react, lane: "react:m7", dedupKey: "react" },
      office.answer("other", "one"),
    );
    await sender.idle();

    expect(platform.texts("chat")).toEqual(["one", "two", "three"]);
    expect(platform.texts("other")).toEqual(["one"]);
    expect(platform.reactions).toEqual([{ channel: "chat", messageId: "m7", reaction: "received" }]);
    await office.pass(60_000);
    expect(platform.texts("chat")).toEqual(["one", "two", "three", "four"]);
  });
});
