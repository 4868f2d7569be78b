import type { QueueName, QueuePayload } from "./queue-payloads.ts";

export interface AddOptions {
  /**
   * While a job with this key waits, further ones join it. While it is *running*, exactly one more follows it,
   * so a wake-up is never swallowed. Any characters are allowed. A key never holds a sooner wake-up back for a later one.
   */
  readonly dedupe?: string | undefined;
  /** Milliseconds before the job may run; 0 when absent. */
  readonly delayMs?: number | undefined;
  /** A separate line of the same queue, such as one computer's or one connection's; the common one when absent. */
  readonly scope?: string | undefined;
}

export interface WorkOptions {
  /** How many handlers of this worker run at a time; 1 when absent. */
  readonly concurrency?: number | undefined;
  /** The line to take jobs from; the common one when absent. */
  readonly scope?: string | undefined;
}

export interface JobContext {
  /** 1 for the first try. */
  readonly attempt: number;
}

/** A thrown error leads to another try with growing pauses; after the last one the job is dropped and logged (the sweeper wakes again). */
export type JobHandler<Name extends QueueName> = (payload: QueuePayload<Name>, job: JobContext) => Promise<void>;

export interface QueueWorker {
  /** Takes no further job and resolves when the active handlers are done. */
  close(): Promise<void>;
}

/** Wake-ups between processes. At least once: a handler may see the same wake-up again and looks into the database for what to do. */
export interface Queues {
  readonly backend: "postgres" | "redis";
  /** Resolves when the job is stored. */
  add<Name extends QueueName>(queue: Name, payload: QueuePayload<Name>, options?: AddOptions): Promise<void>;
  /** Resolves when the worker listens. */
  work<Name extends QueueName>(queue: Name, handler: JobHandler<Name>, options?: WorkOptions): Promise<QueueWorker>;
  /** Adds a job every `ms` milliseconds, however many processes ask for the same `name`; a later call with the same name changes it. */
  every<Name extends QueueName>(
    queue: Name,
    name: string,
    ms: number,
    payload: QueuePayload<Name>,
    options?: { readonly scope?: string | undefined },
  ): Promise<void>;
  /** Rejects when the queue's server does not answer. */
  ping(): Promise<void>;
  /** Closes every worker (waiting for active handlers), then the connections. */
  close(): Promise<void>;
}
