import { createHash } from "node:crypto";
import { type JobsOptions, type Queue, UnrecoverableError, type Worker } from "bullmq";
import { type Log, systemClock } from "../shared/index.ts";
import type { AddOptions, JobHandler, Queues, QueueWorker, WorkOptions } from "./queue.ts";
import { openPostgresBackend, openRedisBackend, type QueueBackend } from "./queue-backend.ts";
import { type QueueName, type QueuePayload, queuePayloads } from "./queue-payloads.ts";
import { StorageError } from "./storage-error.ts";

export interface CreateQueuesOptions {
  readonly databaseUrl: string;
  /** Redis carries the queue instead of the database. */
  readonly redisUrl?: string | undefined;
  /** When a job of a silent process counts as abandoned; a test shortens it. */
  readonly takeover?: { readonly lockMs: number; readonly checkMs: number } | undefined;
  readonly log: Log;
}

interface Deps {
  readonly backend: QueueBackend;
  readonly takeover: { readonly lockMs: number; readonly checkMs: number };
  readonly log: Log;
}

const jobOptions: JobsOptions = {
  // 0.2, 0.4 … 3.2 s. What still fails then is left to the sweeper, which knows from the database what is due.
  attempts: 6,
  backoff: { type: "exponential", delay: 200 },
  // A finished job that stayed would swallow the next wake-up with its id.
  removeOnComplete: true,
  removeOnFail: true,
};

/** Connects the queues; on PostgreSQL it also brings BullMQ's own tables up to date. */
export async function createQueues(options: CreateQueuesOptions): Promise<Queues> {
  const { databaseUrl, redisUrl, log } = options;
  const backend = redisUrl === undefined ? await openPostgresBackend(databaseUrl, log) : await openRedis(redisUrl, log);
  return queuesOn({ backend, log, takeover: options.takeover ?? { lockMs: 15_000, checkMs: 10_000 } });
}

async function openRedis(redisUrl: string, log: Log): Promise<QueueBackend> {
  try {
    return await openRedisBackend(redisUrl, log);
  } catch (error) {
    throw new StorageError(
      `Redis does not answer at REDIS_URL (${error instanceof Error ? error.message : error}). Start it, correct the address, or remove REDIS_URL to keep the queue in the database.`,
      { cause: error },
    );
  }
}

function queuesOn({ backend, takeover, log }: Deps): Queues {
  const producers = new Map<string, Queue>();
  const workers = new Set<QueueWorker>();

  const producer = (name: string): Queue => {
    const known = producers.get(name);
    if (known !== undefined) return known;
    const made = backend.queue(name);
    made.on("error", (error) => log.warn({ reason: error.message, queue: name }, "the queue has trouble"));
    producers.set(name, made);
    return made;
  };

  const work = async <Name extends QueueName>(queue: Name, handler: JobHandler<Name>, options: WorkOptions = {}) => {
    const name = lineName(queue, options.scope);
    const worker = backend.worker(name, (job) => handle(queue, handler, job.data, job.attemptsMade + 1), {
      concurrency: options.concurrency ?? 1,
      lockDuration: takeover.lockMs,
      stalledInterval: takeover.checkMs,
    });
    report(worker, name, log);
    await worker.waitUntilReady();
    const made: QueueWorker = {
      close: async () => {
        workers.delete(made);
        await worker.close();
      },
    };
    workers.add(made);
    return made;
  };

  return {
    backend: backend.kind,
    work,
    add: async (queue, payload, options = {}) => {
      await producer(lineName(queue, options.scope)).add(queue, payload, addOptions(options));
    },
    every: async (queue, name, ms, payload, options = {}) => {
      const template = { name: queue, data: payload, opts: jobOptions };
      await producer(lineName(queue, options.scope)).upsertJobScheduler(key(name), { every: ms }, template);
    },
    ping: () => backend.ping(),
    close: async () => {
      await Promise.all([...workers].map((worker) => worker.close()));
      await Promise.all([...producers.values()].map((queue) => queue.close()));
      await backend.close();
    },
  };
}

async function handle<Name extends QueueName>(queue: Name, handler: JobHandler<Name>, data: unknown, attempt: number) {
  const parsed = queuePayloads[queue].safeParse(data);
  // Nothing a second try could change.
  if (!parsed.success) throw new UnrecoverableError(`a ${queue} job this release does not understand`);
  await handler(parsed.data as QueuePayload<Name>, { attempt });
}

function report(worker: Worker, queue: string, log: Log): void {
  // Only the message: an error of pg carries the whole client.
  worker.on("error", (error) => log.warn({ reason: error.message, queue }, "the queue's worker has trouble"));
  worker.on("stalled", (job) => log.warn({ job, queue }, "took over the job of a process that went silent"));
  worker.on("failed", (job, error) => {
    const attempts = job?.opts.attempts ?? 1;
    const last = error instanceof UnrecoverableError || (job?.attemptsMade ?? attempts) >= attempts;
    log[last ? "error" : "warn"]({ err: error, queue, attempt: job?.attemptsMade }, "a job failed");
  });
}

function addOptions({ dedupe, delayMs = 0 }: AddOptions): JobsOptions {
  if (dedupe === undefined) return delayMs > 0 ? { ...jobOptions, delay: delayMs } : jobOptions;
  if (delayMs <= 0) {
    // `keepLastIfActive`: an add while the job runs is kept and runs after it. `reschedule`: a job that waits for
    // its next try starts at once instead of swallowing the new wake-up until then.
    return { ...jobOptions, deduplication: { id: key(dedupe), keepLastIfActive: true, reschedule: true } };
  }
  // Delayed wake-ups join only those due at about the same time, so that none is put off by one that is due later. At
  // least one step away: a running job, due by now, keeps its id until it ends and must not swallow what it asks for.
  const delay = Math.max(delayMs, stepMs);
  const due = Math.ceil((systemClock.now().getTime() + delay) / stepMs);
  return { ...jobOptions, delay, deduplication: { id: `${key(dedupe)}-${due}` } };
}

const stepMs = 100;

/** BullMQ allows no ":" in an id. */
function key(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function lineName(queue: QueueName, scope: string | undefined): string {
  if (scope === undefined) return queue;
  if (!/^[A-Za-z0-9_-]{1,80}$/.test(scope)) throw new Error(`not a queue scope: ${scope}`);
  return `${queue}.${scope}`;
}
