import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  dueBetween,
  isZone,
  movedFrom,
  nextDue,
  problemIn,
  type Schedule,
  scheduleSchema,
} from "../../src/routines/schedule.ts";

function times(schedule: Schedule, zone: string, after: string, count: number): string[] {
  const due: string[] = [];
  for (let next = nextDue(schedule, zone, new Date(after)); next !== undefined && due.length < count; ) {
    due.push(next.toISOString().slice(0, 16));
    next = nextDue(schedule, zone, next);
  }
  return due;
}

const at = (time: string): Schedule => ({ kind: "daily", at: time });
const cron = (expression: string): Schedule => ({ kind: "cron", expression });
const problem = (schedule: Schedule, zone = "Europe/Lisbon", now = "2026-12-01T10:07Z") =>
  problemIn(schedule, zone, new Date(now));

describe("a local time on days when clocks change", () => {
  it.each([
    ["2026-03-28T12:00Z", ["2026-03-29T07:30", "2026-03-30T07:30"]],
    ["2026-10-24T12:00Z", ["2026-10-25T08:30", "2026-10-26T08:30"]],
    ["2027-03-27T12:00Z", ["2027-03-28T07:30", "2027-03-29T07:30"]],
    ["2027-10-30T12:00Z", ["2027-10-31T08:30", "2027-11-01T08:30"]],
  ])("F-53: stays half past eight in Lisbon after %s", (after, due) => {
    expect(times(at("08:30"), "Europe/Lisbon", after, 2)).toEqual(due);
  });

  it("F-53: is as much later as the clocks jump where they leave it out", () => {
    expect(times(at("02:30"), "Europe/Berlin", "2026-03-28T12:00Z", 2)).toEqual([
      "2026-03-29T01:30",
      "2026-03-30T00:30",
    ]);
    expect(times(at("02:15"), "Australia/Lord_Howe", "2026-10-03T00:00Z", 2)).toEqual([
      "2026-10-03T15:45",
      "2026-10-04T15:15",
    ]);
    expect(times(at("00:10"), "Asia/Beirut", "2026-03-28T12:00Z", 2)).toEqual(["2026-03-28T22:10", "2026-03-29T21:10"]);
  });

  it("F-53: is due the first time only where the clocks show it twice", () => {
    expect(times(at("01:30"), "Europe/Lisbon", "2026-10-24T12:00Z", 2)).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(times(at("01:45"), "Australia/Lord_Howe", "2026-04-04T00:00Z", 2)).toEqual([
      "2026-04-04T14:45",
      "2026-04-05T15:15",
    ]);
    expect(times(at("01:30"), "America/St_Johns", "2026-10-31T12:00Z", 2)).toEqual([
      "2026-11-01T04:00",
      "2026-11-02T05:00",
    ]);
    expect(times(at("02:30"), "Africa/Casablanca", "2026-02-14T12:00Z", 2)).toEqual([
      "2026-02-15T01:30",
      "2026-02-16T02:30",
    ]);
  });

  it("runs on the next day, once, where a whole day was left out", () => {
    expect(times(at("08:30"), "Pacific/Apia", "2011-12-29T00:00Z", 3)).toEqual([
      "2011-12-29T18:30",
      "2011-12-30T18:30",
      "2011-12-31T18:30",
    ]);
    const friday: Schedule = { kind: "weekly", days: ["fri"], at: "08:30" };
    expect(times(friday, "Pacific/Apia", "2011-12-29T00:00Z", 2)).toEqual(["2011-12-30T18:30", "2012-01-05T18:30"]);
  });

  it("keeps to quarters of an hour and far offsets", () => {
    expect(times(at("08:30"), "Asia/Kathmandu", "2026-03-29T00:00Z", 2)).toEqual([
      "2026-03-29T02:45",
      "2026-03-30T02:45",
    ]);
    expect(times(at("08:30"), "Pacific/Kiritimati", "2026-03-29T00:00Z", 1)).toEqual(["2026-03-29T18:30"]);
    expect(times(at("08:30"), "Etc/GMT+12", "2026-03-29T00:00Z", 1)).toEqual(["2026-03-29T20:30"]);
  });

  it("says what became of a time that the clocks left out", () => {
    const due = new Date("2026-03-29T01:30Z");
    expect(movedFrom(at("02:30"), "Europe/Berlin", due)).toEqual({
      wanted: "2026-03-29T02:30",
      runs: "2026-03-29T03:30",
    });
    const once: Schedule = { kind: "once", at: "2026-03-29T02:30" };
    expect(movedFrom(once, "Europe/Berlin", due)).toEqual({ wanted: "2026-03-29T02:30", runs: "2026-03-29T03:30" });
    expect(movedFrom(at("03:30"), "Europe/Berlin", due)).toBeUndefined();
    expect(movedFrom(at("02:30"), "Europe/Berlin", new Date("2026-03-30T00:30Z"))).toBeUndefined();
  });
});

