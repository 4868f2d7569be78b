import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, type Log, newId, newToken, registerSecret, systemClock } from "../shared/index.ts";
import { type CodexBinary, findCodexBinary } from "./binary.ts";
import { CodexError } from "./errors.ts";
import { describeLaunch, type LaunchOptions, launchMark } from "./launch.ts";
import { protocolVersion } from "./protocol/version.ts";
import { reapMarked, reapPredecessor, removeRecord, writeRecord } from "./reaper.ts";
import { type RunningServer, startServer } from "./running.ts";
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
  /** Another endpoint that speaks the Responses API over HTTP and SSE, and its key. A key alone changes nothing here: it comes with the threads it pays for. */
  openai?: { apiKey: string | undefined; baseUrl: string | undefined } | undefined;
  /** A file that replaces Codex's list of models. */
  modelCatalog?: string | undefined;
  /** More Codex settings, by their dotted key. They win over ours. */
  config?: Readonly<Record<string, ConfigValue>> | undefined;
  /** Where the allowed variables are taken from; default: this process. */
  environment?: NodeJS.ProcessEnv | undefined;
  /** Another Codex program than the one npm installed. */
  binary?: string | undefined;
  /** First pause before a dead server is started again (500 ms); it doubles up to a minute. */
  restartMs?: number | undefined;
  clock?: Clock | undefined;
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

const readyMs = 30_000;
const failuresUntilFailed = 5;
const longestPauseMs = 60_000;
/** A server that lived this long counts as a good start, whatever it dies of. */
const goodLifeMs = 60_000;

/** One app-server process for everybody on this machine, started again when it dies. */
export function createCodexServer(options: CodexServerOptions): CodexServer {
  const { log } = options;
  const now = () => (options.clock ?? systemClock).now().getTime();
  const codexHome = join(options.home, "codex");
  const recordPath = join(codexHome, "app-server.json");
  const tokenPath = join(codexHome, "app-server.token");
  const listeners = new Set<(state: ServerState) => void>();
  let state: ServerState = { status: "stopped" };
  let stopping = new AbortController();
  let token = "";
  let running: RunningServer | undefined;
  let supervision = Promise.resolve();

  const setState = (next: ServerState) => {
    state = next;
    for (const listener of [...listeners]) listener(next);
  };

  const launch = async (): Promise<RunningServer> => {
    const binary = findCodexBinary(options.binary);
    warnOfVersion(binary, log);
    token = writeToken(tokenPath);
    const launchId = newId();
    const listen = ["--listen", "ws://127.0.0.1:0", "--ws-auth", "capability-token", "--ws-token-file", tokenPath];
    const started = await startServer(
      describeLaunch(launchOptions(options, codexHome, binary.path, launchId), listen),
      {
        readyMs,
        mark: launchMark(codexHome, launchId),
        onStarted: (pid) => writeRecord(recordPath, pid),
        onFailed: () => removeRecord(recordPath),
        onLine: (line) => log.debug({ line }, "codex"),
        signal: stopping.signal,
      },
    );
    running = started;
    setState({ status: "ready", url: started.url, pid: started.pid });
    return started;
  };

  const supervise = async (first: RunningServer) => {
    let current: RunningServer | undefined = first;
    let since = now();
    let failures = 0;
    while (!stopping.signal.aborted) {
      let why = "Codex could not be started.";
      if (current !== undefined) {
        why = `Codex ended unexpectedly (${await current.ended}).`;
        if (stopping.signal.aborted) return;
        running = undefined;
        await reapMarked(codexHome);
        if (now() - since > goodLifeMs) failures = 0;
      }
      failures += 1;
      const retryMs = Math.min((options.restartMs ?? 500) * 2 ** (failures - 1), longestPauseMs);
      const status = failures > failuresUntilFailed ? "failed" : "restarting";
      log.error({ why, failures, retryMs }, "app-server is down");
      setState({ status, sentence: why, retryMs });
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      since = now();
      current = await launch().catch((error: unknown) => {
        log.error({ err: error }, "app-server could not be started");
        return undefined;
      });
    }
  };

  const start = async () => {
    if (state.status !== "stopped") throw new Error("The app-server was already started.");
    stopping = new AbortController();
    setState({ status: "starting" });
    try {
      mkdirSync(codexHome, { recursive: true, mode: 0o700 });
      await clearTheWay(recordPath, codexHome, log);
      supervision = supervise(await launch());
    } catch (error) {
      rmSync(tokenPath, { force: true });
      setState({ status: "stopped" });
      throw error;
    }
  };

  const stop = async () => {
    stopping.abort();
    await running?.stop();
    running = undefined;
    await supervision;
    await reapMarked(codexHome);
    removeRecord(recordPath);
    rmSync(tokenPath, { force: true });
    setState({ status: "stopped" });
  };

  const endpoint = (signal?: AbortSignal): Promise<Endpoint> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        listeners.delete(check);
        signal?.removeEventListener("abort", onAbort);
        settle();
      };
      const check = (now: ServerState) => {
        if (now.status === "ready") finish(() => resolve({ url: now.url, token }));
        if (now.status === "failed") finish(() => reject(new CodexError("unavailable", now.sentence)));
        if (now.status === "stopped") finish(() => reject(new CodexError("unavailable", "The app-server is stopped.")));
      };
      const onAbort = () => finish(() => reject(signal?.reason));
      signal?.addEventListener("abort", onAbort, { once: true });
      listeners.add(check);
      check(state);
    });

  return {
    get state() {
      return state;
    },
    start,
    endpoint,
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function launchOptions(
  options: CodexServerOptions,
  codexHome: string,
  binary: string,
  launchId: string,
): LaunchOptions {
  return {
    binary,
    codexHome,
    launchId,
    toolNamespaces: options.toolNamespaces,
    openai: options.openai,
    modelCatalog: options.modelCatalog,
    config: options.config ?? {},
    environment: options.environment ?? process.env,
  };
}

function warnOfVersion({ version }: CodexBinary, log: Log): void {
  if (version === undefined || version === protocolVersion) return;
  log.warn(
    { version, expected: protocolVersion },
    `Codex ${version} is installed, and Shipmate was made for ${protocolVersion}. Run "npm ci" to get that version.`,
  );
}

/** A new token for every start: an old one that leaked opens nothing. */
function writeToken(path: string): string {
  const token = newToken();
  registerSecret(token);
  rmSync(path, { force: true });
  writeFileSync(path, token, { mode: 0o600 });
  return token;
}

async function clearTheWay(recordPath: string, codexHome: string, log: Log): Promise<void> {
  const predecessor = await reapPredecessor(recordPath, codexHome);
  switch (predecessor.status) {
    case "none":
      return;
    case "reaped":
      log.warn({ count: predecessor.count }, "Ended what an earlier Shipmate left running in this folder");
      return;
    case "alive":
      throw new CodexError(
        "unavailable",
        `Another Shipmate (process ${predecessor.ownerPid}) runs Codex in ${codexHome}. Stop it, or set another SHIPMATE_HOME.`,
      );
  }
}
