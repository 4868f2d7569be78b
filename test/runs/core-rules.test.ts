import { describe, expect, it } from "vitest";
import { createTurnRecord, pickAnswer } from "../../src/runs/turn-record.ts";
import { defaultLimits, overdue, type Watched } from "../../src/runs/watchdog.ts";
import { clockTime } from "../../src/shared/index.ts";
import { took } from "../../src/words/en/runs.ts";

const final = (text: string) => ({ text, phase: "final_answer" as const });
const note = (text: string) => ({ text, phase: "commentary" as const });
const plain = (text: string) => ({ text, phase: null });

describe("the answer of a turn", () => {
  it.each([
    ["the last final message", [final("one"), final("two"), note("three")], "two"],
    ["the last that is no commentary, without a final one", [plain("one"), plain("two"), note("three")], "two"],
    ["the last commentary, where there is nothing else", [note("one"), note("two")], "two"],
    ["nothing, where nothing was said", [plain("  ")], undefined],
  ])("is %s", (_what, messages, answer) => {
    expect(pickAnswer(messages)).toBe(answer);
  });

  it("comes from completed messages, never from joined pieces", () => {
    const record = createTurnRecord();
    const params = { threadId: "t", turnId: "u", itemId: "i" };
    record.take({ method: "item/agentMessage/delta", params: { ...params, delta: "Hel" }, emittedAtMs: undefined });
    expect(record.answer()).toBeUndefined();
    expect(record.partial()).toBe("Hel");
  });
});

describe("the watchdog", () => {
  const startedAt = new Date("2026-12-01T08:00:00Z");
  const later = (ms: number) => new Date(startedAt.getTime() + ms);
  const run: Watched = { startedAt, lastEventAt: startedAt, waitingSince: undefined, waitedMs: 0 };
  const hour = 3_600_000;

  it("ends a run after five silent minutes", () => {
    expect(overdue(run, later(299_999), defaultLimits)).toBeUndefined();
    expect(overdue(run, later(300_000), defaultLimits)).toBe("silent");
  });

  it("leaves a run alone while a person is asked, for as long as it takes", () => {
    expect(overdue({ ...run, waitingSince: startedAt }, later(24 * hour), defaultLimits)).toBeUndefined();
  });

  it("ends a run at its deadline, without counting the time people took", () => {
    const busy = { ...run, lastEventAt: later(5 * hour) };
    expect(overdue(busy, later(5 * hour), defaultLimits)).toBe("deadline");
    expect(overdue({ ...busy, waitedMs: 2 * hour }, later(5 * hour), defaultLimits)).toBeUndefined();
  });
});

describe("words about time", () => {
  it.each([
    [300, "1 s"],
    [48_000, "48 s"],
    [185_000, "3 min 5 s"],
    [3_600_000, "1 h"],
    [3_720_000, "1 h 2 min"],
  ])("say %i ms as %s", (ms, text) => {
    expect(took(ms)).toBe(text);
  });

  it("name a time in the reader's zone, with the day where it is not today", () => {
    const now = new Date("2026-12-01T12:00:00Z");
    expect(clockTime(new Date("2026-12-01T15:55:00Z"), now, "Europe/Lisbon", null)).toBe("15:55");
    expect(clockTime(new Date("2026-12-01T15:55:00Z"), now, "Asia/Tokyo", null)).toContain("2 Dec");
    expect(clockTime(new Date("2026-12-01T15:55:00Z"), now, "Not/AZone", null)).toBe("15:55 UTC");
    expect(clockTime(new Date("2026-12-01T15:55:00Z"), now, null, "no_language")).toBe("15:55 UTC");
  });
});
