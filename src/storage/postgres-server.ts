import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../shared/index.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import { type Cluster, lastLine } from "./postgres-cluster.ts";
import { folderTrouble, StorageError } from "./storage-error.ts";

export interface PostgresServer {
  readonly port: number;
  /** Fast shutdown: open transactions are rolled back, what was committed is on disk. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly cluster: Cluster;
  readonly binaries: PostgresBinaries;
  /** PostgreSQL settings beside our own, by name. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  readonly log: Log;
}

const ourSettings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "64MB",
  lc_messages: "C",
  log_timezone: "UTC",
  timezone: "UTC",
};

/** Starts PostgreSQL on a free loopback port and resolves when it accepts connections; starts it again if it dies by itself. */
export async function startServer(options: ServerOptions): Promise<PostgresServer> {
  const { log } = options;
  const stopping = new AbortController();
  let restart: Promise<void> | undefined;
  let running = await startOnFreePort(options);
  const { port } = running;
  const watch = (child: ChildProcess) => {
    child.once("close", (code, signal) => {
      if (stopping.signal.aborted) return;
      log.error({ code, signal }, "the embedded database ended unexpectedly; starting it again");
      restart = revive();
    });
  };
  const revive = async () => {
    for (let attempt = 0; ; attempt++) {
      const waited = pause(Math.min(200 * 2 ** attempt, 10_000), undefined, { ref: false, signal: stopping.signal });
      await waited.catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        // The same port, since every open pool knows this one.
        running = await launch(options, port);
        watch(running.child);
        return;
      } catch (error) {
        log.error({ err: error }, "the embedded database does not start again");
      }
    }
  };
  watch(running.child);
  return {
    port,
    stop: async () => {
      stopping.abort();
      await restart;
      await end(running.child);
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startOnFreePort(options: ServerOptions): Promise<Running> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(options, await freePort());
    } catch (error) {
      // Another program may take the port between our look and PostgreSQL's; and after a killed postmaster its
      // last backends need a moment to notice.
      const passing = /Address already in use|pre-existing shared memory block/.test(String(error));
      if (!passing || attempt === 20) throw error;
      await pause(250);
    }
  }
}

async function launch({ cluster, binaries, settings, log }: ServerOptions, port: number): Promise<Running> {
  const flags = Object.entries({ ...ourSettings, ...settings, port: String(port) });
  const child = binaries.spawn(
    binaries.postgres,
    ["-D", cluster.dataFolder, ...flags.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    // Its own session: Ctrl-C in the terminal must reach us alone, since we still write while we end.
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(startTrouble(output.join("\n"), cluster.dataFolder)));
    if (child.stderr === null) return;
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (output.length < 200) output.push(line);
      log.debug({ postgres: line }, "database");
      if (line.includes("database system is ready to accept connections")) resolve();
    });
  });
  // A process that forgot to close the database may still end; PostgreSQL then ends with it.
  child.unref();
  if (child.stderr !== null && "unref" in child.stderr && typeof child.stderr.unref === "function")
    child.stderr.unref();
  return { child, port };
}

function startTrouble(output: string, folder: string): StorageError {
  return new StorageError(
    folderTrouble(output, folder) ?? `The embedded PostgreSQL on ${folder} does not start: ${lastLine(output)}`,
    { cause: new Error(output) },
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = once(child, "exit");
  child.kill("SIGINT");
  const insist = setTimeout(() => child.kill("SIGQUIT"), 20_000);
  await gone;
  clearTimeout(insist);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free loopback port");
  return address.port;
}
