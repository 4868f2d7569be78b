/**
 * One process: opens the storage, builds the rooms, and starts the roles it was given (gateway, worker, scheduler, http).
 * Knows the order in which things start and stop, and nothing else.
 */
export { type App, type AppOptions, startApp } from "./app.ts";
export type { ConnectionSpec } from "./gateway.ts";
