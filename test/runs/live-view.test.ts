import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { PlaceKind } from "../../src/chat/index.ts";
import { runOfDraft, runsWithAbandonedView } from "../../src/runs/live-view.store.ts";
import { createLiveView, type LiveViewPace } from "../../src/runs/live-view.ts";
import type { LiveView, Step } from "../../src/runs/types.ts";
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

const pace: LiveViewPace = { messageAfterMs: 0, heartbeatMs: 60_000, typingEveryMs: 60_000, closeWithinMs: 60_000 };
const step: Step = { kind: "command", command: "npm test" };

function view(platform: StandIn, more: { pace?: Partial<LiveViewPace>; kind?: PlaceKind } = {}): LiveView {
  const destination = { connectionId: seeded.connectionId, address: { channel: "7" }, placeKind: more.kind ?? "group" };
  const deps = {
    db: seeded.db,
    adapter: platform.adapter,
    destination,
    runId: seeded.runId,
    teammate: { name: "Milo" },
    words: wordsFor("en"),
    clock: systemClock,
    log: silentLog,
    startedAt: new Date(),
    replyTo: "5",
    stopToken: async () => "stop-token",
  };
  return createLiveView(deps, { ...pace, ...more.pace });
}
function begin(live: LiveView, itemId: string, command = "npm test") {
  live.show({ kind: "step_started", at: new Date(), itemId, step: { kind: "command", command } });
}
const named = (platform: StandIn, method: string) => platform.calls.filter((call) => call.method === method);

async function row() {
  return await seeded.db.selectFrom("live_views").selectAll().where("run_id", "=", seeded.runId).executeTakeFirst();
}

test("types at once, then shows one message with a Stop button and edits it", async () => {
  const platform = standIn("edit");
  const live = view(platform);
  expect(platform.calls.map((call) => call.method)).toEqual(["typing"]);
  await expect.poll(() => named(platform, "post")).toHaveLength(1);
  const post = named(platform, "post")[0]?.post;
  expect(post).toMatchObject({ notify: false, replyTo: "5", buttons: [[{ label: "Stop", token: "stop-token" }]] });
  begin(live, "a");
  await expect.poll(() => platform.messages.get("100")?.text).toContain("▸ Running npm test");
  expect(await live.close()).toEqual({ messageId: "100" });
  expect(named(platform, "post")).toHaveLength(1);
});

test("a turn that is over within a second leaves no message behind", async () => {
  const platform = standIn("edit");
  const live = view(platform, { pace: { messageAfterMs: 60_000 } });
  begin(live, "a");
  expect(await live.close()).toEqual({ messageId: undefined });
  expect(platform.calls.map((call) => call.method)).toEqual(["typing"]);
  expect(await row()).toBeUndefined();
});

test("F-41 typing goes on until something else is seen, and no longer than the run", async () => {
  vi.useFakeTimers();
  const platform = standIn("edit");
  const live = view(platform, { pace: { messageAfterMs: 60_000, typingEveryMs: 4_000 } });
  await vi.advanceTimersByTimeAsync(13_000);
  expect(named(platform, "typing")).toHaveLength(4);
  await live.close();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(named(platform, "typing")).toHaveLength(4);
});

test("F-41 doesn't claim to type while it waits for a person", async () => {
  vi.useFakeTimers();
  const platform = standIn("edit");
  const live = view(platform, { pace: { messageAfterMs: 600_000, typingEveryMs: 4_000 } });
  live.waiting("approval");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(named(platform, "typing")).toHaveLength(1);
  live.waiting(null);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(named(platform, "typing")).toHaveLength(2);
  await live.close();
});

test("its row is there before the message, and knows it afterwards, so that a restart can take it away", async () => {
  const platform = standIn("edit");
  const release = platform.hold();
  const live = view(platform);
  await expect.poll(() => named(platform, "post")).toHaveLength(1);
  expect(await row()).toMatchObject({ channel: "7", platform_message_id: null, closed_at: null });
  release();
  await expect.poll(row).toMatchObject({ platform_message_id: "100" });
  await live.close();
  expect(await runsWithAbandonedView(seeded.db)).toEqual([]);
  await seeded.db.updateTable("runs").set({ status: "interrupted" }).where("id", "=", seeded.runId).execute();
  expect(await runsWithAbandonedView(seeded.db)).toEqual([seeded.runId]);
  await seeded.db.updateTable("runs").set({ status: "running" }).where("id", "=", seeded.runId).execute();
});

test("a run that is shown anew after a restart does not take the message before it for its own", async () => {
  const before = view(standIn("edit"));
  await expect.poll(row).toMatchObject({ platform_message_id: "100" });
  await before.close();
  const platform = standIn("edit");
  const release = platform.hold();
  const after = view(platform);
  await expect.poll(() => named(platform, "post")).toHaveLength(1);
  expect(await row()).toMatchObject({ platform_message_id: null, closed_at: null });
  release();
  await after.close();
});

test("never has two calls in flight, and shows the last state in the end", async () => {
  const platform = standIn("edit");
  const live = view(platform);
  for (let count = 0; count < 200; count += 1) {
    begin(live, `step-${count}`, `step ${count}`);
    if (count % 20 === 0) await new Promise(setImmediate);
  }
  await expect.poll(() => platform.messages.get("100")?.text).toContain("step 199");
  expect(platform.mostInFlight()).toBe(1);
  await live.close();
});

