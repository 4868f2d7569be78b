import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTimelineWriter } from "../../src/runs/timeline-writer.ts";
import type { TimelineEvent } from "../../src/runs/types.ts";
import { silentLog } from "../../src/shared/index.ts";
import { type Seeded, seededDatabase } from "./seed.ts";

let seeded: Seeded;
beforeAll(async () => {
  seeded = await seededDatabase();
});
afterAll(async () => {
  await seeded[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await seeded.db.deleteFrom("run_events").execute();
});

const at = new Date("2026-11-13T09:14:00Z");
const delta = (itemId: string, text: string): TimelineEvent => ({ kind: "text_delta", at, itemId, text });
const whole = (itemId: string, text: string): TimelineEvent => ({ kind: "text", at, itemId, text, phase: "final" });
const began = (itemId: string): TimelineEvent => ({ kind: "step_started", at, itemId, step: { kind: "list" } });

function writer(more: { nextSeq?: number; coalesceMs?: number; runId?: string } = {}) {
  return createTimelineWriter({ db: seeded.db, runId: seeded.runId, log: silentLog, coalesceMs: 600_000, ...more });
}
async function rows() {
  return await seeded.db.selectFrom("run_events").selectAll().orderBy("seq").execute();
}
async function stored() {
  return (await rows()).map(({ seq, kind, item_id, payload }) => ({
    seq,
    kind,
    item: item_id,
    text: "text" in payload ? payload.text : undefined,
  }));
}

test("joins the pieces of one item and keeps the order of everything", async () => {
  const timeline = writer();
  for (const event of [
    delta("a", "One "),
    delta("a", "two "),
    began("s"),
    delta("a", "three "),
    delta("b", "x y "),
    whole("a", "One two three."),
  ]) {
    timeline.record(event);
  }
  await timeline.flush();
  expect(await stored()).toEqual([
    { seq: 1, kind: "text_delta", item: "a", text: "One two " },
    { seq: 2, kind: "step_started", item: "s", text: undefined },
    { seq: 3, kind: "text_delta", item: "a", text: "three " },
    { seq: 4, kind: "text_delta", item: "b", text: "x y " },
    { seq: 5, kind: "text", item: "a", text: "One two three." },
  ]);
});

test("stores by itself, a moment after something happened", async () => {
  writer({ coalesceMs: 5 }).record(began("s"));
  await expect.poll(stored).toHaveLength(1);
});

test("goes on counting where an earlier process stopped", async () => {
  const timeline = writer({ nextSeq: 42 });
  timeline.record(began("s"));
  await timeline.flush();
  expect((await rows()).map(({ seq }) => seq)).toEqual([42]);
});

test("F-66 a secret that comes in two pieces is stored in neither", async () => {
  const key = `sk-${"k7".repeat(20)}`;
  const timeline = writer();
  for (const piece of [`The key is ${key.slice(0, 15)}`, `${key.slice(15)} and that `, "is it. "]) {
    timeline.record(delta("a", piece));
    await timeline.flush();
  }
  const text = (await stored()).map((event) => event.text).join("");
  expect(text).toBe("The key is [secret] and that is it. ");
});

test("stores thousands of events in order, although flushes overlap", async () => {
  const timeline = writer();
  const flushes: Promise<void>[] = [];
  for (let count = 0; count < 5_000; count += 1) {
    timeline.record(began(`s${count}`));
    if (count % 700 === 0) flushes.push(timeline.flush());
  }
  await Promise.all([...flushes, timeline.flush()]);
  const all = await stored();
  expect(all.map(({ item }) => item)).toEqual(Array.from({ length: 5_000 }, (_, count) => `s${count}`));
  expect(all.at(-1)?.seq).toBe(5_000);
});

test("what the database refused is stored with the next flush, without a gap", async () => {
  const timeline = writer();
  timeline.record(began("a"));
  await seeded.db.schema.alterTable("run_events").renameTo("run_events_away").execute();
  await timeline.flush();
  await seeded.db.schema.alterTable("run_events_away").renameTo("run_events").execute();
  timeline.record(began("b"));
  await timeline.flush();
  expect((await stored()).map(({ seq, item }) => [seq, item])).toEqual([
    [1, "a"],
    [2, "b"],
  ]);
});
