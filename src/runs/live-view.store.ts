import type { Db, Unit } from "../storage/index.ts";

/** A live view that was shown and not yet taken away: after a crash its message is still there. */
export interface OpenLiveView {
  readonly runId: string;
  readonly connectionId: string;
  readonly channel: string;
  readonly thread: string | null;
  readonly messageId: string | null;
}

/** Writes the row before anything is shown; the draft id is its identity for the platform. Repeating it gives the same id. */
export async function openLiveViewRow(
  db: Db,
  view: { runId: string; connectionId: string; channel: string; thread: string | null },
): Promise<{ draftId: number }> {
  const row = await db
    .insertInto("live_views")
    .values({ run_id: view.runId, connection_id: view.connectionId, channel: view.channel, thread: view.thread })
    .onConflict((conflict) => conflict.column("run_id").doUpdateSet({ closed_at: null }))
    .returning("draft_id")
    .executeTakeFirstOrThrow();
  return { draftId: row.draft_id };
}

export async function setLiveViewMessage(db: Db, runId: string, messageId: string | null): Promise<void> {
  await db.updateTable("live_views").set({ platform_message_id: messageId }).where("run_id", "=", runId).execute();
}

/** Says that the view's message is gone or its removal is in the outbox: part of the transaction that ends the run. */
export async function closeLiveViewRow(unit: Unit, runId: string): Promise<void> {
  await unit.db
    .updateTable("live_views")
    .set({ closed_at: new Date() })
    .where("run_id", "=", runId)
    .where("closed_at", "is", null)
    .execute();
}

/** Views whose run is over and that nobody closed. */
export async function listAbandonedLiveViews(db: Db): Promise<OpenLiveView[]> {
  const rows = await db
    .selectFrom("live_views")
    .innerJoin("runs", "runs.id", "live_views.run_id")
    .select([
      "live_views.run_id",
      "live_views.connection_id",
      "live_views.channel",
      "live_views.thread",
      "live_views.platform_message_id",
    ])
    .where("live_views.closed_at", "is", null)
    .where("runs.status", "in", ["completed", "failed", "interrupted"])
    .execute();
  return rows.map((row) => ({
    runId: row.run_id,
    connectionId: row.connection_id,
    channel: row.channel,
    thread: row.thread,
    messageId: row.platform_message_id,
  }));
}

/** The run a draft belongs to, for the platform's own stop control. */
export async function runOfDraft(db: Db, connectionId: string, draftId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("live_views")
    .select("run_id")
    .where("connection_id", "=", connectionId)
    .where("draft_id", "=", draftId)
    .executeTakeFirst();
  return row?.run_id;
}
