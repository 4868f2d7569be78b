import { type CallFault, createCallRules } from "../call-faults.ts";
import { ApiFailure, rateLimited, unauthorized } from "./failure.ts";

interface Times {
  /** How often; once by default. */
  readonly times?: number | undefined;
  /** Only calls with this id in their path. */
  readonly only?: string | undefined;
}

/** What may go wrong. A `route` is as in `calls` (`POST /channels/:channel/messages`), or `*` for every one. */
export interface Faults {
  /** 429 with `retry_after`, in seconds; nothing happens. */
  rateLimit(route: string, options?: Times & { readonly retryAfter?: number; readonly global?: boolean }): void;
  /** 500 (or another 5xx); nothing happens. */
  serverError(route: string, options?: Times & { readonly status?: number }): void;
  /** The call has its effect, then the connection breaks without a response. */
  loseResponseAfterEffect(route: string, options?: Times): void;
  /** The call has its effect; the response takes this long. */
  slow(route: string, ms: number, options?: Times): void;
  /** Calls wait, before any effect, until the returned function is called. */
  hold(route: string, options?: Pick<Times, "only">): () => void;
  /** A refusal such as `reject("POST /channels/:channel/messages", 403, 50001, "Missing Access")`. */
  reject(route: string, status: number, code: number, message: string, options?: Times): void;
  /** Every call is 401 and every IDENTIFY closes with 4004, until `authorize`. */
  unauthorize(): void;
  authorize(): void;
  /** The port is closed until `acceptConnections`; open connections break. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;

  /** Closes open gateway connections with a code, such as 1001 or 4000; sessions stay and can be resumed where the code allows it. */
  closeGateway(code: number, reason?: string): void;
  /** The next IDENTIFYs (or RESUMEs) close with a code, such as 4014. */
  refuseIdentify(code: number, options?: { readonly times?: number }): void;
  /** Cuts the sockets without a close frame. */
  dropGateway(): void;
  /** Op 9 on open connections; not resumable also forgets their sessions. */
  invalidSession(resumable: boolean): void;
  /** Op 7: please reconnect. */
  requestReconnect(): void;
  /** Sockets stay open but nothing comes any more, not even heartbeat acks or HELLO, until the returned function is called. */
  silence(): () => void;
  /** Cuts the sockets, forgets the sessions and lets nobody in until `resumeGateway`: what is said meanwhile is in the history only. */
  pauseGateway(): void;
  resumeGateway(): void;
  /** The next events of a kind (such as MESSAGE_CREATE) come twice. */
  duplicate(event: string, options?: { readonly times?: number }): void;
  /** The next event of a kind comes after the one that follows it. */
  outOfOrder(event: string): void;
  /** The next try to make a thread from this message finds that another bot was faster: 160004. */
  threadRace(messageId: string): void;
  /** Forgets every fault that was set. */
  clear(): void;
}

type CallFaultNames =
  | "rateLimit"
  | "serverError"
  | "loseResponseAfterEffect"
  | "slow"
  | "hold"
  | "reject"
  | "unauthorize"
  | "authorize";

export interface CallFaults {
  readonly api: Pick<Faults, CallFaultNames>;
  readonly unauthorized: boolean;
  /** What happens to this call. */
  take(route: string, path: string): CallFault<ApiFailure> | undefined;
  clear(): void;
}

/** Faults of REST calls that were set. */
export function createCallFaults(): CallFaults {
  const rules = createCallRules<ApiFailure, { readonly route: string; readonly path: string }>();
  let signedOut = false;
  const fits =
    (wanted: string, only: string | undefined): Parameters<typeof rules.hold>[0] =>
    ({ route, path }) =>
      (wanted === "*" || wanted === route) && (only === undefined || path.split("/").includes(only));
  const add = (route: string, fault: CallFault<ApiFailure>, { times, only }: Times = {}) =>
    rules.add(fits(route, only), fault, times);
  return {
    api: {
      rateLimit: (route, { retryAfter = 1, global = false, ...times } = {}) => {
        add(route, { kind: "reject", failure: rateLimited(retryAfter, global) }, times);
      },
      serverError: (route, { status = 500, ...times } = {}) => {
        add(route, { kind: "reject", failure: new ApiFailure(status, 0, `${status}: Internal Server Error`) }, times);
      },
      loseResponseAfterEffect: (route, times) => add(route, { kind: "lose" }, times),
      slow: (route, ms, times) => add(route, { kind: "slow", ms }, times),
      hold: (route, { only } = {}) => rules.hold(fits(route, only)),
      reject: (route, status, code, message, times) => {
        add(route, { kind: "reject", failure: new ApiFailure(status, code, message) }, times);
      },
      unauthorize: () => {
        signedOut = true;
      },
      authorize: () => {
        signedOut = false;
      },
    },
    get unauthorized() {
      return signedOut;
    },
    take: (route, path) => (signedOut ? { kind: "reject", failure: unauthorized() } : rules.take({ route, path })),
    clear: () => {
      rules.clear();
      signedOut = false;
    },
  };
}
