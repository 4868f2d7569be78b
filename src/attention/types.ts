import type { Destination } from "../outbox/index.ts";
import type { Person } from "../people/index.ts";
import type { AttentionKind, AttentionStatus } from "../storage/index.ts";
import type { Answer, Answers, Question } from "./question.ts";

export type AttentionDetails =
  | {
      readonly kind: "command";
      readonly command: string;
      readonly cwd: string;
      /** The same for people: within the teammate's own folder, "" for that folder itself. */
      readonly folder?: string | undefined;
      readonly reason?: string | undefined;
      /** The command prefix Codex offers to allow for good. */
      readonly amendment?: readonly string[] | undefined;
      readonly canApproveForSession: boolean;
    }
  | {
      readonly kind: "file_change";
      readonly files: readonly {
        readonly path: string;
        readonly change: "add" | "update" | "delete";
        readonly diff: string;
      }[];
      readonly reason?: string | undefined;
      readonly grantRoot?: string | undefined;
      readonly canApproveForSession: boolean;
    }
  | { readonly kind: "permissions"; readonly permissions: unknown; readonly reason?: string | undefined }
  | {
      readonly kind: "request_approval";
      readonly title: string;
      readonly details: string;
      readonly reversible: boolean;
    }
  /** A tool of an MCP server. */
  | {
      readonly kind: "mcp_tool";
      readonly server: string;
      readonly tool: string;
      /** By name, as JSON. */
      readonly parameters: readonly { readonly name: string; readonly value: string }[];
      readonly canApproveForSession: boolean;
      readonly canAlwaysApprove: boolean;
    }
  /** An address that an MCP server wants to be opened. */
  | { readonly kind: "link"; readonly server: string; readonly message: string; readonly url: string }
  | QuestionDetails;

export interface QuestionDetails {
  readonly kind: "question";
  /** At least one. */
  readonly questions: readonly Question[];
  /** The MCP server that asks through the teammate, and why. */
  readonly server?: { readonly name: string; readonly message: string } | undefined;
}

/** What is decided by yes or no. */
export type ApprovalDetails = Exclude<AttentionDetails, QuestionDetails>;

/**
 * How it was asked. `request_approval` and `ask_user` are our own tools: they may be decided after their turn ended; the others,
 * which are Codex's own requests, end with their turn.
 */
export type AttentionMethod =
  | "command"
  | "file_change"
  | "permissions"
  | "request_approval"
  | "mcp_tool"
  | "ask_user"
  | "user_input"
  | "elicitation";

export interface NewAttention {
  readonly kind: AttentionKind;
  readonly teammate: { readonly id: string; readonly name: string };
  readonly runId: string;
  readonly conversationId: string;
  /** Null where no person asked. */
  readonly requester: Pick<Person, "id" | "locale"> | null;
  readonly to: Destination;
  /** The platform's id of the requester's message. */
  readonly replyTo?: string | undefined;
  /** Its requester may not be looking where it is asked: a copy goes into their private chat. */
  readonly alsoPrivately?: boolean | undefined;
  readonly method: AttentionMethod;
  readonly codexRequestId?: string | undefined;
  readonly connectionEpoch?: string | undefined;
  readonly callId?: string | undefined;
  readonly details: AttentionDetails;
  readonly risk: "normal" | "high";
  /** 24 hours from now when absent. */
  readonly expiresAt?: Date | undefined;
  /** Until then a running turn waits for the decision. */
  readonly waitUntil?: Date | undefined;
}

export type Choice =
  | "approve"
  | "approve_session"
  | "always"
  | "deny"
  | "stop"
  | "answer"
  | "skip"
  | "expired"
  | "cancelled";

export interface Decision {
  readonly choice: Choice;
  readonly by: { readonly id: string; readonly name: string } | null;
  readonly note?: string | undefined;
  /** By question, where questions were asked; those that were given, where it ended before the last one. */
  readonly answers?: Readonly<Record<string, Answer>> | undefined;
}

export interface AttentionItem {
  readonly id: string;
  readonly kind: AttentionKind;
  readonly method: AttentionMethod;
  readonly teammateId: string;
  readonly teammateName: string;
  readonly runId: string | null;
  readonly conversationId: string;
  readonly requesterPersonId: string | null;
  readonly requesterName: string | null;
  readonly codexRequestId: string | null;
  readonly connectionEpoch: string | null;
  readonly callId: string | null;
  readonly details: AttentionDetails;
  readonly answers: Answers;
  readonly risk: "normal" | "high";
  readonly status: AttentionStatus;
  /** True once no running turn waits for it: a decision then starts a new run. */
  readonly late: boolean;
  readonly waitUntil: Date | null;
  readonly expiresAt: Date;
  readonly decision: Decision | null;
  readonly decidedAt: Date | null;
  /** When the decision reached the turn, or became a delivery. */
  readonly settledAt: Date | null;
  readonly createdAt: Date;
}

/** What waits for a person, as /inbox lists it. */
export interface OpenItem {
  readonly id: string;
  readonly teammateName: string;
  /** In a few words: "run npm test". */
  readonly summary: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Opens the card, where the platform has links and the card was sent. */
  readonly link?: string | undefined;
}

/** The message whose button was pressed. */
export interface PressedMessage {
  readonly to: Destination;
  /** Absent where the platform does not say. */
  readonly messageId?: string | undefined;
}

/**
 * What a press came to. `done`: the inbox carries the action out (`decided` was carried out already).
 * Every text is for the presser only.
 */
export type PressResult =
  | { readonly kind: "done"; readonly action: string; readonly payload: unknown; readonly answer?: string | undefined }
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "already"; readonly text: string }
  /** What was written will not do; it can be written again. */
  | { readonly kind: "invalid"; readonly text: string }
  | { readonly kind: "unknown"; readonly text: string };

/** What a rule allows: every command that begins like this, or one tool of an MCP server whatever it is given. */
export type RulePattern =
  | { readonly kind: "command_prefix"; readonly prefix: readonly string[] }
  | { readonly kind: "mcp_tool"; readonly server: string; readonly tool: string };

export interface ApprovalRule {
  readonly id: string;
  readonly teammateId: string;
  /** The rule in words, as /rules shows it. */
  readonly text: string;
  readonly pattern: RulePattern;
  readonly createdBy: string | null;
  readonly createdAt: Date;
}
