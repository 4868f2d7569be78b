import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "./storage-error.ts";

export interface HomeLock {
  release(): void;
}

/**
 * Makes this process the only Shipmate on a data folder. Node has no file locks of its own; SQLite takes one from the
 * system, which ends with the process however it ends and also holds between containers that share the folder.
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const pidFile = join(home, "shipmate.pid");
  const lock = new DatabaseSync(join(home, "shipmate.lock"));
  try {
    lock.exec("pragma busy_timeout = 0; begin exclusive");
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    const pid = (await readFile(pidFile, "utf8").catch(() => "")).trim();
    const who = pid === "" ? "" : `, pid ${pid}`;
    throw new StorageError(
      `Shipmate is already running here (${home}${who}). Stop it first, or set SHIPMATE_HOME to another folder.`,
      { cause: error },
    );
  }
  await writeFile(pidFile, `${process.pid}\n`);
  return { release: () => lock.close() };
}
