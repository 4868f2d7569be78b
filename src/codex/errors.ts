import type { TurnError } from "./protocol/types.ts";

/**
 * What went wrong between us and Codex.
 * - `timeout`: no reply in time; the request may still have had its effect
 * - `disconnected`: the connection ended before the reply; the same uncertainty
 * - `overloaded`: Codex kept saying it is overloaded; nothing happened
 * - `thread_missing`: Codex does not know this thread, or does not have it loaded
 * - `refused`: Codex read the request and said no (`code` and `data` are Codex's own)
 * - `unavailable`: there is no Codex to talk to, or it cannot serve this now
 */
export type CodexErrorKind = "timeout" | "disconnected" | "overloaded" | "thread_missing" | "refused" | "unavailable";

/** The only error this room throws. The message is for the log; people read the words of src/words. */
export class CodexError extends Error {
  override readonly name = "CodexError";
  readonly kind: CodexErrorKind;
  readonly method: string | undefined;
  readonly code: number | undefined;
  readonly data: unknown;

  constructor(kind: CodexErrorKind, message: string, details: CodexErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.method = details.method;
    this.code = details.code;
    this.data = details.data;
  }
}

/** Why a request of Codex needs no answer any more, though its turn goes on: somebody else gave one. */
export class AnsweredElsewhere extends Error {
  override readonly name = "AnsweredElsewhere";
}

export interface CodexErrorDetails {
  method?: string | undefined;
  code?: number | undefined;
  data?: unknown;
  cause?: unknown;
}

/** Why a turn failed, in the words that decide what we tell people and whether trying again helps. */
export type TurnErrorKind =
  | "usage_limit"
  | "key_rejected"
  | "model_not_found"
  | "overloaded"
  | "context_full"
  | "unreachable"
  | "other";

/** Sorts the error of a failed turn. Codex reports a rejected key as a failed connection with status 401 or 403. */
export function classifyTurnError(error: Pick<TurnError, "message" | "codexErrorInfo"> | null): TurnErrorKind {
  if (error === null) return "other";
  const info = error.codexErrorInfo;
  if (typeof info === "string") return classifyName(info, error.message);
  if (info === null) return classifyMessage(error.message);
  const status = httpStatus(info);
  if (status === 401 || status === 403) return "key_rejected";
  if (status === 429 || status === 503) return "overloaded";
  if (status === 404) return "model_not_found";
  return isConnectionError(info) ? "unreachable" : classifyMessage(error.message);
}

function classifyName(info: string, message: string): TurnErrorKind {
  switch (info) {
    case "usageLimitExceeded":
    case "sessionBudgetExceeded":
      return "usage_limit";
    case "unauthorized":
      return "key_rejected";
    case "modelNotFound":
      return "model_not_found";
    case "serverOverloaded":
    case "rateLimitExceeded":
    case "flexUnavailable":
    case "policyCapacityUnavailable":
    case "internalServerError":
      return "overloaded";
    case "contextWindowExceeded":
      return "context_full";
    default:
      return classifyMessage(message);
  }
}

/** The errors Codex files under "other" are told apart by the start of their text. */
function classifyMessage(message: string): TurnErrorKind {
  if (/^stream disconnected before completion|^connection failed|error sending request/i.test(message)) {
    return "unreachable";
  }
  if (/^Missing environment variable/.test(message)) return "key_rejected";
  return "other";
}

const connectionErrors = [
  "httpConnectionFailed",
  "responseStreamConnectionFailed",
  "responseStreamDisconnected",
  "responseTooManyFailedAttempts",
];

function isConnectionError(info: object): boolean {
  return connectionErrors.some((name) => name in info);
}

function httpStatus(info: object): number | undefined {
  for (const value of Object.values(info)) {
    if (typeof value !== "object" || value === null || !("httpStatusCode" in value)) continue;
    if (typeof value.httpStatusCode === "number") return value.httpStatusCode;
  }
  return undefined;
}
