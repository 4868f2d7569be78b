import type { PlaceKind } from "../chat/index.ts";
import type { AdditionalContextEntry, UserInput } from "../codex/index.ts";
import type { Role } from "../storage/index.ts";
import type { StoredFile } from "./attachments.ts";

/** Who wrote something, as their platform names them. */
export interface PromptAuthor {
  readonly name: string;
  /** The platform's id of the person; null for what we say ourselves. */
  readonly id: string | null;
  readonly role: Role | null;
}

export interface PromptPlace {
  /** `telegram`, `discord` …, as the adapter calls itself. */
  readonly platform: string;
  readonly kind: PlaceKind;
  readonly title: string | null;
}

export interface PromptQuote {
  readonly text: string | null;
  readonly authorName: string | null;
  readonly fromUs: boolean;
}

/** One delivery as it goes into a prompt. */
export interface PromptDelivery {
  /** `approval_decision` is said by Shipmate itself; everything else is a person's word. */
  readonly trigger: string;
  readonly author: PromptAuthor;
  readonly text: string;
  readonly sentAt: Date;
  /** The message it replies to; null when it is no reply. */
  readonly quote: PromptQuote | null;
  readonly forwardedFrom: string | null;
  readonly files: readonly StoredFile[];
  /** Set when an earlier run of the same request was cut off: why, and what it had done by then. */
  readonly retry: PromptRetry | null;
}

export interface PromptRetry {
  readonly why: "restart" | "failed" | "stopped";
  readonly done: readonly string[];
}

/** A message of an earlier turn that its author changed since. */
export interface PromptEdit {
  readonly author: PromptAuthor;
  readonly before: string | null;
  readonly after: string;
}

export interface PromptInput {
  readonly now: Date;
  /** The requester's IANA zone; the host's when null or unknown. */
  readonly timezone: string | null;
  readonly place: PromptPlace;
  readonly rules: readonly string[];
  readonly edits: readonly PromptEdit[];
  /** In the order they were said; at least one. */
  readonly deliveries: readonly PromptDelivery[];
  /** What a fresh thread must know of the one before. */
  readonly handoff: string | null;
}

export interface Prompt {
  readonly input: UserInput[];
  readonly additionalContext: Record<string, AdditionalContextEntry>;
}

/** Makes the input of a turn. Pure; always in the same order, redacted, everything from outside framed as data. */
export function buildPrompt(_input: PromptInput): Prompt {
  throw new Error("not built yet");
}

/** A message that joins the running turn, or the new wording of one that is already in it. */
export interface SteerInput {
  readonly kind: "message" | "correction";
  readonly now: Date;
  readonly timezone: string | null;
  readonly place: PromptPlace;
  readonly delivery: PromptDelivery;
}

/** Makes the input that steers a running turn; files and images go along. */
export function buildSteer(_input: SteerInput): UserInput[] {
  throw new Error("not built yet");
}
