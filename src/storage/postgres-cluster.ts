import { type ChildProcess, execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Log } from "../shared/index.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import { errorCode, folderTrouble, StorageError } from "./storage-error.ts";

export interface Cluster {
  readonly dataFolder: string;
  readonly password: string;
}

/** The folder of the embedded database, made at the first start and left as it is afterwards. */
export async function prepareCluster(folder: string, binaries: PostgresBinaries): Promise<Cluster> {
  const dataFolder = join(folder, "data");
  const passwordFile = join(folder, "password");
  if (!existsSync(dataFolder)) {
    await writeFile(passwordFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    await binaries.share(passwordFile);
    await initialise(folder, passwordFile, binaries);
  }
  await refuseOtherVersion(dataFolder, binaries.major);
  const password = (await readFile(passwordFile, "utf8").catch(() => "")).trim();
  if (password === "") {
    throw new StorageError(
      `The password of the database in ${folder} is missing (${passwordFile}). Put that file back from a backup.`,
    );
  }
  return { dataFolder, password };
}

/** Makes the cluster beside its final place and moves it there when it is complete, so that a start cut short leaves no half of one. */
async function initialise(folder: string, passwordFile: string, binaries: PostgresBinaries): Promise<void> {
  const partial = join(folder, "data.partial");
  await rm(partial, { recursive: true, force: true });
  const args = [
    `--pgdata=${partial}`,
    "--username=shipmate",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // PostgreSQL's own locale sorts alike on every system, whatever the machine has installed.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  const child = binaries.spawn(binaries.initdb, args, { stdio: ["ignore", "pipe", "pipe"] });
  const { code, output } = await finished(child);
  if (code !== 0) {
    throw new StorageError(
      folderTrouble(output, folder) ?? `PostgreSQL could not make its folder ${folder}: ${lastLine(output)}`,
      { cause: new Error(output) },
    );
  }
  await rename(partial, join(folder, "data"));
}

async function refuseOtherVersion(dataFolder: string, major: number): Promise<void> {
  const found = (await readFile(join(dataFolder, "PG_VERSION"), "utf8").catch(() => "")).trim();
  if (found === String(major)) return;
  if (found === "") {
    throw new StorageError(
      `${dataFolder} is not a PostgreSQL folder (PG_VERSION is missing). Put it back from a backup, or move it away to start empty.`,
    );
  }
  throw new StorageError(
    `The data in ${dataFolder} was written by PostgreSQL ${found}, and this Shipmate brings ${major}. Nothing was changed. ` +
      `Start the Shipmate version you used before, run pg_dump on its database, and load the dump into a new SHIPMATE_HOME.`,
  );
}

/**
 * Ends a database that outlived the Shipmate that started it, and removes what a killed one left behind.
 * Only called by the holder of the home lock, so no living Shipmate uses this folder.
 */
export async function endOrphan(dataFolder: string, log: Log): Promise<void> {
  const pidFile = join(dataFolder, "postmaster.pid");
  const pid = Number.parseInt(await readFile(pidFile, "utf8").catch(() => ""), 10);
  if (Number.isNaN(pid)) return;
  for (const [signal, seconds] of [
    ["SIGINT", 30],
    ["SIGQUIT", 10],
  ] as const) {
    if (!(await isDatabaseOf(pid, dataFolder))) break;
    log.warn({ pid, signal }, "ending the database of a Shipmate that was killed");
    sendSignal(pid, signal);
    for (let waited = 0; waited < seconds * 20 && (await isDatabaseOf(pid, dataFolder)); waited++) await pause(50);
  }
  if (await isDatabaseOf(pid, dataFolder)) {
    throw new StorageError(
      `An old database process (pid ${pid}) on ${dataFolder} does not end. End it and start again.`,
    );
  }
  // PostgreSQL refuses to start while the pid in this file belongs to any living process, and in a container
  // the next start often gives that number to another one.
  await rm(pidFile, { force: true });
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}

/** Whether this pid is (still) a PostgreSQL on that folder: a number alone may have been given to another process. */
async function isDatabaseOf(pid: number, dataFolder: string): Promise<boolean> {
  return (await commandOf(pid)).includes(dataFolder);
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === "linux") return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (process.platform === "win32") return "";
  const listing = promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
  return listing.then(({ stdout }) => stdout).catch(() => "");
}

/** Makes the folder, open to this user only. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StorageError(folderTrouble(String(error), folder) ?? `Cannot make the folder ${folder}: ${error}`, {
      cause: error,
    });
  }
}

export function finished(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  const collect = (chunk: unknown) => {
    output += String(chunk);
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

export function lastLine(output: string): string {
  return output.trim().split("\n").at(-1) ?? "";
}
