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

type Fault =
  | { readonly kind: "reject"; readonly failure: ApiFailure }
  | { readonly kind: "lose" }
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "hold"; readonly released: Promise<void> };

interface Rule {
  readonly method: string;
  readonly fault: Fault;
  remaining: number;
}

/** Holds the faults that were set; `take` says what happens to the next call of a method. */
export function createFaults(port: { open(): Promise<void>; close(): Promise<void> }) {
  let rules: Rule[] = [];
  let unauthorized = false;
  const add = (method: string, fault: Fault, times = 1) => {
    const rule = { method: method.toLowerCase(), fault, remaining: times };
    rules.push(rule);
    return rule;
  };
  const api: Faults = {
    rateLimit: (method, { retryAfter = 1, times } = {}) => {
      const text = `Too Many Requests: retry after ${retryAfter}`;
      add(method, { kind: "reject", failure: new ApiFailure(429, text, { retry_after: retryAfter }) }, times);
    },
    serverError: (method, { status = 500, times } = {}) => {
      add(method, { kind: "reject", failure: new ApiFailure(status, "Internal Server Error") }, times);
    },
    loseResponseAfterEffect: (method, { times } = {}) => {
      add(method, { kind: "lose" }, times);
    },
    slow: (method, { ms, times }) => {
      add(method, { kind: "slow", ms }, times);
    },
    hold: (method) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const rule = add(method, { kind: "hold", released: promise }, Number.POSITIVE_INFINITY);
      return () => {
        rules = rules.filter((other) => other !== rule);
        resolve();
      };
    },
    reject: (method, code, description, { times } = {}) => {
      add(method, { kind: "reject", failure: new ApiFailure(code, description) }, times);
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
      rules = [];
      unauthorized = false;
    },
  };
  const take = (method: string): Fault | undefined => {
    if (unauthorized) return { kind: "reject", failure: new ApiFailure(401, "Unauthorized") };
    const rule = rules.find((one) => one.remaining > 0 && (one.method === "*" || one.method === method.toLowerCase()));
    if (!rule) return undefined;
    rule.remaining -= 1;
    rules = rules.filter((one) => one.remaining > 0);
    return rule.fault;
  };
  return { api, take };
}
