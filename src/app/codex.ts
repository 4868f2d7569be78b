import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AccessSettings } from "../access/index.ts";
import {
  type CodexConnection,
  CodexError,
  type CodexServerOptions,
  type CodexThreads,
  createCodexServer,
  createConnection,
  createThreads,
  webSocketTransport,
} from "../codex/index.ts";
import type { Config } from "../config.ts";
import { type Log, newId, StartError } from "../shared/index.ts";
import { toolNamespace } from "../tools/index.ts";
import { wordsFor } from "../words/index.ts";

/** Codex as this process reaches it. */
export interface Codex {
  readonly connection: CodexConnection;
  readonly threads: CodexThreads;
  /** True for an app-server on another machine, which goes on without us. */
  readonly remote: boolean;
  /** Whether it can be asked now, and what is wrong when it cannot. */
  health(): { readonly ready: boolean; readonly detail: string };
  /** Resolves when it answers; rejects with a sentence that says what to do. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface CodexOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  readonly extra?: Pick<CodexServerOptions, "modelCatalog" | "config"> | undefined;
}

/** What the settings say about who pays. A remote Codex has its own, and no use for ours. */
export function accessSettings({
  openai,
  remoteCodex,
  model,
}: Pick<Config, "openai" | "remoteCodex" | "model">): AccessSettings {
  const remote = remoteCodex !== undefined;
  return { endpoint: remote ? undefined : openai.baseUrl, apiKey: remote ? undefined : openai.apiKey, remote, model };
}

/** Our own app-server, started and supervised here, or a remote one by CODEX_URL. */
export function createCodex(options: CodexOptions): Codex {
  return options.config.remoteCodex ? remoteCodex(options, options.config.remoteCodex) : ownCodex(options);
}

function ownCodex({ config, log, version, extra }: CodexOptions): Codex {
  const server = createCodexServer({
    home: config.home,
    log,
    toolNamespaces: [toolNamespace],
    openai: config.openai,
    ...extra,
  });
  // Started before the connection is made: the connection dials at once, and a server that starts makes it wait.
  const starting = server.start();
  starting.catch(() => {}); // `ready` reports it; until somebody asks it must not count as unhandled.
  const connection = createConnection({ open: webSocketTransport(server.endpoint), version, log });
  return {
    connection,
    threads: createThreads(connection),
    remote: false,
    health() {
      const { state } = server;
      if (state.status === "restarting" || state.status === "failed") return { ready: false, detail: state.sentence };
      return connectionHealth(connection);
    },
    async ready() {
      await starting;
      await connection.ready();
    },
    async close() {
      await connection.close();
      await server.stop();
    },
  };
}

function remoteCodex({ config, log, version }: CodexOptions, endpoint: { url: string; token: string }): Codex {
  const connection = createConnection({ open: webSocketTransport(async () => endpoint), version, log });
  return {
    connection,
    threads: createThreads(connection),
    remote: true,
    health: () => connectionHealth(connection),
    async ready() {
      await connection.ready({ timeoutMs: 15_000 });
      await expectSharedFolder(connection, config.home);
    },
    close: () => connection.close(),
  };
}

/** Workspaces, attachments and what teammates send are files: a folder of the same name would not do, it has to be the same. */
async function expectSharedFolder(connection: CodexConnection, home: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const path = join(home, `.shared-${newId()}`);
  await writeFile(path, "");
  try {
    await connection.request("fs/getMetadata", { path });
  } catch (error) {
    if (!(error instanceof CodexError && error.kind === "refused")) throw error;
    throw new StartError(wordsFor(undefined).start.codexElsewhere(home));
  } finally {
    await rm(path, { force: true });
  }
}

function connectionHealth({ state }: CodexConnection): { ready: boolean; detail: string } {
  switch (state.status) {
    case "ready":
      return { ready: true, detail: `connected, version ${state.server.version ?? "unknown"}` };
    case "connecting":
      return { ready: false, detail: state.why ?? "connecting" };
    case "refused":
      return { ready: false, detail: state.error.message };
    case "closed":
      return { ready: false, detail: "closed" };
  }
}
