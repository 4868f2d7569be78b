import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import type { TimelineEvent } from "./types.ts";

export interface NumberedEvent {
  readonly seq: number;
  readonly event: TimelineEvent;
}

/** Adds events to a run's timeline, all or none. Those that are there already stay: a lost response may hide a success. */
export async function insertEvents(db: Db, runId: string, events: readonly NumberedEvent[]): Promise<void> {
  await db
    .insertInto("run_events")
    .values(events.map((numbered) => row(runId, numbered)))
    .execute();
}

function row(runId: string, { seq, event }: NumberedEvent) {
  const { kind, at, ...payload } = event;
  return {
    run_id: runId,
    seq,
    kind,
    item_id: "itemId" in event ? event.itemId : null,
    payload: JSON.stringify(payload),
    emitted_at: at,
  };
}

/** Deletes the timelines of runs that ended before then, of at most `limit` runs. How many events it were. */
export async function forgetTimelines(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from run_events where run_id in (
      select r.id from runs r where r.completed_at < ${before}
        and exists (select 1 from run_events e where e.run_id = r.id)
      order by r.completed_at limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
