import { sql } from "kysely";
import type { Db, Unit } from "../storage/index.ts";

/** Writes the row before anything is shown; the draft id is its identity for the platform, the same for every view of the run. */
export async function openLiveViewRow(
  db: Db,
  view: { runId: string; connectionId: string; channel: string; thread: string | null },
): Promise<{ draftId: number }> {
  const row = await db
    .insertInto("live_views")
    .values({ run_id: view.runId, connection_id: view.connectionId, channel: view.channel, thread: view.thread })
    .onConflict((conflict) => conflict.column("run_id").doUpdateSet({ closed_at: null, platform_message_id: null }))
    .returning("draft_id")
    .executeTakeFirstOrThrow();
  return { draftId: row.draft_id };
}

export async function setLiveViewMessage(db: Db, runId: string, messageId: string | null): Promise<void> {
  await db.updateTable("live_views").set({ platform_message_id: messageId }).where("run_id", "=", runId).execute();
}

/**
 * Says that the view's message is gone or its removal is in the outbox: part of the transaction that ends the run. Gives the
 * message as it was noted, null where none was; undefined where no view was open.
 */
export async function closeLiveViewRow(unit: Unit, runId: string): Promise<{ messageId: string | null } | undefined> {
  return await unit.db
    .updateTable("live_views")
    .set({ closed_at: new Date() })
    .where("run_id", "=", runId)
    .where("closed_at", "is", null)
    .returning("platform_message_id as messageId")
    .executeTakeFirst();
}

/** The hash of what the Stop button of the run's latest view carries. */
export async function stopButtonHash(db: Db, runId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("action_tokens")
    .select("token_hash")
    .where("run_id", "=", runId)
    .where(sql<boolean>`payload ->> 'view' = 'live'`)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.token_hash;
}

/** The runs that are over and whose view nobody closed. */
export async function runsWithAbandonedView(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("live_views")
    .innerJoin("runs", "runs.id", "live_views.run_id")
    .select("live_views.run_id")
    .where("live_views.closed_at", "is", null)
    .where("runs.status", "in", ["completed", "failed", "interrupted"])
    .execute();
  return rows.map((row) => row.run_id);
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
