import { setTimeout as sleep } from "node:timers/promises";
import { type Log, redact } from "../shared/index.ts";
import { CodexError } from "./errors.ts";
import { readFrame, threadIdOf } from "./frames.ts";
import { type Line, type LineOptions, openLine } from "./line.ts";
import type { Method, Notification, Params, Result, ServerRequest } from "./messages.ts";
import { makeRouting } from "./routing.ts";
import type { OpenTransport } from "./transport.ts";

export type ConnectionState =
  | { status: "connecting"; why: string | undefined }
  | { status: "ready"; epoch: string; server: ServerInfo }
  /** Codex does not let us in (a wrong token, a refused handshake). We keep trying, but somebody has to act. */
  | { status: "refused"; error: CodexError }
  | { status: "closed" };

export interface ServerInfo {
  /** Such as `0.171.0`; undefined when the server names none. */
  version: string | undefined;
  codexHome: string;
  platformOs: string;
}

/** What a run does with the messages of its thread. Called in the order of arrival, never while another call runs. */
export interface ThreadHandler {
  onNotification(notification: Notification): void;
  /** `params.threadId` is another thread's when a sub-agent asks that this thread started. */
  onRequest(request: ServerRequest): void;
  /** What happens in the threads of sub-agents; the diff of a file change they ask about is in here. */
  onSubagentNotification?(notification: Notification): void;
  /** The line dropped: open requests are void, the turn may go on without us. */
  onDisconnect?(): void;
  /** A new line stands. Nothing arrives for this thread before `threads.ensureLoaded` subscribed it again. */
  onReconnect?(epoch: string): void;
}

export interface Attachment extends Disposable {
  /** Ends the routing; requests of this thread that are still open are declined. */
  detach(): void;
}

