import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dueBetween, nextDue, problemIn, type Schedule } from "../../src/routines/schedule.ts";
import { type Days, day, dueIn, type Judged, minute, walk } from "./schedule-oracle.ts";

/** Days on which clocks did something that breaks schedules. */
const hardDays = [
  ["Europe/Lisbon", "2026-03-29"],
  ["Europe/Lisbon", "2026-10-25"],
  ["Europe/Berlin", "2027-03-28"],
  ["Europe/Berlin", "2027-10-31"],
  ["Europe/Dublin", "2026-10-25"],
  ["America/New_York", "2026-03-08"],
  ["America/New_York", "2026-11-01"],
  ["America/St_Johns", "2026-03-08"],
  ["America/St_Johns", "2026-11-01"],
  // Half an hour.
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Australia/Lord_Howe", "2026-10-04"],
  ["America/Caracas", "2016-05-01"],
  ["Asia/Pyongyang", "2015-08-15"],
  // Two hours, and a quarter of one.
  ["Antarctica/Troll", "2026-03-29"],
  ["Antarctica/Troll", "2026-10-25"],
  ["Asia/Kathmandu", "1986-01-01"],
  // At midnight, so that a day begins late or twice.
  ["Asia/Beirut", "2026-03-29"],
  ["Africa/Cairo", "2026-04-24"],
  ["Africa/Cairo", "2026-10-30"],
  ["America/Havana", "2026-03-08"],
  ["America/Havana", "2026-11-01"],
  ["America/Nuuk", "2026-03-29"],
  ["America/Nuuk", "2026-10-25"],
  // Twice a year, around Ramadan.
  ["Africa/Casablanca", "2026-02-15"],
  ["Africa/Casablanca", "2026-03-22"],
  // A day that never was.
  ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Kiritimati", "1995-01-01"],
  ["Pacific/Kwajalein", "1993-08-21"],
  // New rules for good.
  ["Europe/Moscow", "2014-10-26"],
  ["Asia/Tehran", "2022-09-21"],
  // Nothing at all, far out.
  ["Asia/Kolkata", "2026-03-29"],
  ["Etc/GMT+12", "2026-03-29"],
  ["Etc/GMT-14", "2026-10-25"],
] as const;

const walked = new Map<string, Days>();
const hard = fc.constantFrom(...hardDays).map(([zone, date]) => {
  const key = `${zone} ${date}`;
  const known = walked.get(key) ?? walk(zone, date);
  walked.set(key, known);
  return known;
});

const hours = fc.oneof(fc.constantFrom(0, 1, 2, 3, 23), fc.integer({ min: 0, max: 23 }));
const minutes = fc.oneof(fc.constantFrom(0, 15, 30, 45), fc.integer({ min: 0, max: 59 }));
const time = fc.tuple(hours, minutes).map(([hour, past]) => ({
  at: `${String(hour).padStart(2, "0")}:${String(past).padStart(2, "0")}`,
  shows: (wall: Date) => wall.getUTCHours() === hour && wall.getUTCMinutes() === past,
}));
const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const lastDay = (wall: Date) => new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();

function judged(schedule: Schedule, wanted: Judged["wanted"], realTime = false): Judged {
  return { schedule, wanted, realTime };
}

const simple: fc.Arbitrary<Judged> = fc.oneof(
  minutes.map((past) => judged({ kind: "hourly", minute: past }, (wall) => wall.getUTCMinutes() === past, true)),
  time.map(({ at, shows }) => judged({ kind: "daily", at }, shows)),
  time.map(({ at, shows }) =>
    judged({ kind: "weekdays", at }, (wall) => shows(wall) && ![0, 6].includes(wall.getUTCDay())),
  ),
  fc.tuple(time, fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 })).map(([{ at, shows }, days]) =>
    judged({ kind: "weekly", days, at }, (wall) => {
      const name = names[wall.getUTCDay()];
      return shows(wall) && name !== undefined && days.includes(name);
    }),
  ),
  fc
    .tuple(time, fc.integer({ min: 1, max: 31 }))
    .map(([{ at, shows }, date]) =>
      judged(
        { kind: "monthly", day: date, at },
        (wall) =>
          shows(wall) && (wall.getUTCDate() === date || (date > lastDay(wall) && wall.getUTCDate() === lastDay(wall))),
      ),
    ),
);

