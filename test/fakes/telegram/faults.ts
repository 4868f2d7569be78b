import { type CallFault, createCallRules, methodIs } from "../call-faults.ts";
import { ApiFailure } from "./failure.ts";

/** What may go wrong with a call; `method` is a name or `*` for every method, `times` is how often (default once). */
export interface Faults {
  /** 429 with `retry_after`, in seconds; nothing happens. */
  rateLimit(method: string, options?: { retryAfter?: number; times?: number }): void;
  /** 500 (or another 5xx); nothing happens. */
  serverError(method: string, options?: { status?: number; times?: number }): void;
  /** The call has its effect, then the connection breaks without a response. */
  loseResponseAfterEffect(method: string, options?: { times?: number }): void;
  /** The call has its effect; the response takes this long. */
  slow(method: string, options: { ms: number; times?: number }): void;
  /** Calls wait, before any effect, until the returned function is called. */
  hold(method: string): () => void;
  /** A refusal in Telegram's words, such as `reject("sendMessage", 400, "Bad Request: can't parse entities: …")`. */
  reject(method: string, code: number, description: string, options?: { times?: number }): void;
  /** Every call is 401 until `authorize`. */
  unauthorize(): void;
  authorize(): void;
  /** The port is closed until `acceptConnections`; open connections break. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Forgets every fault that was set. */
  clear(): void;
}

/** Holds the faults that were set; `take` says what happens to the next call of a method. */
export function createFaults(port: { open(): Promise<void>; close(): Promise<void> }) {
  const rules = createCallRules<ApiFailure>();
  let unauthorized = false;
  const api: Faults = {
    rateLimit: (method, { retryAfter = 1, times } = {}) => {
      const text = `Too Many Requests: retry after ${retryAfter}`;
      rules.add(
        methodIs(method),
        { kind: "reject", failure: new ApiFailure(429, text, { retry_after: retryAfter }) },
        times,
      );
    },
    serverError: (method, { status = 500, times } = {}) => {
      rules.add(methodIs(method), { kind: "reject", failure: new ApiFailure(status, "Internal Server Error") }, times);
    },
    loseResponseAfterEffect: (method, { times } = {}) => {
      rules.add(methodIs(method), { kind: "lose" }, times);
    },
    slow: (method, { ms, times }) => {
      rules.add(methodIs(method), { kind: "slow", ms }, times);
    },
    hold: (method) => rules.hold(methodIs(method)),
    reject: (method, code, description, { times } = {}) => {
      rules.add(methodIs(method), { kind: "reject", failure: new ApiFailure(code, description) }, times);
    },
    unauthorize: () => {
      unauthorized = true;
    },
    authorize: () => {
      unauthorized = false;
    },
    refuseConnections: () => port.close(),
    acceptConnections: () => port.open(),
    clear: () => {
      rules.clear();
      unauthorized = false;
    },
  };
  const take = (method: string): CallFault<ApiFailure> | undefined =>
    unauthorized ? { kind: "reject", failure: new ApiFailure(401, "Unauthorized") } : rules.take(method);
  return { api, take };
}
