import type { Receipt, SendError } from "../chat/index.ts";
import type { PostOp, PostPurpose } from "../storage/index.ts";

/** What the outcome of a send depends on. */
export interface Attempt {
  readonly op: PostOp;
  readonly purpose: PostPurpose;
  readonly attempts: number;
  readonly maybeRepeat: boolean;
  readonly createdAt: Date;
  /** Shown to one person only: an answer to something they just did. */
  readonly isPrivate: boolean;
  /** Part of what became of somebody's request. */
  readonly ofRun: boolean;
}

export interface Circumstances {
  /** The adapter may be asked again with the same key and shows one message. */
  readonly idempotentPosts: boolean;
  readonly now: Date;
  /** Between 0 and 1. */
  readonly random: number;
}

/** What becomes of a post that was sent. `tell`: the owner must hear of it. */
export type Outcome =
  | { readonly status: "sent"; readonly messageId: string }
  | {
      readonly status: "pending";
      readonly nextAt: Date;
      readonly attempts: number;
      /** From now on a send of it carries the label. */
      readonly maybeRepeat: boolean;
      readonly error: string;
    }
  | { readonly status: "failed"; readonly error: string; readonly tell: "rejected" | "gone" | "unreachable" | null }
  | { readonly status: "uncertain"; readonly error: string };

const second = 1000;
const minute = 60 * second;
/** How long something is worth sending. */
const patience = { private: 15 * minute, reaction: 10 * minute, other: 24 * 60 * minute };
/** A platform compares keys for a few minutes only: after this many lost responses a repeat could be seen. */
const idempotentAttempts = 5;

export function outcomeOf(attempt: Attempt, receipt: Receipt, circumstances: Circumstances): Outcome {
  const outcome = afterReceipt(attempt, receipt, circumstances);
  return attempt.isPrivate ? ofPrivate(attempt, outcome) : outcome;
}

/** A private answer that comes after that is of use to nobody. */
export function isTooLate(attempt: Pick<Attempt, "isPrivate" | "createdAt">, at: Date): boolean {
  return attempt.isPrivate && at.getTime() - attempt.createdAt.getTime() > patience.private;
}

/** Whoever misses a private answer asks again: it is neither repeated with a label nor worth a word to the owner. */
function ofPrivate(attempt: Attempt, outcome: Outcome): Outcome {
  if (outcome.status === "failed") return { ...outcome, tell: null };
  if (outcome.status !== "pending") return outcome;
  if (outcome.maybeRepeat) return { status: "uncertain", error: outcome.error };
  return isTooLate(attempt, outcome.nextAt) ? { status: "failed", error: outcome.error, tell: null } : outcome;
}

function afterReceipt(attempt: Attempt, receipt: Receipt, circumstances: Circumstances): Outcome {
  switch (receipt.outcome) {
    case "delivered":
      return { status: "sent", messageId: receipt.messageId };
    case "failed":
      return afterFailure(attempt, receipt.error, circumstances);
    case "unknown":
      return afterSilence(attempt, receipt.detail, circumstances);
  }
}

function afterFailure(attempt: Attempt, error: SendError, circumstances: Circumstances): Outcome {
  const detail = `${error.kind}: ${error.detail}`;
  switch (error.kind) {
    case "rate_limited":
      return later(attempt, detail, circumstances, { waitMs: error.retryAfterMs ?? 5 * second, counts: false });
    case "unavailable":
      return later(attempt, detail, circumstances, { waitMs: backoff(attempt.attempts, circumstances), counts: true });
    case "refused":
      // Nothing is wrong with the post: it waits until somebody mended the token or the permission.
      return pending(attempt, detail, circumstances, {
        waitMs: Math.max(30 * second, backoff(attempt.attempts, circumstances)),
        counts: true,
      });
    case "rejected":
    case "gone":
      return { status: "failed", error: detail, tell: isNews(attempt) ? error.kind : null };
  }
}

/** The response was lost: it may be there already. */
function afterSilence(attempt: Attempt, detail: string, circumstances: Circumstances): Outcome {
  const error = `unknown: ${detail}`;
  const changesSomething = attempt.op === "edit" || attempt.op === "remove" || attempt.op === "react";
  const isNew = attempt.op === "post" || attempt.op === "open_thread";
  const keyed = isNew && circumstances.idempotentPosts && attempt.attempts < idempotentAttempts;
  if (changesSomething || keyed) {
    return later(attempt, error, circumstances, { waitMs: backoff(attempt.attempts, circumstances), counts: true });
  }
  if (isWorthARepeat(attempt) && !attempt.maybeRepeat) {
    const again = pending(attempt, error, circumstances, { waitMs: 2 * second, counts: true });
    return { ...again, maybeRepeat: true };
  }
  return { status: "uncertain", error };
}

interface Wait {
  readonly waitMs: number;
  readonly counts: boolean;
}

function later(attempt: Attempt, error: string, circumstances: Circumstances, wait: Wait): Outcome {
  const age = circumstances.now.getTime() - attempt.createdAt.getTime();
  if (age > (attempt.op === "react" ? patience.reaction : patience.other)) {
    return { status: "failed", error, tell: isNews(attempt) ? "unreachable" : null };
  }
  return pending(attempt, error, circumstances, wait);
}

function pending(attempt: Attempt, error: string, circumstances: Circumstances, wait: Wait) {
  return {
    status: "pending",
    nextAt: new Date(circumstances.now.getTime() + wait.waitMs),
    attempts: attempt.attempts + (wait.counts ? 1 : 0),
    maybeRepeat: attempt.maybeRepeat,
    error,
  } as const;
}

/** 1 s, 2 s, 4 s … at most 5 minutes, less up to a half of it, so that many lanes do not come back at once. */
function backoff(attempts: number, { random }: Circumstances): number {
  const whole = Math.min(5 * minute, second * 2 ** Math.min(attempts, 12));
  return Math.round(whole * (1 - random / 2));
}

/** A missing answer, or word that there will be none, is worse than one that may be there twice and says so; any other notice is not. */
function isWorthARepeat({ op, purpose, ofRun }: Attempt): boolean {
  // A thread that may be there twice helps nobody: what is meant for it goes beside it this time.
  if (op === "open_thread") return false;
  return purpose === "answer" || purpose === "card" || purpose === "file" || (purpose === "notice" && ofRun);
}

/** Somebody waits for it; a change of something old is not news. */
function isNews(attempt: Attempt): boolean {
  if (attempt.purpose === "status") return false;
  return attempt.op === "post" || attempt.op === "upload" || attempt.op === "open_thread";
}
