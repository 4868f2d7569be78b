/** A process that takes one job and never finishes it, for a test that kills it. Arguments: database URL, Redis URL or "". */
import { silentLog } from "../../src/shared/index.ts";
import { createQueues } from "../../src/storage/queues.ts";

const [databaseUrl = "", redisUrl = ""] = process.argv.slice(2);
const queues = await createQueues({
  databaseUrl,
  redisUrl: redisUrl === "" ? undefined : redisUrl,
  takeover: { lockMs: 1000, checkMs: 500 },
  log: silentLog,
});
await queues.work("mailbox", async () => {
  process.stdout.write("taken\n");
  await new Promise(() => {});
});
process.stdout.write("listening\n");
