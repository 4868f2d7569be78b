import { describe, expect, it } from "vitest";
import type { Schedule } from "../../src/routines/schedule.ts";
import { readWhen } from "../../src/routines/when.ts";

// A Tuesday.
const context = { now: new Date("2026-12-01T10:07:20Z"), zone: "Europe/Lisbon" };
const read = (text: string, given = context) => readWhen(text, given);
const weekly = (at: string, ...days: Extract<Schedule, { kind: "weekly" }>["days"]): Schedule => ({
  kind: "weekly",
  days,
  at,
});
const once = (at: string): Schedule => ({ kind: "once", at });
const interval = (everyMinutes: number): Schedule => ({
  kind: "interval",
  everyMinutes,
  anchor: "2026-12-01T10:07:00.000Z",
});

describe("reading when a routine is due", () => {
  it.each<[string, Schedule]>([
    ["weekdays 8:30", { kind: "weekdays", at: "08:30" }],
    ["Every weekday at 8:30.", { kind: "weekdays", at: "08:30" }],
    ["mon-fri 9am", { kind: "weekdays", at: "09:00" }],
    ["at 8:30 on weekdays", { kind: "weekdays", at: "08:30" }],
    ["mon and thu 9am", weekly("09:00", "mon", "thu")],
    ["Thu, Mon & Wed at 9.15", weekly("09:15", "mon", "wed", "thu")],
    ["every Monday at 14:00", weekly("14:00", "mon")],
    ["on Mondays at noon", weekly("12:00", "mon")],
    ["fri to sun 10 pm", weekly("22:00", "fri", "sat", "sun")],
    ["weekends at 10", weekly("10:00", "sat", "sun")],
    ["daily at 7", { kind: "daily", at: "07:00" }],
    ["every day at 12am", { kind: "daily", at: "00:00" }],
    ["every day at 8 in the evening", { kind: "daily", at: "20:00" }],
    ["hourly", { kind: "hourly", minute: 0 }],
    ["hourly at :15", { kind: "hourly", minute: 15 }],
    ["15 minutes past every hour", { kind: "hourly", minute: 15 }],
    ["every 2 hours", interval(120)],
    ["every two hours", interval(120)],
    ["every half hour", interval(30)],
    ["every 30 minutes", interval(30)],
    ["every 3 days", interval(3 * 24 * 60)],
    ["on the 1st of every month at 9", { kind: "monthly", day: 1, at: "09:00" }],
    ["monthly on the 31st at 10:00", { kind: "monthly", day: 31, at: "10:00" }],
    ["on the last day of every month at 18:00", { kind: "monthly", day: 31, at: "18:00" }],
    ["tomorrow at 15:00", once("2026-12-02T15:00")],
    ["today at 23:00", once("2026-12-01T23:00")],
    ["on 4 December at 9:00", once("2026-12-04T09:00")],
    ["December 4th, 2027 at 9am", once("2027-12-04T09:00")],
    ["on 30 November at 9", once("2027-11-30T09:00")],
    ["2026-12-04 09:00", once("2026-12-04T09:00")],
    ["on Monday at 9", once("2026-12-07T09:00")],
    ["this Tuesday at 9", once("2026-12-08T09:00")],
    ["in 2 hours", once("2026-12-01T12:08")],
    ["in an hour", once("2026-12-01T11:08")],
    ["in 3 days", once("2026-12-04T10:08")],
    ["0 8 * * 1-5", { kind: "cron", expression: "0 8 * * 1-5" }],
    ["`0  8 * * MON-FRI`", { kind: "cron", expression: "0 8 * * MON-FRI" }],
    ["@daily", { kind: "cron", expression: "@daily" }],
  ])("reads “%s”", (text, schedule) => {
    expect(read(text)).toEqual({ kind: "read", schedule, rest: "" });
  });

  it.each([
    ["every weekday at 8:30 post the open incidents", "post the open incidents"],
    ["every weekday at 8:30, post the open incidents.", "post the open incidents."],
    ["daily at 7: 3 top stories", "3 top stories"],
    ["every 2 hours\n\nLook at the queue.\nSay what is new.", "Look at the queue.\nSay what is new."],
    ["0 8 * * 1-5 post the open incidents", "post the open incidents"],
    ["Post the open incidents every weekday at 8:30.", "Post the open incidents"],
    ["Remind me to call Ben tomorrow at 15:00", "Remind me to call Ben"],
    ["post the numbers, at 9 every weekday", "post the numbers"],
    ["check the build in 30 minutes!", "check the build"],
  ])("leaves what is to be done: “%s”", (text, rest) => {
    expect(read(text)).toMatchObject({ kind: "read", rest });
  });

  it.each([
    "",
    "hello",
    "at 25:00",
    "every day at 25:00",
    "every day at 9:75",
    "every day at 13 pm",
    "61 minutes past every hour",
    "on the 32nd of every month at 9",
    "every day at 9 and 17 post",
    "every day at 9 until Friday post",
    "every day at 9am-5pm post",
    "every day at 7 30",
    "every day at 9 UTC post",
    "every 2 days at 9",
    "every 90 seconds",
    "every hour between 9 and 17 look",
    "every other Monday at 9",
    "the second Monday at 9",
    "The meeting is tomorrow at 15:00",
    "Have it done by tomorrow at 15:00",
    "write a summary of today",
    "daily 7 top stories",
    "in 0 minutes",
    "4/12 at 9:00",
  ])("guesses nothing from “%s”", (text) => {
    expect(read(text)).toEqual({ kind: "unread" });
  });

  it.each([
    ["every 0 minutes", "too_often"],
    ["every minute", "too_often"],
    ["*/2 * * * * look", "too_often"],
    ["every 400 days", "too_rare"],
    ["0 0 31 2 *", "never"],
    ["0 0 8 * * 1-5 post", "cron"],
    ["0 25 * * *", "cron"],
    ["today at 9", "past"],
    ["on 31 February at 9:00", "no_such_date"],
    ["every day", "no_time"],
    ["every Monday post the numbers", "no_time"],
  ])("says what is wrong with “%s”", (text, kind) => {
    expect(read(text)).toMatchObject({ kind: "problem", problem: { kind } });
  });

  it("reads days and hours as the zone has them", () => {
    const now = new Date("2026-12-01T20:00Z");
    expect(read("tomorrow at 9", { now, zone: "Pacific/Auckland" })).toMatchObject({
      schedule: once("2026-12-03T09:00"),
    });
    expect(read("in 2 hours", { now, zone: "America/New_York" })).toMatchObject({ schedule: once("2026-12-01T17:00") });
    expect(read("daily at 7", { now, zone: "Nowhere" })).toEqual({
      kind: "problem",
      problem: { kind: "zone", zone: "Nowhere" },
    });
  });

  it("means real hours where clocks are set back meanwhile", () => {
    const now = new Date("2026-10-25T00:40Z");
    expect(read("in 40 minutes", { now, zone: "Europe/Lisbon" })).toMatchObject({
      schedule: once("2026-10-25T01:20Z"),
    });
  });

  it("looks at the ends of a long text only", () => {
    const long = "word ".repeat(20_000);
    expect(read(`${long} every day at 9 ${long}`)).toEqual({ kind: "unread" });
    expect(read(`${long}every day at 9`)).toMatchObject({ kind: "read", schedule: { kind: "daily", at: "09:00" } });
  });
});
