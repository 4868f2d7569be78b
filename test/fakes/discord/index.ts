/**
 * A stand-in for Discord on loopback: REST v10 and the gateway, as strict as the real one where it matters, people who
 * act in it, and faults. Speaks what Shipmate uses; knows nothing of Shipmate and of no test runner.
 */
import type { Discord, DiscordOptions } from "./types.ts";

export type { Faults } from "./faults.ts";
export type * from "./types.ts";

/** Starts the stand-in, with one guild in which Ada is; `await using` or `close` ends it. */
export async function createDiscord(options: DiscordOptions = {}): Promise<Discord> {
  throw new Error(`not written yet: ${Object.keys(options).length}`);
}
