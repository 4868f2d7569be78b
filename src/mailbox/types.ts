import type { DeliveryStatus } from "../storage/index.ts";

/** Why a run happens; Codex is told, and statistics count by it. `compact`: its thread is tidied up; `routine`: work that happens by itself. Both alone, in no turn with words. */
export type Trigger = "message" | "retry" | "approval_decision" | "answer" | "compact" | "routine";

export interface NewDelivery {
  readonly messageId: string;
  readonly teammateId: string;
  readonly conversationId: string;
  readonly requesterPersonId: string | null;
  readonly trigger: Trigger;
  /** A second delivery with the same key is the first one. */
  readonly idempotencyKey: string;
  /** Not claimed before: the message is still being collected. What stands behind it waits too. */
  readonly readyAt?: Date | undefined;
  readonly retryOf?: string | undefined;
}

export interface ClaimLimits {
  /** The computer this worker owns. */
  readonly computer: string;
  readonly maxConcurrentRuns: number;
}

export type HoldReason = "not-ready" | "server-busy" | "task-limit" | "usage-limit" | "teammate-restarting" | "hidden";

export interface ClaimedRun {
  readonly id: string;
  readonly conversationId: string;
  readonly teammateId: string;
  readonly requesterPersonId: string | null;
  readonly trigger: Trigger;
  /** The conversation's Codex thread, where it has one. */
  readonly codexThreadId: string | null;
  /** In queue order; the first one's id is the client message id of the turn. */
  readonly deliveries: readonly ClaimedDelivery[];
  /** True while others wait behind it in the lane. */
  readonly more: boolean;
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly messageId: string;
  readonly queuePostId: string | null;
}

export interface QueuedDelivery {
  readonly id: string;
  readonly messageId: string;
  readonly conversationId: string;
  readonly requesterPersonId: string | null;
  readonly trigger: Trigger;
  readonly queuePostId: string | null;
}

export type Claim =
  | { readonly kind: "claimed"; readonly run: ClaimedRun }
  /** The lane is taken; `next` is the oldest delivery that waits in it and may be claimed. */
  | { readonly kind: "busy"; readonly runId: string; readonly next: QueuedDelivery | null }
  | {
      readonly kind: "held";
      readonly reason: HoldReason;
      readonly retryAt?: Date | undefined;
      readonly next: QueuedDelivery;
    }
  | { readonly kind: "empty" };

export interface QueuePosition {
  readonly status: DeliveryStatus;
  /** Tasks before it in its lane, the running one included. */
  readonly ahead: number;
  /** Whom the teammate works for in this lane right now. */
  readonly workingFor: string | null;
  readonly holdReason: HoldReason | null;
  /** What holds the head of its lane. */
  readonly laneHold: HoldReason | null;
  /** True while a turn runs in its lane. */
  readonly working: boolean;
}