export interface RequestOptions {
  /** Default 120 s. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface ConnectionCounts {
  inFlight: number;
  waiting: number;
  openServerRequests: number;
  malformed: number;
  unknown: number;
  strays: number;
  reconnects: number;
}

/** The one line to app-server that a worker holds. */
export interface CodexConnection extends AsyncDisposable {
  readonly state: ConnectionState;
  /** The current line's id, new with every connection; undefined while there is none. */
  readonly epoch: string | undefined;
  /** Threads this line is subscribed to. Forgotten at every disconnect. */
  readonly loadedThreads: Set<string>;
  /** Resolves when the handshake is done; rejects when Codex refuses us, on abort and after `timeoutMs`. */
  ready(options?: RequestOptions): Promise<ServerInfo>;
  /** Sends a request. Rejects with `CodexError`, or with the signal's reason. */
  request<M extends Method>(method: M, params: Params<M>, options?: RequestOptions): Promise<Result<M>>;
  /** Routes a thread's messages. Attach before `turn/start`: messages of a thread without a handler are dropped. */
  attach(threadId: string, handler: ThreadHandler): Attachment;
  /** Notifications that belong to no thread (account, rate limits, warnings). Returns how to stop. */
  onNotification(listener: (notification: Notification) => void): () => void;
  onState(listener: (state: ConnectionState) => void): () => void;
  counts(): ConnectionCounts;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  open: OpenTransport;
  /** Shipmate's own version, shown to Codex. */
  version: string;
  log: Log;
  /** Runs on every new line before anybody else may use it, to sign in again. Its failure is logged, not fatal. */
  onConnected?: ((request: CodexConnection["request"]) => Promise<void>) | undefined;
  reconnectMs?: number | undefined;
  requestTimeoutMs?: number | undefined;
  maxInFlight?: number | undefined;
  /** First pause before an overloaded request is tried again; it doubles each time. */
  overloadPauseMs?: number | undefined;
  random?: (() => number) | undefined;
}

/**
 * Connects to app-server and stays connected: a line that drops is opened again after `reconnectMs` (3 s), until the
 * connection is closed. Starts at once; `ready()` tells when it may be used.
 */
export function createConnection(options: ConnectionOptions): CodexConnection {
  const { log } = options;
  const closing = new AbortController();
  const loadedThreads = new Set<string>();
  const listeners = new Set<(state: ConnectionState) => void>();
  let state: ConnectionState = { status: "connecting", why: undefined };
  let line: Line | undefined;
  let malformed = 0;
  let reconnects = 0;

  const routing = makeRouting(log, (message) => line?.transport.send(JSON.stringify(message)));

  const setState = (next: ConnectionState) => {
    state = next;
    for (const listener of [...listeners]) listener(next);
  };

  const onMessage: LineOptions["onMessage"] = (current, text) => {
    const frame = readFrame(text);
    switch (frame.kind) {
      case "reply":
        current.requests.onReply(frame.id, frame.result);
        break;
      case "error":
        current.requests.onError(frame.id, frame.error);
        break;
      case "request":
        routing.request(frame.id, frame.method, frame.params, current.epoch);
        break;
      case "notification":
        if (frame.method === "thread/closed") loadedThreads.delete(threadIdOf(frame.params) ?? "");
        routing.notify(frame.method, frame.params, frame.emittedAtMs);
        break;
      case "malformed": {
        malformed += 1;
        const start = redact(text.slice(0, 2000)).slice(0, 200);
        log.warn({ why: frame.why, length: text.length, start }, "Codex sent a message we cannot read");
      }
    }
  };

  const lineOptions: LineOptions = {
    open: options.open,
    version: options.version,
    log,
    onMessage,
    settings: {
      timeoutMs: options.requestTimeoutMs ?? 120_000,
      maxInFlight: options.maxInFlight ?? 200,
      overloadPauseMs: options.overloadPauseMs ?? 100,
      random: options.random ?? Math.random,
    },
  };

  const signIn = async (current: Line) => {
    const request: CodexConnection["request"] = (method, params, sendOptions) =>
      current.requests.send(method, params, sendOptions) as Promise<never>;
    try {
      await options.onConnected?.(request);
    } catch (error) {
      log.error({ err: error }, "Signing in to Codex failed");
    }
  };

  const serve = async (current: Line) => {
    line = current;
    await signIn(current);
    setState({ status: "ready", epoch: current.epoch, server: current.server });
    if (reconnects > 0) routing.reconnected(current.epoch);
    const reason = await current.ended;
    line = undefined;
    loadedThreads.clear();
    reconnects += 1;
    routing.disconnected();
    if (closing.signal.aborted) return;
    log.warn({ reason }, "The connection to Codex was lost");
    setState({ status: "connecting", why: reason });
  };

  const stayConnected = async () => {
    while (!closing.signal.aborted) {
      try {
        await serve(await openLine(lineOptions, closing.signal));
      } catch (error) {
        if (closing.signal.aborted) break;
        const failure =
          error instanceof CodexError ? error : new CodexError("unavailable", String(error), { cause: error });
        log.warn({ err: failure }, "Codex could not be reached");
        setState(
          failure.kind === "refused"
            ? { status: "refused", error: failure }
            : { status: "connecting", why: failure.message },
        );
      }
      await pause(options.reconnectMs ?? 3000, closing.signal);
    }
  };
  const running = stayConnected();

  const close = async () => {
    closing.abort();
    await line?.transport.close();
    await running;
    setState({ status: "closed" });
  };

  return {
    get state() {
      return state;
    },
    get epoch() {
      return state.status === "ready" ? state.epoch : undefined;
    },
    loadedThreads,
    ready: (readyOptions) => untilReady(() => state, listeners, readyOptions),
    request: (method, params, sendOptions) => {
      if (line === undefined || state.status !== "ready") {
        return Promise.reject(new CodexError("unavailable", "There is no connection to Codex now.", { method }));
      }
      return line.requests.send(method, params, sendOptions) as Promise<never>;
    },
    attach: routing.attach,
    onNotification: routing.onNotification,
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    counts: () => ({
      ...(line?.requests.counts() ?? { inFlight: 0, waiting: 0 }),
      ...routing.counts(),
      malformed,
      reconnects,
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // Rejects only when the connection is being closed, which the caller's loop sees for itself.
  await sleep(ms, undefined, { signal }).catch(() => {});
}

function untilReady(
  current: () => ConnectionState,
  listeners: Set<(state: ConnectionState) => void>,
  { timeoutMs, signal }: RequestOptions = {},
): Promise<ServerInfo> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      listeners.delete(check);
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const check = (state: ConnectionState) => {
      if (state.status === "ready") finish(() => resolve(state.server));
      if (state.status === "refused") finish(() => reject(state.error));
      if (state.status === "closed") finish(() => reject(new CodexError("unavailable", "The connection was closed.")));
    };
    const onAbort = () => finish(() => reject(signal?.reason));
    const late = () => {
      const state = current();
      const why = state.status === "connecting" && state.why !== undefined ? ` ${state.why}` : "";
      finish(() => reject(new CodexError("timeout", `Codex was not reached within ${timeoutMs} ms.${why}`)));
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    listeners.add(check);
    check(current());
  });
}
