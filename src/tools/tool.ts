import type { DynamicToolCallResponse } from "../codex/index.ts";

export type ToolResult = DynamicToolCallResponse;

/** How a request for approval ended, as far as a tool must know. */
export interface ToolDecision {
  readonly choice: "approve" | "approve_session" | "always" | "deny" | "stop" | "expired" | "cancelled";
  readonly by: { readonly displayName: string } | null;
  readonly note?: string | undefined;
}

export interface ApprovalRequest {
  /** The call it belongs to: asked again with the same id (after a reconnect) it is the same request. */
  readonly callId: string;
  readonly title: string;
  readonly details: string;
  readonly reversible: boolean;
  readonly risk: "normal" | "high";
  /** How long the tool itself waits, in milliseconds. */
  readonly waitMs: number;
}

/** A copy of a file, ready to be posted beneath the answer. */
export interface OutgoingFile {
  readonly callId: string;
  /** Absolute; outside the workspace. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly caption?: string | undefined;
}

/** What one call may use: its run's surroundings, given by whoever owns the run. */
export interface ToolContext {
  readonly callId: string;
  /** Absolute. */
  readonly workspace: string;
  /** Absolute folder for copies of files to be sent, the run's own. */
  readonly outgoing: string;
  /** What the place takes as a file, in bytes, and how many this run has queued so far. */
  readonly fileLimits: { readonly bytes: number; readonly alreadyQueued: number };
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  openApproval(request: ApprovalRequest): Promise<{ attentionId: string }>;
  /** Resolves with the decision, or with null once the time is over. */
  waitForDecision(attentionId: string, ms: number): Promise<ToolDecision | null>;
  queueFile(file: OutgoingFile): Promise<void>;
}
