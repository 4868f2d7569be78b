import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPacer, type PacedOutcome } from "../../src/runs/live-view-pacer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const shown: PacedOutcome = { kind: "shown" };

function paced(more: { delayMs?: number; takesMs?: number; outcomes?: PacedOutcome[] } = {}) {
  const startedAt = Date.now();
  const calls: number[] = [];
  let [inFlight, most] = [0, 0];
  const pacer = createPacer({
    intervalMs: 3_000,
    delayMs: more.delayMs ?? 0,
    heartbeatMs: 12_000,
    call: async () => {
      // A timer of 0 ms takes 1 ms in Node, so the last digit says nothing.
      calls.push(Math.floor((Date.now() - startedAt) / 10) * 10);
      inFlight += 1;
      most = Math.max(most, inFlight);
      if (more.takesMs !== undefined) await new Promise((resolve) => setTimeout(resolve, more.takesMs));
      inFlight -= 1;
      return more.outcomes?.shift() ?? shown;
    },
  });
  return { pacer, calls, most: () => most };
}

test("F-39 the first change shows at once, a burst once more at the end of the interval", async () => {
  const { pacer, calls } = paced();
  pacer.changed();
  await vi.advanceTimersByTimeAsync(10);
  for (let change = 0; change < 50; change += 1) {
    pacer.changed();
    await vi.advanceTimersByTimeAsync(50);
  }
  await vi.advanceTimersByTimeAsync(3_000);
  expect(calls).toEqual([0, 3_000]);
});

test("F-39 a steady stream of changes neither starves nor floods", async () => {
  const { pacer, calls } = paced();
  for (let time = 0; time < 29_000; time += 100) {
    pacer.changed();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(calls).toEqual([0, 3_000, 6_000, 9_000, 12_000, 15_000, 18_000, 21_000, 24_000, 27_000]);
});

test("F-38 time is shown although nothing happens", async () => {
  const { pacer, calls } = paced();
  pacer.changed();
  await vi.advanceTimersByTimeAsync(36_500);
  expect(calls).toEqual([0, 12_000, 24_000, 36_000]);
});

test("waits for the first call as long as it was told", async () => {
  const { pacer, calls } = paced({ delayMs: 1_000 });
  pacer.changed();
  await vi.advanceTimersByTimeAsync(999);
  expect(calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toEqual([1_000]);
});

test("a slow call is never overtaken, and the newest state follows it at once", async () => {
  const { pacer, calls, most } = paced({ takesMs: 10_000 });
  for (let time = 0; time < 25_000; time += 500) {
    pacer.changed();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(most()).toBe(1);
  expect(calls).toEqual([0, 10_000, 20_000]);
});

test("a platform that asks for patience gets it, without a further change", async () => {
  const { pacer, calls } = paced({ outcomes: [{ kind: "retry", afterMs: 137_000 }] });
  pacer.changed();
  await vi.advanceTimersByTimeAsync(60_000);
  pacer.changed();
  await vi.advanceTimersByTimeAsync(76_999);
  expect(calls).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toEqual([0, 137_000]);
});

test("makes no call after it is over or stopped", async () => {
  const over = paced({ outcomes: [{ kind: "over" }] });
  const stopped = paced();
  for (const { pacer } of [over, stopped]) pacer.changed();
  await vi.advanceTimersByTimeAsync(1);
  await stopped.pacer.stop();
  for (const { pacer } of [over, stopped]) pacer.changed();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([over.calls, stopped.calls]).toEqual([[0], [0]]);
  expect(vi.getTimerCount()).toBe(0);
});

test("stopping waits for the call in flight", async () => {
  const { pacer } = paced({ takesMs: 2_000 });
  pacer.changed();
  await vi.advanceTimersByTimeAsync(1);
  let done = false;
  const stopping = pacer.stop().then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(done).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  await stopping;
});
