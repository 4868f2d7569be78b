import { z } from "zod";
import type { DynamicToolCallResponse, JsonValue } from "../codex/index.ts";
import type { Routine, RoutinePlan } from "../routines/index.ts";
import type { Unit } from "../storage/index.ts";
import type { Teammate } from "../teammates/index.ts";

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

/** One question to a person. */
export interface ToolQuestion {
  readonly id: string;
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string | undefined }[];
  readonly multiple: boolean;
  readonly secret: boolean;
}

/** What a person is asked together, on one card. */
export interface QuestionRequest {
  /** As with an approval: asked again with the same id it is the same request. */
  readonly callId: string;
  readonly questions: readonly ToolQuestion[];
  readonly waitMs: number;
}

/** How questions ended. `answers` by question: none for what was skipped, absent for what nobody answered. */
export interface ToolAnswers {
  readonly choice: "answer" | "skip" | "stop" | "expired" | "cancelled";
  readonly by: { readonly displayName: string } | null;
  readonly answers: Readonly<Record<string, readonly string[]>>;
}

/** A routine that a person is to make, or change, with a press; checked and redacted. */
export interface RoutineProposal {
  /** As with an approval: proposed again with the same id it is the same card. */
  readonly callId: string;
  /** What is changed; absent for a new one. */
  readonly routineId?: string | undefined;
  /** The whole of it, as it would be then. */
  readonly draft: RoutinePlan;
  /** Of a webhook: saving it also makes a new secret. */
  readonly newSecret?: boolean | undefined;
}

/** A copy of a file, ready to be posted beneath the answer. */
export interface OutgoingFile {
  /** Of its call and its place in it: a call that comes again attaches nothing twice. */
  readonly key: string;
  /** Absolute; outside every workspace. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly caption?: string | undefined;
}

/** What goes out with the answer of a run. */
export interface OutgoingFiles {
  /** What the place takes as one file, in bytes. */
  readonly limitBytes: number;
  queued(): number;
  queuedBytes(): number;
  has(key: string): boolean;
  add(file: OutgoingFile): void;
}

/** What a run of a routine notes about its own end. */
export interface RoutineRunNotes {
  /** Something is always posted then. */
  readonly isTest: boolean;
  nothingNew(): void;
  /** The last reason counts; redacted, on one line. */
  failed(reason: string): void;
}

/** Whose call it is: the run it came from, as far as tools may know it. */
export interface ToolCaller {
  readonly runId: string;
  readonly conversationId: string;
  readonly placeId: string;
  /** The platform's thread id, or "" outside threads. */
  readonly thread: string;
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
  readonly files: OutgoingFiles;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  openApproval(request: ApprovalRequest): Promise<{ attentionId: string }>;
  /** Resolves with the decision, or with null once the time is over. Rejects when `signal` aborts. */
  waitForDecision(attentionId: string, ms: number): Promise<ToolDecision | null>;
  /** Shows in the conversation who joined, once for each newcomer. */
  welcome(unit: Unit, newcomer: Teammate): Promise<void>;
  /** Shows the card on which the requester of the run makes or changes it, or drops the wish. */
  proposeRoutine(proposal: RoutineProposal): Promise<void>;
  /** Says in the conversation, once, what became of a routine by a call. */
  noteRoutine(unit: Unit, became: "paused" | "deleted", routine: Pick<Routine, "id" | "name">): Promise<void>;
  /** Absent where no routine is performed. */
  readonly routineRun?: RoutineRunNotes | undefined;
  /** Asks, and resolves with the answers, or with null once the time is over. Rejects when `signal` aborts. */
  ask(request: QuestionRequest): Promise<ToolAnswers | null>;
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