describe("what follows real time", () => {
  it("runs in each real hour once", () => {
    const overlap = ["2026-10-24T23:30", "2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T02:30"];
    expect(times({ kind: "hourly", minute: 30 }, "Europe/Lisbon", "2026-10-24T23:00Z", 4)).toEqual(overlap);
    expect(times(cron("30 * * * *"), "Europe/Lisbon", "2026-10-24T23:00Z", 4)).toEqual(overlap);
    const gap = ["2026-03-29T00:30", "2026-03-29T01:30", "2026-03-29T02:30"];
    expect(times({ kind: "hourly", minute: 30 }, "Europe/Lisbon", "2026-03-29T00:00Z", 3)).toEqual(gap);
  });

  it("counts an interval from its anchor, which is the first time itself", () => {
    const schedule: Schedule = { kind: "interval", everyMinutes: 120, anchor: "2026-10-24T23:07Z" };
    expect(times(schedule, "Europe/Lisbon", "2026-10-24T00:00Z", 3)).toEqual([
      "2026-10-24T23:07",
      "2026-10-25T01:07",
      "2026-10-25T03:07",
    ]);
  });
});

describe("days", () => {
  it("takes the last day of a month that is shorter", () => {
    const monthly: Schedule = { kind: "monthly", day: 31, at: "09:00" };
    expect(times(monthly, "UTC", "2028-01-01T00:00Z", 4).map((due) => due.slice(5, 10))).toEqual([
      "01-31",
      "02-29",
      "03-31",
      "04-30",
    ]);
  });

  it("takes a day of the month or a weekday where a cron line gives both", () => {
    expect(times(cron("0 8 13 * FRI"), "UTC", "2026-12-01T00:00Z", 4).map((due) => due.slice(5, 10))).toEqual([
      "12-04",
      "12-11",
      "12-13",
      "12-18",
    ]);
  });

  it("reads names, ranges, steps, both Sundays and nicknames in cron lines", () => {
    const days = (expression: string) => times(cron(expression), "UTC", "2026-12-01T00:00Z", 2);
    expect(days("0 8 * JAN MON-FRI")).toEqual(["2027-01-01T08:00", "2027-01-04T08:00"]);
    expect(days("0 8 * * 7")).toEqual(days("0 8 * * SUN"));
    expect(days("30 9-17/4 * * *")).toEqual(["2026-12-01T09:30", "2026-12-01T13:30"]);
    expect(days("@weekly")).toEqual(["2026-12-06T00:00", "2026-12-13T00:00"]);
    expect(days("0 0 29 2 *")).toEqual(["2028-02-29T00:00", "2032-02-29T00:00"]);
  });

  it("is over after a single time, and counts it once", () => {
    const once: Schedule = { kind: "once", at: "2026-12-04T09:00" };
    expect(times(once, "America/New_York", "2026-12-01T00:00Z", 9)).toEqual(["2026-12-04T14:00"]);
    const due = new Date("2026-12-04T14:00Z");
    expect(dueBetween(once, "America/New_York", new Date("2026-12-01T00:00Z"), due)).toEqual({
      first: due,
      last: due,
      count: 1,
    });
    expect(dueBetween(once, "America/New_York", due, new Date("2027-01-01T00:00Z"))).toBeUndefined();
    expect(times({ kind: "once", at: "2026-10-25T01:30Z" }, "Europe/Lisbon", "2026-10-01T00:00Z", 2)).toEqual([
      "2026-10-25T01:30",
    ]);
  });
});

