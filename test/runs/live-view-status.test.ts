import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createLiveView, type LiveViewPace } from "../../src/runs/live-view.ts";
import type { LiveView } from "../../src/runs/types.ts";
import { silentLog, systemClock } from "../../src/shared/index.ts";
import { wordsFor } from "../../src/words/index.ts";
import { type Seeded, seededDatabase } from "./seed.ts";
import { failed, type StandIn, standIn } from "./stand-in-adapter.ts";

let seeded: Seeded;
beforeAll(async () => {
  seeded = await seededDatabase();
});
afterAll(async () => {
  await seeded[Symbol.asyncDispose]();
});
afterEach(() => {
  vi.useRealTimers();
});
beforeEach(async () => {
  await seeded.db.deleteFrom("live_views").execute();
});

const pace: LiveViewPace = { messageAfterMs: 5, heartbeatMs: 12_000, typingEveryMs: 4_000, closeWithinMs: 3_000 };

function view(platform: StandIn): LiveView {
  const destination = {
    connectionId: seeded.connectionId,
    address: { channel: "7", thread: "70" },
    placeKind: "channel",
  } as const;
  const deps = {
    db: seeded.db,
    adapter: platform.adapter,
    destination,
    runId: seeded.runId,
    teammate: { name: "Milo" },
    persona: { name: "Milo", picture: "🦊" },
    words: wordsFor("en"),
    clock: systemClock,
    log: silentLog,
    startedAt: new Date(),
    stopToken: async () => "stop-token",
  };
  return createLiveView(deps, pace);
}
const edits = (live: LiveView, itemId: string, path: string) =>
  live.show({ kind: "step_started", at: new Date(), itemId, step: { kind: "edit", paths: [path] } });
const lines = (platform: StandIn) =>
  platform.calls.filter((call) => call.method === "status").map((call) => call.text ?? "");

test("says at once that it works, and then at what, in one short line without Markdown", async () => {
  const platform = standIn("status");
  const live = view(platform);
  await expect.poll(() => lines(platform)).toEqual(["is working"]);
  edits(live, "a", "src/*app*.ts");
  await expect.poll(() => lines(platform).at(-1)).toMatch(/^is working · editing src\/\*app\*\.ts$/u);
  edits(live, "b", `src/${"long".repeat(60)}.ts`);
  await expect.poll(() => lines(platform).at(-1)).toContain("longlong");
  expect(lines(platform).at(-1)?.length).toBeLessThanOrEqual(100);
  live.waiting("approval");
  await expect.poll(() => lines(platform).at(-1)).toBe("is waiting for you · less than a minute");
  await live.close();
  expect(new Set(platform.calls.map((call) => call.method))).toEqual(new Set(["status"]));
});

test("tells the time in whole tens, as often as it is renewed", async () => {
  vi.useFakeTimers();
  const platform = standIn("status");
  const live = view(platform);
  await vi.advanceTimersByTimeAsync(35_000);
  const seen = lines(platform);
  expect(seen[0]).toBe("is working");
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.slice(1).filter((line) => !/^is working · \d0 s$/u.test(line))).toEqual([]);
  await live.close();
});

test("says it again before it expires, also when nothing changes", async () => {
  vi.useFakeTimers();
  const platform = standIn("status");
  const live = view(platform);
  live.waiting("approval");
  await vi.advanceTimersByTimeAsync(200_000);
  const seen = lines(platform);
  expect(seen.at(-1)).toBe("is waiting for you · 3 min");
  expect(seen.length).toBeGreaterThanOrEqual(4);
  expect(seen.length).toBeLessThan(25);
  await live.close();
});

test("does not repeat itself while an answer is being written", async () => {
  vi.useFakeTimers();
  const platform = standIn("status");
  const live = view(platform);
  for (let count = 0; count < 50; count += 1) {
    live.show({ kind: "text_delta", at: new Date(), itemId: "m", text: "word " });
    await vi.advanceTimersByTimeAsync(100);
  }
  await live.close();
  const said = lines(platform).filter((line) => line !== "");
  expect(said.length).toBeLessThanOrEqual(2);
  expect(said.at(-1)).toContain("writing the answer");
});

test("F-41 takes the line away at the end, after what was still on its way", async () => {
  const platform = standIn("status");
  const release = platform.hold();
  const live = view(platform);
  await expect.poll(() => lines(platform)).toHaveLength(1);
  const closing = live.close();
  release();
  expect(await closing).toEqual({ messageId: undefined });
  await expect.poll(() => lines(platform)).toEqual(["is working", ""]);
});

test("F-41 takes the line away although the platform was busy at first", async () => {
  const platform = standIn("status");
  const live = view(platform);
  await expect.poll(() => lines(platform)).toHaveLength(1);
  platform.answerNext("status", failed("rate_limited", 10));
  await live.close();
  await expect.poll(() => lines(platform).slice(1)).toEqual(["", ""]);
});

test.each(["refused", "rejected", "gone"] as const)(
  "where the line is %s, a message with a Stop button shows the rest, under the teammate's own name",
  async (kind) => {
    const platform = standIn("status");
    platform.answerNext("status", failed(kind));
    const live = view(platform);
    await expect.poll(() => platform.messages.size).toBe(1);
    expect(platform.messages.get("100")).toMatchObject({
      persona: { name: "Milo", picture: "🦊" },
      buttons: [[{ label: "Stop", token: "stop-token" }]],
    });
    edits(live, "a", "a.ts");
    await expect.poll(() => platform.messages.get("100")?.text).toContain("Editing a.ts");
    expect(await live.close()).toEqual({ messageId: "100" });
    expect(lines(platform)).toEqual(["is working"]);
  },
);

test("tries the line again after a rate limit", async () => {
  const platform = standIn("status");
  platform.answerNext("status", failed("rate_limited", 20));
  const live = view(platform);
  await expect.poll(() => lines(platform)).toHaveLength(2);
  expect(platform.messages.size).toBe(0);
  await live.close();
});

test("an adapter without such a line shows a message", async () => {
  const platform = standIn("status");
  const { status: _, ...adapter } = platform.adapter;
  const live = view({ ...platform, adapter });
  await expect.poll(() => platform.messages.size).toBe(1);
  await live.close();
});
