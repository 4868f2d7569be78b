import { join, resolve } from "node:path";
import { Client } from "pg";
import { type Log, registerSecret } from "../shared/index.ts";
import { lockHome } from "./home-lock.ts";
import { type BinaryOptions, findPostgres } from "./postgres-binaries.ts";
import { endOrphan, makeFolder, prepareCluster } from "./postgres-cluster.ts";
import { startServer } from "./postgres-server.ts";
import { folderTrouble, StorageError } from "./storage-error.ts";

export interface OpenDatabaseOptions {
  readonly home: string;
  /** The operator's own PostgreSQL: then nothing is started and nothing is locked. */
  readonly databaseUrl?: string | undefined;
  /** PostgreSQL settings of the embedded server, such as `fsync` for a test's throw-away cluster. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  readonly runAs?: Pick<BinaryOptions, "namespaces"> | undefined;
  readonly log: Log;
}

export interface OpenDatabase extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Gives a PostgreSQL to work with: the operator's own, or one that lives in `<home>/postgres`, made at the first start.
 *
 * The embedded one listens on a free loopback port with a random password, belongs to this process alone, and ends with
 * it: by `close`, by the kernel when we are killed (Linux), and elsewhere at the latest at the next start, which ends an orphan first.
 * @throws StorageError with a sentence for the operator.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  if (options.databaseUrl !== undefined) return given(options.databaseUrl);
  const { log } = options;
  const home = resolve(options.home);
  const folder = join(home, "postgres");
  await makeFolder(home);
  const lock = await lockHome(home).catch((error: unknown) => {
    throw error instanceof StorageError ? error : inFolder(error, home);
  });
  try {
    await makeFolder(folder);
    const binaries = await findPostgres({ folder, ...options.runAs });
    const cluster = await prepareCluster(folder, binaries);
    registerSecret(cluster.password);
    await endOrphan(cluster.dataFolder, log);
    const server = await startServer({ cluster, binaries, settings: options.settings, log });
    const close = async () => {
      await server.stop();
      lock.release();
    };
    const base = `postgres://shipmate:${cluster.password}@127.0.0.1:${server.port}`;
    try {
      await ensureDatabase(`${base}/postgres`);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return { url: `${base}/shipmate`, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    lock.release();
    throw error instanceof StorageError ? error : inFolder(error, folder);
  }
}

function given(url: string): OpenDatabase {
  const close = async () => {};
  return { url, close, [Symbol.asyncDispose]: close };
}

function inFolder(error: unknown, folder: string): StorageError {
  const text = String(error);
  return new StorageError(folderTrouble(text, folder) ?? `The database in ${folder} cannot be opened: ${text}`, {
    cause: error,
  });
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'shipmate'");
    if (rowCount === 0) await client.query("create database shipmate");
  } finally {
    await client.end();
  }
}
