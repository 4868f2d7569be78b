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
