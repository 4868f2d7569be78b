/**
 * What a Run and its parts hand each other. The prompt's types stand in prompt.ts, those of files in attachments.ts.
 */
import type { Adapter } from "../chat/index.ts";
import type { Notification } from "../codex/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { AttentionKind, Db, Role } from "../storage/index.ts";
import type { Teammate } from "../teammates/index.ts";
import type { Words } from "../words/index.ts";

/** One thing that happened in a run, as it is stored and shown. Texts are redacted before they get here. */
export type TimelineEvent = { readonly at: Date } & (
  | { readonly kind: "turn_started" }
  /** A piece of something the teammate says; pieces of one item are joined before they are stored. */
  | { readonly kind: "text_delta"; readonly itemId: string; readonly text: string }
  /** What the teammate said, whole: replaces the pieces of the same item. */
  | { readonly kind: "text"; readonly itemId: string; readonly text: string; readonly phase: TextPhase }
  | { readonly kind: "step_started"; readonly itemId: string; readonly step: Step }
  | {
      readonly kind: "step_ended";
      readonly itemId: string;
      readonly step: Step;
      readonly outcome: "ok" | "failed" | "declined";
      readonly durationMs?: number | undefined;
    }
  | { readonly kind: "plan"; readonly steps: readonly { readonly text: string; readonly status: PlanStatus }[] }
  | { readonly kind: "thinking"; readonly itemId: string; readonly text: string }
  /** The model could not be reached and Codex tries again. */
  | { readonly kind: "retrying"; readonly detail: string }
  /** A message joined the running turn. */
  | { readonly kind: "joined"; readonly messageId: string; readonly authorName: string }
  /** A file the teammate sends with its answer. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly name: string;
      readonly mime?: string | undefined;
      readonly caption?: string | undefined;
    }
  | { readonly kind: "waiting"; readonly on: AttentionKind; readonly attentionId: string }
  | { readonly kind: "decided"; readonly attentionId: string; readonly choice: string }
);

export type TextPhase = "commentary" | "final" | "unknown";
export type PlanStatus = "pending" | "in_progress" | "done";

/** What a teammate does, in a form that can be put into few words. */
export type Step =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "read"; readonly names: readonly string[] }
  | { readonly kind: "list" }
  | { readonly kind: "find"; readonly query: string }
  | { readonly kind: "edit"; readonly paths: readonly string[] }
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "image"; readonly path: string }
  | { readonly kind: "tool"; readonly tool: string; readonly server?: string | undefined }
  | { readonly kind: "compaction" }
  | { readonly kind: "other"; readonly name: string };

export type ToTimelineEvents = (notification: Notification) => readonly TimelineEvent[];

/** Stores the events of one run, in order. Never rejects: a failed write is logged and tried again with the next one. */
export interface TimelineWriter {
  record(event: TimelineEvent): void;
  /** Resolves when everything recorded so far is stored. */
  flush(): Promise<void>;
}

export interface TimelineWriterDeps {
  readonly db: Db;
  readonly runId: string;
  readonly log: Log;
  /** The number after the last stored one, for a run that goes on after a restart; 1 when absent. */
  readonly nextSeq?: number | undefined;
  /** Pieces are joined for this long before they are stored; 120 when absent. */
  readonly coalesceMs?: number | undefined;
}

/** The one progress message (or draft, or status line) of a run. Never rejects, never waits for the platform. */
export interface LiveView {
  show(event: TimelineEvent): void;
  /** `link` leads to the card, where the platform has links. */
  waiting(on: AttentionKind | null, link?: string): void;
  /** Ends it: nothing is shown afterwards. Resolves with the message that is now to be removed, if one was posted. */
  close(): Promise<{ readonly messageId?: string | undefined }>;
}

export interface LiveViewDeps {
  readonly db: Db;
  readonly adapter: Adapter;
  readonly destination: Destination;
  readonly runId: string;
  readonly teammate: Pick<Teammate, "name">;
  readonly words: Words;
  readonly clock: Clock;
  readonly log: Log;
  readonly startedAt: Date;
  /** The message this run answers, for platforms that show progress as a reply. */
  readonly replyTo?: string | undefined;
  /** Makes the token of the Stop button. Called at most once, and only when a Stop button is really shown. */
  readonly stopToken: () => Promise<string>;
}