describe("what may be saved", () => {
  it.each(["* * * * *", "*/2 * * * *", "0,1 * * * *", "0,58 * * * *", "0,59 0,23 * * *", "5-6 9 * * MON"])(
    "refuses %s: less than three minutes between two times",
    (expression) => expect(problem(cron(expression))).toMatchObject({ kind: "too_often", least: 3 }),
  );

  it("says how many minutes there would be between two times", () => {
    expect(problem(cron("0,58 * * * *"))).toMatchObject({ minutes: 2 });
    expect(problem({ kind: "interval", everyMinutes: 2, anchor: "2026-12-01T00:00Z" })).toMatchObject({ minutes: 2 });
  });

  it("allows two near times where their days never meet", () => {
    expect(problem(cron("*/3 * * * *"))).toBeNull();
    expect(problem(cron("0,59 0,23 * * MON"))).toBeNull();
  });

  it("refuses what comes too near only where clocks change", () => {
    expect(problem(cron("30,58 * * * *"), "Europe/Lisbon")).toBeNull();
    expect(problem(cron("30,58 * * * *"), "Australia/Lord_Howe")).toMatchObject({ kind: "too_often", minutes: 2 });
  });

  it.each(["0 0 31 2 *", "0 0 30 2 *", "0 0 31 4,6,9,11 *"])("refuses %s, which never comes", (expression) => {
    expect(problem(cron(expression))).toEqual({ kind: "never" });
    expect(nextDue(cron(expression), "UTC", new Date())).toBeUndefined();
  });

  it.each([
    ["0 9 * *", "count"],
    ["0 0 9 * * 1", "count"],
    ["@reboot", "count"],
    ["60 9 * * *", "minute"],
    ["0 24 * * *", "hour"],
    ["0 9 0 * *", "day"],
    ["0 9 * 13 *", "month"],
    ["0 9 * * 8", "weekday"],
    ["0 9 * * MON-", "weekday"],
    ["17-9 9 * * *", "minute"],
    ["*/0 9 * * *", "minute"],
    ["-5 9 * * *", "minute"],
    ["0 9 L * *", "day"],
  ])("says which part of %s it cannot read", (expression, part) => {
    expect(problem(cron(expression))).toMatchObject({ kind: "cron", expression, problem: { part } });
  });

  it("refuses single times that are over, and dates that are in no calendar", () => {
    expect(problem({ kind: "once", at: "2026-12-01T10:07" })).toEqual({ kind: "past", at: "2026-12-01T10:07" });
    expect(problem({ kind: "once", at: "2026-12-01T10:08" })).toBeNull();
    expect(problem({ kind: "once", at: "2027-02-29T10:00" })).toEqual({ kind: "no_such_date", at: "2027-02-29T10:00" });
  });

  it("refuses intervals that nobody can count from, or that are too long", () => {
    expect(problem({ kind: "interval", everyMinutes: 60, anchor: "2026-12-01T10:00" })).toMatchObject({
      kind: "anchor",
    });
    expect(problem({ kind: "interval", everyMinutes: 600_000, anchor: "2026-12-01T10:00Z" })).toMatchObject({
      kind: "too_rare",
    });
  });

  it("knows zones by their names only", () => {
    expect(["Europe/Lisbon", "UTC", "America/Argentina/Ushuaia"].map(isZone)).toEqual([true, true, true]);
    expect(["+02:00", "Mars/Olympus", "", "Lisbon"].map(isZone)).toEqual([false, false, false, false]);
    expect(problem(at("08:30"), "+02:00")).toEqual({ kind: "zone", zone: "+02:00" });
  });

  it("takes the shapes it knows, with nothing more in them, and describes them without references", () => {
    expect(scheduleSchema.safeParse({ kind: "daily", at: "08:30" }).success).toBe(true);
    expect(scheduleSchema.safeParse({ kind: "daily", at: "8:30" }).success).toBe(false);
    expect(scheduleSchema.safeParse({ kind: "daily", at: "24:00" }).success).toBe(false);
    expect(scheduleSchema.safeParse({ kind: "daily", at: "08:30", zone: "UTC" }).success).toBe(false);
    expect(scheduleSchema.safeParse({ kind: "cron", expression: "*".repeat(256) }).success).toBe(false);
    expect(JSON.stringify(z.toJSONSchema(scheduleSchema))).not.toContain("$ref");
  });
});
