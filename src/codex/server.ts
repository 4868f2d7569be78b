import type { Log } from "../shared/index.ts";
import type { Endpoint } from "./websocket.ts";

export type ServerState =
  | { status: "stopped" }
  | { status: "starting" }
  | { status: "ready"; url: string; pid: number }
  | { status: "restarting"; sentence: string; retryMs: number }
  /** It keeps dying; we keep trying every minute, but somebody should look. */
  | { status: "failed"; sentence: string; retryMs: number };

export type ConfigValue = string | number | boolean | readonly ConfigValue[] | { readonly [key: string]: ConfigValue };

export interface CodexServerOptions {
  /** SHIPMATE_HOME. Codex keeps its own things in `codex/` below it. */
  home: string;
  log: Log;
  /** The namespaces of our own tools: on every model they become direct tools, without the 30 s of a script cell. */
  toolNamespaces: readonly string[];
  /** A key, and optionally another endpoint that speaks the Responses API over HTTP and SSE. */
  openai?: { apiKey: string | undefined; baseUrl: string | undefined } | undefined;
  /** A file that replaces Codex's list of models. */
  modelCatalog?: string | undefined;
  /** More Codex settings, by their dotted key. They win over ours. */
  config?: Readonly<Record<string, ConfigValue>> | undefined;
  /** Where the allowed variables are taken from; default: this process. */
  environment?: NodeJS.ProcessEnv | undefined;
  /** Another Codex program than the one npm installed. */
  binary?: string | undefined;
}

export interface CodexServer extends AsyncDisposable {
  readonly state: ServerState;
  /** Resolves when it listens; rejects with `CodexError` (`unavailable`) saying what to do when it cannot. */
  start(): Promise<void>;
  /** Where it listens now; waits while it restarts. For `webSocketTransport`. */
  endpoint(signal?: AbortSignal): Promise<Endpoint>;
  onState(listener: (state: ServerState) => void): () => void;
  /** Ends it and everything it started. Takes a few seconds at most, also in the middle of a turn. */
  stop(): Promise<void>;
}
