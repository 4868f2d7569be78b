import type { Adapter, Persona, PlaceKind } from "../chat/index.ts";
import type { AdditionalContextEntry, TurnInput } from "../codex/index.ts";
import type { Memory } from "../memory/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { AttentionKind, Db, Role } from "../storage/index.ts";
import type { Teammate } from "../teammates/index.ts";
import type { Words } from "../words/index.ts";
import type { Around } from "./prompt-around.ts";
import type { PostedReport } from "./prompt-reports.ts";
import type { RoutineFrame } from "./prompt-routine.ts";

/** A file of a message, on the computer's disk, or the sentence that says why it is not there. */
export interface StoredFile {
  readonly messageId: string;
  readonly name: string;
  readonly kind: "photo" | "document" | "voice" | "audio" | "video";
  readonly mime?: string | undefined;
  readonly size?: number | undefined;
  /** Absolute path; absent when the file could not be taken in. */
  readonly path?: string | undefined;
  /** Why it could not be taken in, for the person and the prompt. */
  readonly problem?: string | undefined;
}

/** One message as the prompt sees it. Everything in it is text from outside. */
export interface PromptMessage {
  readonly messageId: string;
  readonly author: "person" | "teammate" | "system";
  readonly authorName: string;
  /** The platform's id of the author, and their role; absent where it is not known. */
  readonly authorId?: string | undefined;
  readonly authorRole?: Role | undefined;
  readonly text: string;
  readonly sentAt: Date;
  readonly edited: boolean;
  readonly quote?:
    | { readonly text?: string | undefined; readonly authorName?: string | undefined; readonly fromUs: boolean }
    | undefined;
  readonly forwardedFrom?: string | undefined;
  readonly files: readonly StoredFile[];
  /** Set when an earlier run of this message was cut off: why, and what it had done by then (short lines). */
  readonly retry?: { readonly why: "restart" | "failed" | "stopped"; readonly done: readonly string[] } | undefined;
}

/** What one turn is told. `steer` is said into a running turn and carries no context of its own. */
export interface PromptInput {
  readonly kind: "start" | "steer";
  readonly messages: readonly PromptMessage[];
  readonly place: {
    readonly kind: PlaceKind;
    readonly title?: string | undefined;
    /** As the adapter calls itself. */
    readonly platform?: string | undefined;
  };
  /** Set where a routine is performed: its one message is what its author wants done. */
  readonly routine?: RoutineFrame | undefined;
  /** In a shared place: who else works there, and what was said around. */
  readonly around?: Around | undefined;
  /** What routines of the teammate's posted there and it was not told of yet, oldest first. */
  readonly reports?: readonly PostedReport[] | undefined;
  /** What the teammate remembers and is told now: pinned first, then what fits the request best. */
  readonly memories?: readonly Remembered[] | undefined;
  /** Skills that the request names: each rides along as an input of its own. */
  readonly skills?: readonly NamedSkill[] | undefined;
  /** What the teammate may always do without asking, in words. */
  readonly rules?: readonly string[] | undefined;
  readonly now: Date;
  /** IANA zone of the person who asks. */
  readonly timezone?: string | undefined;
  /** What was said and done before, for a Codex thread that does not know it: data, at most 8,000 characters. */
  readonly handoff?: string | undefined;
  /** Messages of earlier turns that their author changed afterwards. */
  readonly corrections?: readonly PromptMessage[] | undefined;
}

/** One remembered fact. Its text is text from outside. */
export type Remembered = Pick<Memory, "id" | "revision" | "text">;

export interface NamedSkill {
  readonly name: string;
  /** Its SKILL.md, absolute. */
  readonly path: string;
}

export interface Prompt {
  readonly input: readonly TurnInput[];
  readonly additionalContext: Readonly<Record<string, AdditionalContextEntry>>;
}

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
      /** Of the call that attached it, and its place in that call. */
      readonly key?: string | undefined;
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
  /** Who the progress message is from, where the platform shows that by itself. */
  readonly persona?: Persona | undefined;
  readonly words: Words;
  readonly clock: Clock;
  readonly log: Log;
  readonly startedAt: Date;
  /** The message this run answers, for platforms that show progress as a reply. */
  readonly replyTo?: string | undefined;
  /** Makes the token of the Stop button. Called at most once, and only when a Stop button is really shown. */
  readonly stopToken: () => Promise<string>;
}
