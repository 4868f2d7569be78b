import type { Kysely } from "kysely";
import type { Pool } from "pg";
import type { Log } from "../shared/index.ts";
import type { Leases } from "./leases.ts";
import type { Queues } from "./queue.ts";
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
export async function openStorage(_settings: StorageSettings, _log: Log): Promise<Storage> {
  throw new Error("not built yet");
}
