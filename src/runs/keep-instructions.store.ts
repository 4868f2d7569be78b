import type { Db } from "../storage/index.ts";

/** Whether a teammate works on something else right now: its files may be in the middle of a change. */
export async function worksElsewhere(db: Db, teammateId: string, runId: string): Promise<boolean> {
  const other = await db
    .selectFrom("runs")
    .select("id")
    .where("teammate_id", "=", teammateId)
    .where("id", "<>", runId)
    .where("status", "in", ["starting", "running", "waiting", "reconciling"])
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
