/**
 * The runs room: one Codex turn from the claimed delivery to the answer in the outbox.
 * The worker takes wake-ups, a Run drives its turn, recovery settles at boot what an earlier process left behind.
 */
export type { RunningTask } from "./runs.store.ts";
export type { RunSettings } from "./settings.ts";
export { createRunControl, type RunControl, type RunControlDeps, type StopResult } from "./stop.ts";
export { defaultLimits, type RunLimits } from "./watchdog.ts";
export { createRunWorker, type RunWorker, type RunWorkerDeps, type RunWorkerStatus } from "./worker.ts";
