import { type Db, inTransaction } from "../storage/index.ts";
import * as routines from "./routines.store.ts";
import type { RoutinesDeps } from "./routines.ts";
import { settle } from "./settle.ts";
import { wakeAt } from "./wake.ts";

/** So many routines at most are looked at before the next look at what is due. */
const mostAtOnce = 1_000;
/** Transactions at a time: the pool has ten connections, and conversations go on meanwhile. */
const transactions = 4;
/** Those that are due together begin so far apart, or all of them within a minute. */
const apartMs = 5_000;
const spreadMs = 60_000;

/**
 * Turns what is due into runs, each in a transaction of its own. What another process holds is left to that one; what fails
 * is left for the next time and holds up nothing else.
 */
export async function tick(deps: RoutinesDeps, db: Db): Promise<void> {
  for (;;) {
    const due = await routines.dueNow(db, deps.clock.now(), mostAtOnce);
    const settled = await settleAll(deps, db, due);
    if (due.length < mostAtOnce || settled === 0) break;
  }
  const now = deps.clock.now();
  const { nextDueAt } = await routines.upcoming(db, now);
  if (nextDueAt !== null) await wakeAt(deps, nextDueAt, now);
}

async function settleAll(deps: RoutinesDeps, db: Db, due: readonly string[]): Promise<number> {
  const stepMs = Math.min(apartMs, spreadMs / Math.max(1, due.length));
  const waiting = due.entries();
  let settled = 0;
  async function work(): Promise<void> {
    for (const [place, id] of waiting) {
      if (await settleOne(deps, db, id, Math.floor(place * stepMs))) settled += 1;
    }
  }
  await Promise.all(Array.from({ length: transactions }, work));
  return settled;
}

/** False where there was nothing to do any more, or it failed. */
async function settleOne(deps: RoutinesDeps, db: Db, id: string, delayMs: number): Promise<boolean> {
  const { clock, log } = deps;
  try {
    return await inTransaction(db, log, async (unit) => {
      const now = clock.now();
      // Read again under its lock: whoever paused, changed or deleted it since is heard.
      const routine = await routines.lockDue(unit.db, id, now);
      if (routine === undefined) return false;
      await settle(deps, unit, routine, { now, delayMs });
      return true;
    });
  } catch (error) {
    log.error({ err: error, routineId: id }, "a routine that is due could not be settled; it is tried again");
    return false;
  }
}
