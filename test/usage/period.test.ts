import { describe, expect, it } from "vitest";
import { spanOf } from "../../src/usage/index.ts";

const iso = (dates: readonly Date[]) => dates.map((date) => date.toISOString());

describe("a time that is added up", () => {
  it("is today in the zone of whoever asks, hour by hour", () => {
    const span = spanOf("today", new Date("2026-11-30T02:10:00Z"), "America/New_York");
    expect(span.from).toEqual(new Date("2026-11-29T05:00:00Z"));
    expect(span.to).toEqual(new Date("2026-11-30T02:10:00Z"));
    expect(span.steps).toHaveLength(24);
    expect(span.steps.at(-1)).toEqual(new Date("2026-11-30T04:00:00Z"));
  });

  it("is the last seven days with today, each from midnight to midnight", () => {
    const { steps } = spanOf("week", new Date("2026-11-30T15:10:00Z"), "Asia/Kathmandu");
    expect(iso(steps)).toEqual(["23", "24", "25", "26", "27", "28", "29"].map((day) => `2026-11-${day}T18:15:00.000Z`));
  });

  it("keeps days whole when the clock is changed, whichever way", () => {
    const spring = spanOf("today", new Date("2026-03-29T20:00:00Z"), "Europe/Lisbon");
    const autumn = spanOf("today", new Date("2026-10-25T20:00:00Z"), "Europe/Lisbon");
    expect([spring.steps.length, autumn.steps.length]).toEqual([23, 25]);
    const { steps } = spanOf("week", new Date("2026-10-28T12:00:00Z"), "Europe/Lisbon");
    expect(iso(steps).slice(2, 5)).toEqual([
      "2026-10-23T23:00:00.000Z",
      "2026-10-24T23:00:00.000Z",
      "2026-10-26T00:00:00.000Z",
    ]);
  });

  it("begins a day at its midnight, far from Greenwich too, where the clock is changed while it is still the day before there", () => {
    const { from, steps } = spanOf("today", new Date("2026-09-27T09:00:00Z"), "Pacific/Auckland");
    expect(from).toEqual(new Date("2026-09-26T12:00:00Z"));
    expect(steps).toHaveLength(23);
  });

  it("is thirty days in a month, across the turn of a year", () => {
    const { steps, from } = spanOf("month", new Date("2027-01-10T12:00:00Z"), "UTC");
    expect(steps).toHaveLength(30);
    expect(from).toEqual(new Date("2026-12-12T00:00:00Z"));
  });

  it.each([null, "Nowhere/Land"])("goes by UTC where the zone is %s", (zone) => {
    expect(spanOf("today", new Date("2026-11-30T02:10:00Z"), zone)).toMatchObject({
      zone: "UTC",
      from: new Date("2026-11-30T00:00:00Z"),
    });
  });
});