const someOf = (min: number, max: number) => fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 5 });
interface Field {
  readonly text: string;
  readonly has: (value: number) => boolean;
}
const every: Field = { text: "*", has: () => true };
const listed = (values: number[]): Field => ({ text: values.join(","), has: (value) => values.includes(value) });
const stepped = (step: number): Field => ({ text: `*/${step}`, has: (value) => value % step === 0 });

const cron: fc.Arbitrary<Judged> = fc
  .record({
    minute: fc.oneof(someOf(0, 59).map(listed), fc.constantFrom(5, 7, 15, 20).map(stepped)),
    hour: fc.oneof(
      fc.uniqueArray(hours, { minLength: 1, maxLength: 5 }).map(listed),
      fc.constant(every),
      fc.constantFrom(2, 3, 5).map(stepped),
    ),
    date: fc.oneof(fc.constant(every), someOf(1, 31).map(listed)),
    month: fc.oneof(fc.constant(every), someOf(1, 12).map(listed)),
    weekday: fc.oneof(fc.constant(every), someOf(0, 6).map(listed)),
  })
  .map(({ minute: past, hour, date, month, weekday }) =>
    judged(
      { kind: "cron", expression: [past, hour, date, month, weekday].map(({ text }) => text).join(" ") },
      (wall) => {
        const byDate = date.has(wall.getUTCDate());
        const byWeekday = weekday.has(wall.getUTCDay());
        const onDay = date === every || weekday === every ? byDate && byWeekday : byDate || byWeekday;
        return (
          past.has(wall.getUTCMinutes()) && hour.has(wall.getUTCHours()) && month.has(wall.getUTCMonth() + 1) && onDay
        );
      },
      hour.text.startsWith("*"),
    ),
  );
const any = fc.oneof(simple, cron);
/** A moment in the middle of the days walked, after their beginning: often near the change, not always a full minute. */
const moment = (days: Days) => {
  const change = days.walls.findIndex((wall, at) => at > 0 && wall - (days.walls[at - 1] ?? 0) !== minute);
  const near = Math.min(Math.max(change, 2 * 24 * 60), 5 * 24 * 60);
  return fc.oneof(
    fc.integer({ min: near - 240, max: near + 240 }).map((at) => at * minute),
    fc.integer({ min: 2 * day, max: 5 * day }),
  );
};
/** Hard days with moments in them. */
const hardMoment = hard.chain((days) => fc.tuple(fc.constant(days), moment(days)));
const hardMoments = hard.chain((days) => fc.tuple(fc.constant(days), moment(days), moment(days)));
const runs = { numRuns: 1500 };

