/**
 * The storage room: PostgreSQL (embedded or the operator's own), the queues that wake workers, and leases.
 * It knows how things are kept, not what they mean: each room above owns the SQL of its tables.
 */
export type { Lease, LeaseRefusal, LeaseRequest, Leases } from "./leases.ts";
export type { AddOptions, JobContext, JobHandler, Queues, QueueWorker, WorkOptions } from "./queue.ts";
export type { QueueName, QueuePayload } from "./queue-payloads.ts";
export { openStorage, type Storage, type StorageSettings } from "./storage.ts";
export type * from "./tables.ts";
export { type Db, inTransaction, type Unit } from "./unit.ts";
