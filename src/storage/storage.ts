import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { Log } from "../shared/index.ts";
import { createLeases, type Leases } from "./leases.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./postgres.ts";
import { preparing } from "./prepared.ts";
import type { Queues } from "./queue.ts";
import { createQueues } from "./queues.ts";
import { StorageError } from "./storage-error.ts";
import { survive } from "./survive.ts";
import type { Database } from "./tables.ts";

export interface StorageSettings {
  /** The data folder; the embedded database lives in its `postgres` folder. */
  readonly home: string;
  /** The operator's own PostgreSQL; the embedded one when absent. */
  readonly databaseUrl?: string | undefined;
  /** The queue's Redis; the database carries the queue when absent. */
  readonly redisUrl?: string | undefined;
}

/** Everything that is kept: the database, the queues on it, and leases. */
export interface Storage extends AsyncDisposable {
  readonly db: Kysely<Database>;
  readonly pool: Pool;
  readonly queues: Queues;
  readonly leases: Leases;
  readonly databaseUrl: string;
  /** Rejects when the database (or the queue's Redis) does not answer. */
  ping(): Promise<void>;
  /** Queues first (waiting for active handlers), then connections, then the embedded database. */
  close(): Promise<void>;
}

/** Opens (and at the first start makes) the database, brings its tables up to date and connects the queues. */
export async function openStorage(settings: StorageSettings, log: Log): Promise<Storage> {
  // What is open already is closed again, last first, when a later step fails.
  const opened = new AsyncDisposableStack();
  try {
    const { url } = opened.use(await openDatabase({ ...settings, log }));
    const pool = new Pool({ connectionString: url, max: 10, keepAlive: true });
    // Without a listener an idle connection that breaks would end the process.
    pool.on("error", (error) => log.warn({ reason: error.message }, "a connection to the database broke"));
    survive(pool);
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
    opened.defer(async () => {
      // pg resolves before its sockets are closed; what they still say does not matter any more.
      pool.removeAllListeners("error").on("error", () => {});
      await db.destroy();
    });
    await reach(pool);
    await migrate(db);
    const queues = await createQueues({ databaseUrl: url, redisUrl: settings.redisUrl, log });
    opened.adopt(queues, (each) => each.close());
    const ping = async () => {
      await Promise.all([pool.query("select 1"), queues.ping()]);
    };
    const rest = opened.move();
    const close = () => rest.disposeAsync();
    return {
      db,
      pool,
      queues,
      leases: createLeases({ db, log }),
      databaseUrl: url,
      ping,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function reach(pool: Pool): Promise<void> {
  try {
    await pool.query("select 1");
  } catch (error) {
    throw new StorageError(
      `The database does not answer (${error instanceof Error ? error.message : error}). Start it or correct DATABASE_URL; without DATABASE_URL Shipmate brings its own.`,
      { cause: error },
    );
  }
}
