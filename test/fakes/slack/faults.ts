import { type CallFault, createCallRules, methodIs } from "../call-faults.ts";
import { ApiFailure } from "./failure.ts";

/** What may go wrong; `method` is a name or `*` for every method, `times` is how often (default once). */
export interface Faults {
  /** 429 with Retry-After, in seconds; nothing happens. */
  rateLimit(method: string, options?: { retryAfter?: number; times?: number }): void;
  /** 500 (or another 5xx); nothing happens. */
  serverError(method: string, options?: { status?: number; times?: number }): void;
  /** The call has its effect, then the connection breaks without a response. */
  loseResponseAfterEffect(method: string, options?: { times?: number }): void;
  /** The call has its effect; the response takes this long. */
  slow(method: string, options: { ms: number; times?: number }): void;
  /** Calls wait, before any effect, until the returned function is called. */
  hold(method: string): () => void;
  /** `{"ok":false,"error":…}`, with what stands beside it. */
  reject(method: string, error: string, options?: { times?: number; fields?: Record<string, unknown> }): void;
  /** Every call is refused, `invalid_auth` by default, until `authorize`. */
  invalidAuth(error?: "invalid_auth" | "token_revoked" | "account_inactive" | "token_expired"): void;
  authorize(): void;
  /** A scope is no longer granted; the returned function grants it again. */
  missingScope(scope: string): () => void;
  /** The port is closed until `acceptConnections`; open connections and sockets break. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;

  /** Asks the sockets to go (`refresh_requested`), each some milliseconds after a warning when `warnMs` is given, and closes them `graceMs` later. */
  refresh(options?: { socket?: number; warnMs?: number; graceMs?: number }): void;
  /** The sockets break without a word. */
  dropSockets(): void;
  /** The sockets break and no new one gets through until the returned function is called: events meet nobody. */
  pauseSockets(): () => void;
  /** The open sockets become ghosts: no pings, no pongs, no events on them, though Slack believes they are heard. */
  silence(): void;
  /** The events about a message are sent once more with the same ids; without one, every event from now on comes twice, `times` times. */
  duplicate(message?: { channel: string; ts: string }, options?: { times?: number }): void;
  /** The next events wait until there are `count`, and are sent last first. */
  outOfOrder(count?: number): void;
  /** Every running stream is ended by Slack. */
  streamTimeout(): void;
  /** Slack sends no more events (too many failed), until the returned function is called. */
  disableEvents(): () => void;
  /** Forgets every fault that was set. */
  clear(): void;
}

type CallFaults = Pick<
  Faults,
  | "rateLimit"
  | "serverError"
  | "loseResponseAfterEffect"
  | "slow"
  | "hold"
  | "reject"
  | "invalidAuth"
  | "authorize"
  | "clear"
>;

/** Holds the faults of calls that were set; `take` says what happens to the next call of a method. */
export function createCallFaults() {
  const rules = createCallRules<ApiFailure>();
  let refused: string | undefined;
  const api: CallFaults = {
    rateLimit: (method, { retryAfter = 1, times } = {}) => {
      const headers = { "retry-after": String(retryAfter) };
      rules.add(
        methodIs(method),
        { kind: "reject", failure: new ApiFailure("ratelimited", { status: 429, headers }) },
        times,
      );
    },
    serverError: (method, { status = 500, times } = {}) => {
      rules.add(methodIs(method), { kind: "reject", failure: new ApiFailure("internal_error", { status }) }, times);
    },
    loseResponseAfterEffect: (method, { times } = {}) => {
      rules.add(methodIs(method), { kind: "lose" }, times);
    },
    slow: (method, { ms, times }) => {
      rules.add(methodIs(method), { kind: "slow", ms }, times);
    },
    hold: (method) => rules.hold(methodIs(method)),
    reject: (method, error, { times, fields } = {}) => {
      rules.add(
        methodIs(method),
        { kind: "reject", failure: new ApiFailure(error, fields === undefined ? {} : { fields }) },
        times,
      );
    },
    invalidAuth: (error = "invalid_auth") => {
      refused = error;
    },
    authorize: () => {
      refused = undefined;
    },
    clear: () => {
      rules.clear();
      refused = undefined;
    },
  };
  const take = (method: string): CallFault<ApiFailure> | undefined =>
    refused === undefined ? rules.take(method) : { kind: "reject", failure: new ApiFailure(refused) };
  return { api, take };
}
