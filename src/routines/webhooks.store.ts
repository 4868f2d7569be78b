import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import { triggerSchema, type WebhookFilter } from "./types.ts";

export interface WebhookRow {
  readonly id: string;
  readonly routineId: string;
  /** Sealed. */
  readonly secret: Buffer;
  /** When the secret that it has now was made. */
  readonly renewedAt: Date;
  readonly calledAt: Date | null;
}

/** A webhook with what decides over a call. */
export interface OpenWebhook extends WebhookRow {
  readonly filter: WebhookFilter;
  readonly routineName: string;
  readonly teammateName: string;
}

function webhooks(db: Db) {
  return db
    .selectFrom("webhooks as w")
    .innerJoin("routines as r", "r.id", "w.routine_id")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .select(["w.id", "w.routine_id", "w.secret", "w.called_at", "r.trigger", "r.name", "t.name as teammate"])
    .select((eb) => eb.fn.coalesce("w.rotated_at", "w.created_at").as("renewed_at"))
    .where("r.deleted_at", "is", null);
}

type Selected = Awaited<ReturnType<ReturnType<typeof webhooks>["execute"]>>[number];

function toRow(row: Selected | undefined): OpenWebhook | undefined {
  if (row === undefined) return undefined;
  const trigger = triggerSchema.parse(row.trigger);
  // What is started by the clock now is not started from outside any more.
  if (trigger.kind !== "webhook") return undefined;
  return {
    id: row.id,
    routineId: row.routine_id,
    secret: row.secret,
    renewedAt: row.renewed_at,
    calledAt: row.called_at,
    filter: trigger.filter,
    routineName: row.name,
    teammateName: row.teammate,
  };
}

/** The webhook of an address; undefined where its routine is deleted, or is not started by one any more. */
export async function findOpen(db: Db, id: string): Promise<OpenWebhook | undefined> {
  return toRow(await webhooks(db).where("w.id", "=", id).executeTakeFirst());
}

/** The same, held until the transaction ends: calls of one webhook are taken one after the other. */
export async function lockOpen(db: Db, id: string): Promise<OpenWebhook | undefined> {
  return toRow(await webhooks(db).where("w.id", "=", id).forUpdate("w").executeTakeFirst());
}

export async function findOf(db: Db, routineId: string): Promise<WebhookRow | undefined> {
  return toRow(await webhooks(db).where("w.routine_id", "=", routineId).executeTakeFirst());
}

/** Keeps the address a routine has, or gives it this one. */
export async function saveSecret(
  db: Db,
  {
    id,
    routineId,
    secret,
    now,
  }: { readonly id: string; readonly routineId: string; readonly secret: Buffer; readonly now: Date },
): Promise<void> {
  await db
    .insertInto("webhooks")
    .values({ id, routine_id: routineId, secret, created_at: now })
    .onConflict((conflict) => conflict.column("routine_id").doUpdateSet({ secret, rotated_at: now }))
    .execute();
}

/** Its address leads nowhere any more, and nobody's secret opens anything. */
export async function deleteOf(db: Db, routineId: string): Promise<void> {
  await db.deleteFrom("webhooks").where("routine_id", "=", routineId).execute();
}

export async function wasReceived(db: Db, id: string, delivery: string): Promise<boolean> {
  const row = await db
    .selectFrom("webhook_receipts")
    .select("outcome")
    .where("webhook_id", "=", id)
    .where("delivery_key", "=", delivery)
    .executeTakeFirst();
  return row !== undefined;
}

export interface Receipt {
  readonly webhookId: string;
  readonly delivery: string;
  /** Null: it was not one of those that are waited for. */
  readonly routineRunId: string | null;
  readonly at: Date;
}

export async function addReceipt(db: Db, { webhookId, delivery, routineRunId, at }: Receipt): Promise<void> {
  await db
    .insertInto("webhook_receipts")
    .values({
      webhook_id: webhookId,
      delivery_key: delivery,
      routine_run_id: routineRunId,
      outcome: routineRunId === null ? "filtered" : "run",
      received_at: at,
    })
    .execute();
  await db.updateTable("webhooks").set({ called_at: at }).where("id", "=", webhookId).execute();
}

/** When the call that was taken `most` calls ago came, if that is after `since`. */
export async function callBefore(
  db: Db,
  id: string,
  { most, since, now }: { readonly most: number; readonly since: Date; readonly now: Date },
): Promise<Date | undefined> {
  const row = await db
    .selectFrom("webhook_receipts")
    .select("received_at")
    .where("webhook_id", "=", id)
    .where("received_at", ">", since)
    // What a clock that was set back since calls later says nothing.
    .where("received_at", "<=", now)
    .orderBy("received_at", "desc")
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.received_at;
}

/** Deletes what is known of calls before then. At most `limit`; how many it were. */
export async function forgetReceipts(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_receipts where (webhook_id, delivery_key) in (
      select webhook_id, delivery_key from webhook_receipts where received_at < ${before} limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