test("a message that somebody deleted is shown anew once, and not a second time", async () => {
  const platform = standIn("edit");
  const live = view(platform);
  await expect.poll(() => platform.messages.size).toBe(1);
  platform.answerNext("edit", failed("gone"));
  begin(live, "a");
  await expect.poll(() => platform.messages.get("101")?.text).toContain("npm test");
  await expect.poll(row).toMatchObject({ platform_message_id: "101" });
  platform.answerNext("edit", failed("gone"));
  begin(live, "b");
  await expect.poll(row).toMatchObject({ platform_message_id: null });
  begin(live, "c");
  expect(await live.close()).toEqual({ messageId: undefined });
  expect(named(platform, "post")).toHaveLength(2);
});

test("tries again after a rate limit, with the newest state", async () => {
  const platform = standIn("edit");
  platform.answerNext("post", failed("rate_limited", 30));
  const live = view(platform);
  begin(live, "a");
  await expect.poll(() => platform.messages.get("100")?.text).toContain("npm test");
  await live.close();
});

test("never posts twice when the response to the first post was lost", async () => {
  const platform = standIn("edit");
  platform.answerNext("post", { outcome: "unknown", detail: "connection reset" });
  const live = view(platform);
  await expect.poll(() => named(platform, "post")).toHaveLength(1);
  begin(live, "a");
  expect(await live.close()).toEqual({ messageId: undefined });
  expect(named(platform, "post")).toHaveLength(1);
});

test("F-36 closing waits for a post in flight and says which message is to be removed", async () => {
  const platform = standIn("edit");
  const release = platform.hold();
  const live = view(platform);
  await expect.poll(() => named(platform, "post")).toHaveLength(1);
  const closing = live.close();
  release();
  expect(await closing).toEqual({ messageId: "100" });
});

test("F-36 a message that arrives after closing gave up is taken away again", async () => {
  const platform = standIn("edit");
  const release = platform.hold();
  const live = view(platform, { pace: { closeWithinMs: 5 } });
  await expect.poll(() => named(platform, "post")).toHaveLength(1);
  expect(await live.close()).toEqual({ messageId: undefined });
  release();
  await expect.poll(() => named(platform, "remove")).toEqual([{ method: "remove", messageId: "100" }]);
});

test("shows nothing any more once it is closed", async () => {
  vi.useFakeTimers();
  const platform = standIn("edit");
  const live = view(platform, { pace: { messageAfterMs: 1_000 } });
  await live.close();
  begin(live, "late");
  live.waiting("approval");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(platform.calls.map((call) => call.method)).toEqual(["typing"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a draft shows the answer as it is said, under the same id, without a Stop button of ours", async () => {
  const platform = standIn("draft");
  const live = view(platform, { kind: "dm" });
  await expect.poll(() => named(platform, "draft")).toHaveLength(1);
  live.show({ kind: "step_ended", at: new Date(), itemId: "a", step, outcome: "ok" });
  live.show({ kind: "text_delta", at: new Date(), itemId: "m", text: "It is **done and " });
  await expect.poll(() => named(platform, "draft").at(-1)?.text).toContain("\n\nIt is **done and**");
  const ids = new Set(named(platform, "draft").map((call) => call.messageId));
  expect(ids.size).toBe(1);
  expect(await runOfDraft(seeded.db, seeded.connectionId, Number([...ids][0]))).toBe(seeded.runId);
  expect(await live.close()).toEqual({ messageId: undefined });
  expect(named(platform, "post")).toHaveLength(0);
});

test("where the platform takes no draft, a message shows the rest", async () => {
  const platform = standIn("draft");
  platform.answerNext("draft", failed("rejected"));
  const live = view(platform, { kind: "dm" });
  await expect.poll(() => platform.messages.size).toBe(1);
  begin(live, "a");
  await expect.poll(() => platform.messages.get("100")?.text).toContain("npm test");
  expect(named(platform, "draft")).toHaveLength(1);
  expect(await live.close()).toEqual({ messageId: "100" });
});

test("where text simply appears, each finished step appears once", async () => {
  const platform = standIn("print");
  const live = view(platform, { kind: "dm" });
  begin(live, "a");
  live.show({ kind: "step_ended", at: new Date(), itemId: "a", step, outcome: "ok", durationMs: 3_000 });
  await expect.poll(() => named(platform, "post").map((call) => call.text)).toEqual(["✓ Ran npm test · 3 s"]);
  live.show({ kind: "step_ended", at: new Date(), itemId: "b", step: { kind: "list" }, outcome: "ok" });
  await expect.poll(() => named(platform, "post").at(-1)?.text).toBe("✓ Looked through folders");
  await live.close();
  expect(named(platform, "post")).toHaveLength(2);
});

test("an adapter that throws does not end the run, only a call", async () => {
  const platform = standIn("edit");
  const post = vi.spyOn(platform.adapter, "post").mockRejectedValue(new Error("socket hang up"));
  const live = view(platform);
  await expect.poll(() => post.mock.calls.length).toBe(1);
  expect(() => begin(live, "a")).not.toThrow();
  expect(await live.close()).toEqual({ messageId: undefined });
});
