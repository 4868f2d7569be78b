import { endLateSignIns } from "../access/index.ts";
import type { Log } from "../shared/index.ts";
import { inTransaction, type Storage } from "../storage/index.ts";
import { forgetOld } from "./retention.ts";
import type { Rooms } from "./rooms.ts";

export interface Sweeps extends AsyncDisposable {
  stop(): Promise<void>;
}

const everyMs = 15_000;
/** Where nothing was heard of the queue for so long, it is asked anew for what is regular: it may have been emptied. */
const silentMs = 3 * everyMs;
const forgetEveryMs = 60 * 60_000;

/** Looks regularly for what a crash or a lost queue left behind: waiting lanes, decisions nobody took, deadlines; and deletes what is old. */
export async function startSweeps(deps: { storage: Storage; rooms: Rooms; log: Log }): Promise<Sweeps> {
  const { storage, rooms, log } = deps;
  let heardAt = performance.now();
  const worker = await storage.queues.work("clock", async ({ task }) => {
    heardAt = performance.now();
    if (task === "forget") return forgetOld({ ...rooms, db: storage.db, log });
    if (task === "routines") return rooms.routines.tick(storage.db);
    await rooms.mailbox.sweep();
    await inTransaction(storage.db, log, (unit) =>
      endLateSignIns(unit, { clock: rooms.clock, show: rooms.showSignIn }),
    );
    await rooms.attention.sweep(storage.db);
    await rooms.mcp.sweep(storage.db);
  });
  await askForAll(storage);
  const watch = setInterval(() => {
    if (performance.now() - heardAt < silentMs) return;
    log.warn("nothing was heard of the queue for a while; it is asked anew for what is regular");
    heardAt = performance.now();
    askForAll(storage).catch((error: unknown) => log.warn({ err: error }, "the queue could not be asked"));
  }, everyMs);
  const stop = () => {
    clearInterval(watch);
    return worker.close();
  };
  return { stop, [Symbol.asyncDispose]: stop };
}

/** What was due while nobody looked is looked for at once. */
async function askForAll({ queues }: Storage): Promise<void> {
  await queues.every("clock", "sweep", everyMs, { task: "sweep" });
  await queues.every("clock", "routines", everyMs, { task: "routines" });
  await queues.every("clock", "forget", forgetEveryMs, { task: "forget" });
  await queues.add("clock", { task: "routines" }, { dedupe: "routines" });
}
