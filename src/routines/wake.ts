import type { Unit } from "../storage/index.ts";
import type { RoutinesDeps } from "./routines.ts";

/** What is due later is found by the regular look. */
const horizonMs = 60_000;

type WakeDeps = Pick<RoutinesDeps, "clock" | "queues">;

/** Has somebody look when it is due. Only a hint: what is due stands in the database. */
export async function wakeAt({ queues }: WakeDeps, dueAt: Date, now: Date): Promise<void> {
  const delayMs = dueAt.getTime() - now.getTime();
  if (delayMs > horizonMs) return;
  await queues.add("clock", { task: "routines" }, { dedupe: "routines", delayMs: Math.max(0, delayMs) });
}

/** The same once the transaction is through. */
export function wakeFor(deps: WakeDeps, unit: Unit, { nextDueAt }: { readonly nextDueAt: Date | null }): void {
  if (nextDueAt !== null) unit.afterCommit(() => wakeAt(deps, nextDueAt, deps.clock.now()));
}