describe("when clocks change", () => {
  it("is due next exactly when a walk through every minute says so", () => {
    fc.assert(
      fc.property(hardMoment, any, ([days, at], rule) => {
        const after = days.from + at;
        const end = days.from + days.walls.length * minute;
        const expected = dueIn(days, rule).find((instant) => instant > after && instant < end);
        const next = nextDue(rule.schedule, days.zone, new Date(after))?.getTime();
        if (expected === undefined) expect(next ?? end).toBeGreaterThanOrEqual(end);
        else expect(new Date(next ?? 0).toISOString()).toBe(new Date(expected).toISOString());
      }),
      runs,
    );
  });

  it("counts what was due between two moments exactly, and names the first and the last", () => {
    fc.assert(
      fc.property(hardMoments, any, ([days, one, other], rule) => {
        const [after, upTo] = [days.from + Math.min(one, other), days.from + Math.max(one, other)];
        const expected = dueIn(days, rule).filter((instant) => instant > after && instant <= upTo);
        const between = dueBetween(rule.schedule, days.zone, new Date(after), new Date(upTo));
        expect(between && { ...between, first: between.first.getTime(), last: between.last.getTime() }).toEqual(
          expected.length === 0 ? undefined : { first: expected[0], last: expected.at(-1), count: expected.length },
        );
      }),
      runs,
    );
  });

  it("runs something single once, at the first moment that shows it or as much later as the clocks jump", () => {
    fc.assert(
      fc.property(hard, fc.integer({ min: 2 * 24 * 60, max: 5 * 24 * 60 }), (days, at) => {
        const start = days.walls[2 * 24 * 60] ?? 0;
        const wall = new Date(start + (at - 2 * 24 * 60) * minute);
        const rule = judged({ kind: "once", at: wall.toISOString().slice(0, 16) }, (shown) => +shown === +wall);
        const [expected] = dueIn(days, rule);
        if (expected === undefined) return;
        const due = nextDue(rule.schedule, days.zone, new Date(days.from));
        expect(due?.toISOString()).toBe(new Date(expected).toISOString());
        expect(nextDue(rule.schedule, days.zone, new Date(expected))).toBeUndefined();
      }),
      runs,
    );
  });

  it("keeps an interval at real time, whatever the clocks say", () => {
    fc.assert(
      fc.property(hardMoments, fc.integer({ min: 3, max: 3000 }), ([days, from, at], everyMinutes) => {
        const anchor = Math.floor((days.from + from) / minute) * minute;
        const after = days.from + at;
        const schedule: Schedule = { kind: "interval", everyMinutes, anchor: new Date(anchor).toISOString() };
        let expected = anchor;
        while (expected <= after) expected += everyMinutes * minute;
        expect(nextDue(schedule, days.zone, new Date(after))?.getTime()).toBe(expected);
      }),
    );
  });

  it("leaves at least three minutes between two times of what may be saved", () => {
    let saved = 0;
    fc.assert(
      fc.property(hard, any, (days, rule) => {
        if (problemIn(rule.schedule, days.zone, new Date(days.from - 10 * day)) !== null) return;
        saved += 1;
        const due = dueIn(days, rule);
        for (const [at, instant] of due.entries())
          expect(instant - (due[at - 1] ?? 0)).toBeGreaterThanOrEqual(3 * minute);
      }),
      runs,
    );
    expect(saved).toBeGreaterThan(100);
  });
});

describe("over a long time", () => {
  const zones = fc.constantFrom(...new Set(hardDays.map(([zone]) => zone)));
  const ages = fc.integer({ min: Date.parse("1985-01-01T00:00Z"), max: Date.parse("2037-01-01T00:00Z") });

  it("counts as many as there are steps from one due time to the next, each later than the one before", () => {
    fc.assert(
      fc.property(zones, any, ages, fc.integer({ min: 0, max: 120 * day }), (zone, { schedule }, start, span) => {
        const upTo = start + span;
        const steps: number[] = [];
        for (let due = nextDue(schedule, zone, new Date(start)); due !== undefined && due.getTime() <= upTo; ) {
          expect(due.getTime()).toBeGreaterThan(steps.at(-1) ?? start);
          steps.push(due.getTime());
          due = nextDue(schedule, zone, due);
        }
        const between = dueBetween(schedule, zone, new Date(start), new Date(upTo));
        expect(between?.count ?? 0).toBe(steps.length);
        expect(between?.first.getTime()).toBe(steps[0]);
        expect(between?.last.getTime()).toBe(steps.at(-1));
      }),
      { numRuns: 200 },
    );
  });

  it("counts years of a schedule that is due every three minutes", () => {
    const schedule: Schedule = { kind: "cron", expression: "*/3 * * * *" };
    const between = dueBetween(schedule, "Europe/Lisbon", new Date("2021-01-01T00:00Z"), new Date("2026-01-01T00:00Z"));
    expect(between?.count).toBe(1826 * 480);
  });
});
