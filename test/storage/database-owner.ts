/** A process that opens the database in the folder it is told and holds it until it is killed or its input ends. */
import { silentLog } from "../../src/shared/index.ts";
import { openDatabase } from "../../src/storage/postgres.ts";

try {
  const database = await openDatabase({ home: process.argv[2] ?? "", log: silentLog });
  process.stdout.write(`open ${database.url}\n`);
  for await (const _ of process.stdin);
  await database.close();
  process.stdout.write("closed\n");
} catch (error) {
  process.stdout.write(`error ${error instanceof Error ? error.message : error}\n`);
}
