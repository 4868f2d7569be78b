/**
 * The mailbox room: deliveries, the lanes they wait in, and the claim that turns the oldest one into a run.
 * One conversation is one lane; its runs happen strictly one after another, in the order of arrival.
 */
export { type CancelResult, createMailbox, type Mailbox, type MailboxDeps, type RetryResult } from "./mailbox.ts";
export type {
  Claim,
  ClaimedDelivery,
  ClaimedRun,
  ClaimLimits,
  HoldReason,
  NewDelivery,
  QueuedDelivery,
  QueuePosition,
  Trigger,
} from "./types.ts";
