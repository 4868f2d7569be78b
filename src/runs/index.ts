/**
 * The runs room: one Codex turn from the claimed delivery to the answer in the outbox.
 * The worker takes wake-ups, a Run drives its turn, recovery settles at boot what an earlier process left behind.
 */
export { routineDraftPost } from "./routine-proposal.ts";
export { createRunControl, type RunControl } from "./stop.ts";
export { forgetTimelines } from "./timeline.store.ts";
export type { RunLimits } from "./watchdog.ts";
export { type WelcomeKind, welcomePost, welcomes } from "./welcome.ts";
export { createRunWorker, type RunWorker } from "./worker.ts";
