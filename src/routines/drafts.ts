import { z } from "zod";
import { destinationSchema, limitPolicies, missedPolicies, routineKinds, triggerSchema } from "./types.ts";

/** A routine that is about to be made or changed. */
export const draftSchema = z.object({
  kind: z.enum(routineKinds),
  name: z.string(),
  instruction: z.string(),
  /** Null where nobody said when. */
  trigger: triggerSchema.nullable(),
  timezone: z.string(),
  destinations: z.array(destinationSchema),
  missed: z.enum(missedPolicies),
  atLimit: z.enum(limitPolicies),
  /** Where it is made. */
  home: z.object({ placeId: z.uuid(), thread: z.string() }),
  /** Of a webhook: saving it also makes a new secret. */
  newSecret: z.boolean().default(false),
});
export type RoutineDraft = z.infer<typeof draftSchema>;

/** Where the card of a draft is, so that it can be closed later; kept for those that everybody in a conversation sees. */
export const draftPlaceSchema = z.object({
  postId: z.uuid(),
  connectionId: z.uuid(),
  channel: z.string(),
  thread: z.string().optional(),
  placeKind: z.enum(["dm", "group", "channel", "forum"]),
  lane: z.string(),
});
export type DraftPlace = z.infer<typeof draftPlaceSchema>;

export interface KeptDraft {
  readonly id: string;
  readonly teammateId: string;
  /** What it changes; null for a new one. */
  readonly routineId: string | null;
  readonly personId: string | null;
  readonly draft: RoutineDraft;
  readonly status: "open" | "done" | "cancelled";
}
