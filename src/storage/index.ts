/**
 * The storage room: PostgreSQL (embedded or the operator's own), the queues that wake workers, and leases.
 * It knows how things are kept, not what they mean: each room above owns the SQL of its tables.
 */
export { audit } from "./audit.store.ts";
export type { Lease } from "./leases.ts";
export type { Queues, QueueWorker } from "./queue.ts";
export type { QueuePayload } from "./queue-payloads.ts";
export { openStorage, type Storage } from "./storage.ts";
export { isPassing } from "./storage-error.ts";
export type * from "./tables.ts";
export type { RoutineSkip, RoutineSource } from "./tables-routines.ts";
export { type Db, inTransaction, type Unit } from "./unit.ts";
