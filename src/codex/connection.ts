import type { Log } from "../shared/index.ts";
import type { CodexError } from "./errors.ts";
import type { Method, Notification, Params, Result, ServerRequest } from "./messages.ts";
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
  onRequest(request: ServerRequest): void;
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
