import { z } from "zod";

/** As `Date.getUTCDay` counts them. */
export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof weekdays)[number];

/** Between two due times; and the longest interval, a year of 366 days. */
export const scheduleLimits = { leastMinutes: 3, mostMinutes: 366 * 24 * 60, cron: 255, years: 5 } as const;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** When a routine is due, as it is stored and as a tool takes it. Times are local to the routine's zone. */
export const scheduleSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("hourly"), minute: z.int().min(0).max(59) }),
  z.strictObject({ kind: z.literal("daily"), at: time }),
  z.strictObject({ kind: z.literal("weekdays"), at: time }),
  z.strictObject({ kind: z.literal("weekly"), days: z.array(z.enum(weekdays)).min(1).max(7), at: time }),
  z.strictObject({
    kind: z.literal("monthly"),
    day: z.int().min(1).max(31).describe("In a shorter month: its last day"),
    at: time,
  }),
  z.strictObject({
    kind: z.literal("interval"),
    everyMinutes: z.int().min(scheduleLimits.leastMinutes).max(scheduleLimits.mostMinutes),
    anchor: z.string().max(40).describe("First due time, an instant: 2026-12-04T09:00Z"),
  }),
  z.strictObject({
    kind: z.literal("cron"),
    expression: z.string().min(1).max(scheduleLimits.cron).describe("Five fields"),
  }),
  z.strictObject({
    kind: z.literal("once"),
    at: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ?$/)
      .describe("Local time, 2026-12-04T09:00; with Z: UTC"),
  }),
]);
export type Schedule = z.infer<typeof scheduleSchema>;
