import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import {
  type CodexConnection,
  type CodexServer,
  type CodexServerOptions,
  type CodexThreads,
  type ConfigValue,
  createCodexServer,
  createConnection,
  createThreads,
  findCodexBinary,
  type NewThreadSettings,
  type Notification,
  type OpenTransport,
  type ServerRequest,
  type ThreadHandler,
  webSocketTransport,
} from "../../src/codex/index.ts";
import { describeLaunch } from "../../src/codex/launch.ts";
import { stdioTransport } from "../../src/codex/stdio.ts";
import { silentLog } from "../../src/shared/index.ts";
import { type FakeModel, fakeModelConfig, startFakeModel } from "../fakes/model/index.ts";

export type TransportName = "ws" | "stdio";

/** A real Codex on a scripted model, reached over one of the two transports. */
export interface Scene extends AsyncDisposable {
  readonly home: string;
  readonly model: FakeModel;
  readonly connection: CodexConnection;
  readonly threads: CodexThreads;
  /** Settings of a thread in a fresh workspace. */
  settings(changes?: Partial<NewThreadSettings>): NewThreadSettings;
  /** Ends the line and not the server, where the two are not one. */
  cutLine(): Promise<void>;
  /** Ends the app-server and waits until a new one is connected. */
  restart(): Promise<void>;
}

export async function openScene(
  transport: TransportName,
  config: Readonly<Record<string, ConfigValue>> = {},
  changes: Partial<CodexServerOptions> = {},
): Promise<Scene> {
  await using resources = new AsyncDisposableStack();
  const home = newHome();
  resources.defer(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const model = resources.use(await startFakeModel());
  const opened =
    transport === "ws"
      ? await overWebSocket(startableServer(home, model, { ...changes, config }), resources)
      : overStdio(home, model, config);
  let closeLine: (() => Promise<void>) | undefined;
  const open: OpenTransport = async (events, signal) => {
    const transport = await opened.open(events, signal);
    closeLine = transport.close;
    return transport;
  };
  const connection = resources.use(createConnection({ open, version: "0.1.0", log: silentLog, reconnectMs: 20 }));
  await connection.ready();
  const kept = resources.move();
  let workspaces = 0;
  return {
    home,
    model,
    connection,
    threads: createThreads(connection),
    settings: (changes) => {
      workspaces += 1;
      const cwd = join(home, `workspace-${workspaces}`);
      mkdirSync(cwd, { recursive: true });
      return { cwd, sandbox: "danger-full-access", approvalPolicy: "never", ...changes };
    },
    cutLine: async () => closeLine?.(),
    restart: async () => {
      const { epoch } = connection;
      await (opened.kill ?? closeLine)?.();
      await vi.waitFor(() => {
        if (connection.epoch === undefined || connection.epoch === epoch) throw new Error("not connected again");
      }, 20_000);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Opened {
  open: OpenTransport;
  /** Missing where the server lives and dies with the line. */
  kill?(): Promise<void>;
}

async function overWebSocket(server: CodexServer, resources: AsyncDisposableStack): Promise<Opened> {
  resources.use(server);
  await server.start();
  return {
    open: webSocketTransport((signal) => server.endpoint(signal)),
    kill: async () => {
      if (server.state.status === "ready") process.kill(server.state.pid, "SIGKILL");
    },
  };
}

/** A server on the scripted model, not yet started. */
export function startableServer(
  home: string,
  model: { url: string },
  changes: Partial<CodexServerOptions> = {},
): CodexServer {
  const fake = fakeModelConfig(model, home);
  return createCodexServer({
    home,
    log: silentLog,
    toolNamespaces: ["shipmate"],
    restartMs: 20,
    ...fake,
    ...changes,
    config: { ...fake.config, ...changes.config },
  });
}

function overStdio(home: string, model: FakeModel, config: Readonly<Record<string, ConfigValue>>): Opened {
  const { openai, modelCatalog, config: fakeConfig } = fakeModelConfig(model, home);
  const codexHome = join(home, "codex");
  mkdirSync(codexHome, { recursive: true });
  const launch = describeLaunch({
    binary: findCodexBinary().path,
    codexHome,
    launchId: "stdio",
    toolNamespaces: ["shipmate"],
    openai,
    modelCatalog,
    config: { ...fakeConfig, ...config },
    environment: process.env,
  });
  return { open: stdioTransport(launch) };
}

/** A folder of its own outside the temporary directory, where Codex refuses to put its own helper programs. */
export function newHome(): string {
  const parent = process.platform === "win32" ? tmpdir() : "/var/tmp";
  return mkdtempSync(join(parent, "shipmate-codex-"));
}

/** A handler that keeps everything and lets a test wait for it. */
export interface Recorder extends ThreadHandler {
  readonly notifications: Notification[];
  readonly requests: ServerRequest[];
  readonly disconnects: number;
  readonly reconnects: readonly string[];
  /** The next turn's end that was not waited for yet. */
  turnEnd(): Promise<Extract<Notification, { method: "turn/completed" }>["params"]["turn"]>;
  /** The request with this number, counted from 0. */
  request(index?: number): Promise<ServerRequest>;
}

export function makeRecorder(onRequest?: (request: ServerRequest) => void): Recorder {
  const notifications: Notification[] = [];
  const requests: ServerRequest[] = [];
  const reconnects: string[] = [];
  let disconnects = 0;
  let ends = 0;
  return {
    notifications,
    requests,
    reconnects,
    get disconnects() {
      return disconnects;
    },
    onNotification: (notification) => void notifications.push(notification),
    onRequest: (request) => {
      requests.push(request);
      onRequest?.(request);
    },
    onDisconnect: () => {
      disconnects += 1;
    },
    onReconnect: (epoch) => void reconnects.push(epoch),
    turnEnd: async () => {
      const index = ends;
      ends += 1;
      return vi.waitFor(() => present(completions(notifications)[index], "the end of a turn"), 20_000);
    },
    request: (index = 0) => vi.waitFor(() => present(requests[index], `request ${index}`), 20_000),
  };
}

function completions(notifications: readonly Notification[]) {
  return notifications.flatMap((one) => (one.method === "turn/completed" ? [one.params.turn] : []));
}

export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Still waiting for ${what}.`);
  return value;
}

/** A request of one method, with its own parameters; fails when it is another one. */
export function as<M extends ServerRequest["method"]>(request: ServerRequest, method: M) {
  if (request.method !== method) throw new Error(`Expected ${method}, got ${request.method}.`);
  return request as Extract<ServerRequest, { method: M }>;
}
