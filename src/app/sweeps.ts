import { endLateSignIns } from "../access/index.ts";
import type { Log } from "../shared/index.ts";
import { inTransaction, type Storage } from "../storage/index.ts";
import { forgetOld } from "./retention.ts";
import type { Rooms } from "./rooms.ts";

export interface Sweeps extends AsyncDisposable {
  stop(): Promise<void>;
}

const everyMs = 15_000;
const forgetEveryMs = 60 * 60_000;

/** Looks regularly for what a crash or a lost queue left behind: waiting lanes, decisions nobody took, deadlines; and deletes what is old. */
export async function startSweeps(deps: { storage: Storage; rooms: Rooms; log: Log }): Promise<Sweeps> {
  const { storage, rooms, log } = deps;
  await storage.queues.every("clock", "sweep", everyMs, { task: "sweep" });
  await storage.queues.every("clock", "forget", forgetEveryMs, { task: "forget" });
  const worker = await storage.queues.work("clock", async ({ task }) => {
    if (task === "forget") return forgetOld({ ...rooms, db: storage.db, log });
    await rooms.mailbox.sweep();
    await inTransaction(storage.db, log, (unit) =>
      endLateSignIns(unit, { clock: rooms.clock, show: rooms.showSignIn }),
    );
    await rooms.attention.sweep(storage.db);
    await rooms.mcp.sweep(storage.db);
  });
  const stop = () => worker.close();
  return { stop, [Symbol.asyncDispose]: stop };
}
