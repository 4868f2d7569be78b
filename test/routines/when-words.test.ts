import { describe, expect, it } from "vitest";
import { movedFrom, problemIn, type Schedule } from "../../src/routines/schedule.ts";
import { wordsFor } from "../../src/words/index.ts";

const { when } = wordsFor("en");
const zone = "Europe/Lisbon";

describe("saying when a routine is due", () => {
  it.each<[Schedule, string]>([
    [{ kind: "hourly", minute: 5 }, "every hour at :05"],
    [{ kind: "daily", at: "07:00" }, "every day 07:00"],
    [{ kind: "weekdays", at: "08:30" }, "weekdays 08:30"],
    [{ kind: "weekly", days: ["mon"], at: "14:00" }, "Mondays 14:00"],
    [{ kind: "weekly", days: ["fri", "mon", "wed"], at: "09:00" }, "Mon, Wed and Fri 09:00"],
    [{ kind: "monthly", day: 22, at: "09:00" }, "the 22nd of the month 09:00"],
    [{ kind: "monthly", day: 12, at: "09:00" }, "the 12th of the month 09:00"],
    [{ kind: "monthly", day: 30, at: "09:00" }, "the 30th of the month (the last day of shorter months) 09:00"],
    [{ kind: "monthly", day: 31, at: "09:00" }, "the last day of the month 09:00"],
    [{ kind: "interval", everyMinutes: 120, anchor: "" }, "every 2 hours"],
    [{ kind: "interval", everyMinutes: 60, anchor: "" }, "every hour"],
    [{ kind: "interval", everyMinutes: 90, anchor: "" }, "every 90 minutes"],
    [{ kind: "interval", everyMinutes: 2880, anchor: "" }, "every 2 days"],
    [{ kind: "cron", expression: "0 8 * * 1-5" }, "`0 8 * * 1-5`"],
    [{ kind: "once", at: "2026-12-04T09:00" }, "once, Fri 4 Dec 2026 09:00"],
    [{ kind: "once", at: "2026-07-04T09:00Z" }, "once, Sat 4 Jul 2026 10:00"],
  ])("says %j as it is read", (schedule, text) => expect(when.schedule(schedule, zone)).toBe(text));

  it("explains a time that the clocks leave out", () => {
    const moved = movedFrom({ kind: "daily", at: "02:30" }, "Europe/Berlin", new Date("2026-03-29T01:30Z"));
    expect(moved && when.moved(moved.wanted, moved.runs)).toBe("02:30 does not exist on 29 March; it runs at 03:30");
  });

  it.each<[Schedule, string]>([
    [{ kind: "cron", expression: "0 9 * *" }, "`0 9 * *` needs five parts: minute, hour, day, month, weekday."],
    [{ kind: "cron", expression: "0 `9` * * *" }, "In `0 '9' * * *` I can't read `'9'` as the hour (0-23)."],
    [{ kind: "cron", expression: "0 0 30 2 *" }, "That day never comes. Choose another one."],
    [{ kind: "cron", expression: "0,1 * * * *" }, "Two times would be 1 minute apart. Leave at least 3 minutes."],
    [{ kind: "once", at: "2026-07-04T09:00Z" }, "Sat 4 Jul 2026 10:00 is over. Choose a time that is still to come."],
  ])("says what is wrong with %j, and what to do", (schedule, text) => {
    const problem = problemIn(schedule, zone, new Date("2026-12-01T10:07Z"));
    expect(problem && when.problem(problem)).toBe(text);
  });
});
