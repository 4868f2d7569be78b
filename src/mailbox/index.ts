/**
 * The mailbox room: deliveries, the lanes they wait in, and the claim that turns the oldest one into a run.
 * One conversation is one lane; its runs happen strictly one after another, in the order of arrival.
 */
export { createMailbox, type Mailbox } from "./mailbox.ts";
export type { ClaimedRun, QueuedDelivery, Trigger } from "./types.ts";
