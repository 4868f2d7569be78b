import { z } from "zod";
import type { DynamicToolCallResponse, JsonValue } from "../codex/index.ts";

export type ToolResult = DynamicToolCallResponse;

/** How a request for approval ended, as far as a tool must know. */
export interface ToolDecision {
  readonly choice: "approve" | "approve_session" | "always" | "deny" | "stop" | "expired" | "cancelled";
  readonly by: { readonly displayName: string } | null;
  readonly note?: string | undefined;
}

/** What a person is asked; redacted. */
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
  /** Absolute; outside every workspace. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly caption?: string | undefined;
}

/** Whose call it is: the run it came from, as far as tools may know it. */
export interface ToolCaller {
  readonly runId: string;
  readonly conversationId: string;
  readonly placeId: string;
  /** True where one person alone reads along: a direct message. */
  readonly isPrivate: boolean;
  readonly teammateId: string;
  /** Who asked for the run; null where no person did. */
  readonly requesterId: string | null;
  /** Why the run exists, such as "message". */
  readonly trigger: string;
}

/** What one call may use: its run's surroundings, given by whoever owns the run. */
export interface ToolContext {
  readonly callId: string;
  readonly caller: ToolCaller;
  /** The teammate's folder, absolute. */
  readonly workspace: string;
  /** Folder for copies of files to be sent, absolute; made when needed. */
  readonly outgoing: string;
  /** What the place takes as one file, in bytes, and what this run has queued so far. */
  readonly files: { readonly limitBytes: number; readonly queued: number; readonly queuedBytes: number };
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  openApproval(request: ApprovalRequest): Promise<{ attentionId: string }>;
  /** Resolves with the decision, or with null once the time is over. Rejects when `signal` aborts. */
  waitForDecision(attentionId: string, ms: number): Promise<ToolDecision | null>;
  queueFile(file: OutgoingFile): Promise<void>;
}

/** One tool: what the model is told about it, and what it does with arguments that were checked. */
export interface Tool<Args extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly args: Args;
  run(args: z.infer<Args>, context: ToolContext): Promise<ToolResult>;
}

/** A result the model reads. Codex shows it no flag, so the sentence itself must say how it went. */
export function said(text: string, success = true): ToolResult {
  return { contentItems: [{ type: "inputText", text }], success };
}

/** A tool with its argument type hidden behind the check. */
export interface AnyTool {
  readonly spec: { name: string; description: string; inputSchema: JsonValue };
  call(args: unknown, context: ToolContext): Promise<ToolResult>;
}

/** Codex does not check arguments against the schema, so we do, and say what is wrong in words. */
export function checked<Args extends z.ZodType>(tool: Tool<Args>): AnyTool {
  const { name, description, args } = tool;
  return {
    spec: { name, description, inputSchema: jsonSchema(args) },
    async call(given, context) {
      const parsed = args.safeParse(given);
      if (!parsed.success) return said(`Wrong arguments for ${name}:\n${z.prettifyError(parsed.error)}`, false);
      return await tool.run(parsed.data, context);
    },
  };
}

function jsonSchema(args: z.ZodType): JsonValue {
  const { $schema: _, "~standard": __, ...schema } = z.toJSONSchema(args);
  return z.json().parse(JSON.parse(JSON.stringify(schema)));
}
