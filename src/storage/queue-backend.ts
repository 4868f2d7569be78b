import { createPostgresBackend, type PgPool, Queue, runMigrations, Worker } from "bullmq";
import { Redis } from "ioredis";
import { Pool } from "pg";
import type { Log } from "../shared/index.ts";
import { survive } from "./survive.ts";

export interface BackendWorkerOptions {
  readonly concurrency: number;
  readonly lockDuration: number;
  readonly stalledInterval: number;
}

type Processor = NonNullable<ConstructorParameters<typeof Worker>[1]>;

/** Where BullMQ keeps its jobs. All queues and workers of one backend share its connections. */
export interface QueueBackend {
  readonly kind: "postgres" | "redis";
  queue(name: string): Queue;
  worker(name: string, process: Processor, options: BackendWorkerOptions): Worker;
  ping(): Promise<void>;
  close(): Promise<void>;
}

// Only hints live here, so a small event log is enough, and finished jobs go at once.
const queueOptions = { streams: { events: { maxLen: 100 } } } as const;
const workerOptions = {
  // A killed process is no fault of the job: it is taken over as often as needed.
  maxStalledCount: 100,
  // After an error of the connection: look again soon.
  runRetryDelay: 1000,
  // How long an idle worker sleeps when no word of a new job comes; the safety net below LISTEN and BZPOPMIN.
  drainDelay: 10,
} as const;

/** BullMQ in the schema `bullmq` of our own database. */
export async function openPostgresBackend(databaseUrl: string, log: Log): Promise<QueueBackend> {
  const connectionString = withServerOptions(databaseUrl);
  const settings = { connectionString, keepAlive: true };
  const pool = new Pool({ ...settings, max: 4 });
  // A worker keeps one connection for LISTEN. Taken from the pool above, a few workers would starve each other.
  const listeners = new Pool({ ...settings, max: 1000, idleTimeoutMillis: 1000 });
  for (const each of [pool, listeners]) {
    each.setMaxListeners(0);
    // Only the message: the error carries the whole client.
    each.on("error", (error) => log.warn({ reason: error.message }, "a queue connection to the database broke"));
    survive(each);
  }
  const session = await pool.connect();
  try {
    await runMigrations(session);
  } finally {
    session.release();
  }
  const connection = {
    query: (text: string, params?: unknown[]) => pool.query(text, params),
    connect: () => listeners.connect(),
    // BullMQ closes only what it opened; these two are closed below.
    end: async () => {},
    on: () => connection,
    removeAllListeners: () => connection,
  } as unknown as PgPool;
  return {
    kind: "postgres",
    queue: (name) => new Queue(name, { connection, ...queueOptions }, createPostgresBackend) as unknown as Queue,
    worker: (name, process, options) =>
      new Worker(
        name,
        process,
        { connection, ...workerOptions, ...options },
        createPostgresBackend,
      ) as unknown as Worker,
    ping: async () => {
      await pool.query("select 1");
    },
    close: async () => {
      // pg resolves before its sockets are closed; what they still say does not matter any more.
      for (const each of [pool, listeners]) each.removeAllListeners("error").on("error", () => {});
      await Promise.all([pool.end(), listeners.end()]);
    },
  };
}

/** Sets the schema for every connection of the pool, and lets job bookkeeping commit without waiting for the disk: a lost hint is harmless. */
function withServerOptions(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const options = [url.searchParams.get("options"), "-c search_path=bullmq", "-c synchronous_commit=off"];
  url.searchParams.set("options", options.filter((option) => option !== null).join(" "));
  return url.href;
}

export async function openRedisBackend(redisUrl: string, log: Log): Promise<QueueBackend> {
  // A producer gives up after a few tries, so that the caller hears of an outage; a worker waits for ever.
  const producers = new Redis(redisUrl, { maxRetriesPerRequest: 3, lazyConnect: true });
  const consumers = new Redis(redisUrl, { maxRetriesPerRequest: null, lazyConnect: true });
  for (const each of [producers, consumers]) {
    each.setMaxListeners(0);
    each.on("error", (error) => log.warn({ reason: error.message }, "a connection to Redis broke"));
  }
  await Promise.all([producers.connect(), consumers.connect()]).catch((error: unknown) => {
    producers.disconnect();
    consumers.disconnect();
    throw error;
  });
  const prefix = "shipmate";
  return {
    kind: "redis",
    queue: (name) => new Queue(name, { connection: producers, prefix, ...queueOptions }),
    worker: (name, process, options) =>
      new Worker(name, process, { connection: consumers, prefix, ...workerOptions, ...options }),
    ping: async () => {
      await producers.ping();
    },
    close: async () => {
      await Promise.all([producers.quit(), consumers.quit()]).catch(() => {
        producers.disconnect();
        consumers.disconnect();
      });
    },
  };
}
