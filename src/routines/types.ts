import { z } from "zod";
import type { RoutineSkip, RoutineSource } from "../storage/index.ts";
import { scheduleSchema } from "./schedule.ts";

/** Where reports go. With `ownThread` they have a thread of their own there. */
export const destinationSchema = z.strictObject({
  placeId: z.uuid(),
  /** The platform's thread id, or "" outside threads. */
  thread: z.string(),
  ownThread: z.boolean(),
});
export type RoutineDestination = z.infer<typeof destinationSchema>;

/** PostgreSQL keeps neither NUL nor half a character in what it reads as JSON. */
const keepable = z.string().refine((text) => text.isWellFormed() && !text.includes("\0"), {
  error: "holds a character that cannot be kept",
});

/** What a webhook lets through: an event type from the header or body, and fields (JSON pointers, RFC 6901) with their values. */
export const webhookFilterSchema = z.strictObject({
  types: z.array(keepable.min(1).max(200)).max(128),
  fields: z
    .array(
      z.strictObject({
        /** RFC 6901: "" is all of it, "/a/0" the first of a. */
        pointer: keepable.max(500).regex(/^(?:\/(?:[^~/]|~[01])*)*$/, { error: "is no JSON pointer: /like/this" }),
        equals: z.union([keepable, z.number(), z.boolean(), z.null()]),
      }),
    )
    .max(128),
});
export type WebhookFilter = z.infer<typeof webhookFilterSchema>;

export const triggerSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("schedule"), schedule: scheduleSchema }),
  z.strictObject({ kind: z.literal("webhook"), filter: webhookFilterSchema }),
]);
export type RoutineTrigger = z.infer<typeof triggerSchema>;

export const routineKinds = ["routine", "check_in"] as const;
export const missedPolicies = ["run_once", "skip"] as const;
export const limitPolicies = ["wait", "skip"] as const;
export type RoutineKind = (typeof routineKinds)[number];
export type MissedPolicy = (typeof missedPolicies)[number];
export type LimitPolicy = (typeof limitPolicies)[number];

export const routineLimits = {
  perTeammate: 64,
  name: 80,
  instruction: 100_000,
  webhooks: 64,
  destinations: 20,
} as const;

/** What somebody decides about a routine. */
export interface RoutinePlan {
  readonly kind: RoutineKind;
  /** At most 80 characters, on one line; one teammate's are told apart by it, in any case. */
  readonly name: string;
  /** At most 100,000 characters. */
  readonly instruction: string;
  readonly trigger: RoutineTrigger;
  /** IANA name. */
  readonly timezone: string;
  /** Empty: to where it was made. */
  readonly destinations: readonly RoutineDestination[];
  readonly missed: MissedPolicy;
  readonly atLimit: LimitPolicy;
}

export interface Routine extends RoutinePlan {
  readonly id: string;
  readonly teammateId: string;
  readonly teammateName: string;
  /** Where it was made: its questions and failures go there, and its reports where no destination is named. */
  readonly home: { readonly placeId: string; readonly thread: string };
  /** Its own lane. */
  readonly conversationId: string;
  readonly active: boolean;
  /** Why it does not run, where nobody paused it: its author may not any more, its place is gone, or it will never be due again. */
  readonly stoppedBecause: "author" | "place" | "over" | null;
  readonly nextDueAt: Date | null;
  /** Whose routine it is: its runs act with this person's rights and ask this person. */
  readonly author: { readonly id: string; readonly name: string } | null;
  readonly createdAt: Date;
}

/** Derived from its delivery and run: nothing has to be kept in step. */
export type RoutineRunStatus =
  | "queued"
  | "running"
  | "needs_attention"
  | "succeeded"
  | "failed"
  | "interrupted"
  | "cancelled"
  | "skipped";

export interface RoutineRun {
  readonly id: string;
  readonly routineId: string;
  readonly source: RoutineSource;
  readonly scheduledFor: Date;
  readonly status: RoutineRunStatus;
  readonly late: boolean;
  /** Due times before this one that it stands for, and the first of them. */
  readonly missed: number;
  readonly missedSince: Date | null;
  readonly skippedBecause: RoutineSkip | null;
  readonly quiet: boolean;
  /** What went wrong, in words of the teammate or as a code. */
  readonly failure: string | null;
  /** The run that works on it, once one was claimed. */
  readonly runId: string | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
}

/** Everything a run of a routine has to know, as the routine stands when the run begins. */
export interface RoutineBriefing {
  readonly routineRunId: string;
  readonly routineId: string;
  readonly kind: RoutineKind;
  readonly name: string;
  readonly instruction: string;
  readonly source: RoutineSource;
  readonly scheduledFor: Date;
  readonly timezone: string;
  readonly late: boolean;
  readonly missed: number;
  readonly missedSince: Date | null;
  /** What came from outside: data, never a request. */
  readonly payload: string | null;
  readonly atLimit: LimitPolicy;
  readonly author: { readonly id: string; readonly name: string } | null;
  /** A routine that was deleted or stopped meanwhile is not begun. */
  readonly isOver: boolean;
  readonly quiet: boolean;
  readonly failure: string | null;
}
