import { z } from "zod";

/**
 * What a job carries: ids of rows and nothing else, since the rows are the truth and a queue may be lost.
 * Checked again on the way out, because a job may have been added by an older release.
 */
export const queuePayloads = {
  /** Look whether this conversation's lane has a delivery that can be claimed. */
  mailbox: z.object({ conversationId: z.uuid() }),
  /** Something for a running turn, which lives in the one worker that owns the computer. */
  control: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("stop"), runId: z.uuid() }),
    z.object({ kind: z.literal("decided"), attentionId: z.uuid() }),
    z.object({ kind: z.literal("edited"), messageId: z.uuid() }),
    z.object({ kind: z.literal("sign_in"), signInId: z.uuid() }),
  ]),
  /** Something is to become of an MCP server, which takes a test where Codex is. */
  mcp: z.object({ changeId: z.uuid() }),
  /** The draft of a colleague may be improved, which takes a model. */
  drafts: z.object({ draftId: z.uuid() }),
  /** Look whether this connection has posts that can be sent. */
  outbox: z.object({ connectionId: z.uuid() }),
  /** Time has come to look for due rows of one kind ("sweep", "routines", "deadlines" …). */
  clock: z.object({ task: z.string().min(1).max(100) }),
} as const;

export type QueueName = keyof typeof queuePayloads;
export type QueuePayload<Name extends QueueName> = z.infer<(typeof queuePayloads)[Name]>;
