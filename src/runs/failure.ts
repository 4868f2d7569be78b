import type { Payer } from "../access/index.ts";
import type { TurnErrorKind } from "../codex/index.ts";
import { newCode, redact } from "../shared/index.ts";
import type { Words } from "../words/index.ts";
import type { FailureCode } from "./outcome.ts";
import type { RunContext } from "./run-context.store.ts";
import type { RunLimits } from "./watchdog.ts";

/** What the place is told, and what the owner is told besides, where the place must not see it. */
export interface FailureNotice {
  readonly text: string;
  /** Shown to people instead of the error, and kept with the run. */
  readonly code: string | null;
  readonly forOwner: string | null;
}

export interface FailureFacts {
  readonly code: FailureCode;
  readonly detail: string;
  readonly limits: RunLimits;
  /** When the plan's limit resets, in the requester's clock; null when that is unknown. */
  readonly resetsAt: string | null;
  /** True when the message stays in line until then. */
  readonly held: boolean;
  /** Nobody wrote a message. */
  readonly isRoutine?: boolean | undefined;
  /** Who paid, where it is about that. */
  readonly payer?: Payer | undefined;
  /** It has just stopped working: the owner has to know, wherever it shows. */
  readonly isNews?: boolean | undefined;
  readonly ownerName: string | null;
}

const detailLimit = 600;

/** Errors that say nothing about this computer are told everywhere; any other only to the owner, in private. */
export function failureNotice(
  run: Pick<RunContext, "teammate" | "place" | "requester">,
  words: Words,
  facts: FailureFacts,
): FailureNotice {
  const known = knownSentence(run.teammate.name, words, facts);
  const isOwners = run.place.kind === "dm" && run.requester?.role === "owner";
  if (known !== undefined) return { text: known, code: null, forOwner: isOwners ? null : newsForOwner(words, facts) };
  // Redacted first: a secret cut in half would not be recognised any more.
  const detail = redact(facts.detail).slice(0, detailLimit).toWellFormed() || facts.code;
  const { name } = run.teammate;
  if (isOwners) {
    return { text: words.runs.failed(name, detail), code: null, forOwner: null };
  }
  const code = newCode().slice(0, 4);
  return {
    text: words.runs.failedWithCode(name, code, facts.ownerName),
    code,
    forOwner: words.runs.failedElsewhere(name, run.place.title, code, detail),
  };
}

/** Told once, however many messages meet it. */
function newsForOwner({ access: say }: Words, { code, payer, isNews, resetsAt }: FailureFacts): string | null {
  if (!isNews || payer === undefined) return null;
  return code === "usage_limit"
    ? say.limitNews(payer, resetsAt)
    : code === "key_rejected"
      ? say.rejectedNews(payer)
      : null;
}

function knownSentence(name: string, words: Words, facts: FailureFacts): string | undefined {
  const say = words.runs;
  switch (facts.code) {
    case "usage_limit":
      if (facts.resetsAt === null) return say.usageLimit(name, facts.payer);
      if (facts.held && facts.isRoutine) return words.reports.usageLimitUntil(name, facts.resetsAt);
      return facts.held ? say.usageLimitUntil(name, facts.resetsAt) : say.usageLimitResets(name, facts.resetsAt);
    case "key_rejected":
      return say.keyRejected(name, facts.payer);
    case "model_not_found":
      return say.modelNotFound(name);
    case "overloaded":
      return say.overloaded(name);
    case "context_full":
      return say.contextFull(name);
    case "unreachable":
      return say.unreachable(name);
    case "no_account":
      return say.noAccount(name);
    case "memory_changed":
      return say.memoryChanged;
    case "connection_lost":
      return say.connectionLost(name);
    case "silent":
      return say.silent(name, say.took(facts.limits.silenceMs));
    case "deadline":
      return say.deadline(name, say.took(facts.limits.deadlineMs));
    case "other" satisfies TurnErrorKind:
    case "internal":
      return undefined;
  }
}
