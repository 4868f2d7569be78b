import type { Db, DeliveryStatus } from "../storage/index.ts";
import type { HoldReason, NewDelivery, QueuedDelivery, Trigger } from "./types.ts";

/** Stores a delivery; the same key again gives the first one's id. */
export async function insertDelivery(db: Db, id: string, delivery: NewDelivery, now: Date): Promise<string> {
  const inserted = await db
    .insertInto("deliveries")
    .values({
      id,
      message_id: delivery.messageId,
      teammate_id: delivery.teammateId,
      conversation_id: delivery.conversationId,
      requester_person_id: delivery.requesterPersonId,
      trigger: delivery.trigger,
      status: "queued",
      ready_at: delivery.readyAt ?? now,
      retry_of: delivery.retryOf ?? null,
      idempotency_key: delivery.idempotencyKey,
    })
    .onConflict((conflict) => conflict.column("idempotency_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted !== undefined) return inserted.id;
  const first = await db
    .selectFrom("deliveries")
    .select("id")
    .where("idempotency_key", "=", delivery.idempotencyKey)
    .executeTakeFirstOrThrow();
  return first.id;
}

/** Takes one queued delivery for a running turn; false when it is no longer queued. */
export async function takeForSteer(db: Db, deliveryId: string, runId: string): Promise<boolean> {
  const result = await db
    .updateTable("deliveries")
    .set({ status: "starting", run_id: runId, joined: "steer" })
    .where("id", "=", deliveryId)
    .where("status", "=", "queued")
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function setStatus(
  db: Db,
  deliveryId: string,
  from: readonly DeliveryStatus[],
  to: DeliveryStatus,
  ended: { at: Date; errorCode: string | null } | null,
): Promise<boolean> {
  const result = await db
    .updateTable("deliveries")
    .set({ status: to, ended_at: ended?.at ?? null, error_code: ended?.errorCode ?? null })
    .where("id", "=", deliveryId)
    .where("status", "in", from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends every delivery of a run, but not one whose steer is still on its way: its own outcome decides. */
export async function settleRun(
  db: Db,
  runId: string,
  status: "completed" | "failed" | "interrupted" | "cancelled",
  errorCode: string | null,
  now: Date,
): Promise<void> {
  await db
    .updateTable("deliveries")
    .set({ status, ended_at: now, error_code: errorCode })
    .where("run_id", "=", runId)
    .where((e) => e.or([e("status", "=", "running"), e.and([e("status", "=", "starting"), e("joined", "=", "start")])]))
    .execute();
}

/** Puts deliveries of a run back into their old places in the line; gives the lane of each. */
export async function putBack(
  db: Db,
  where: { runId: string } | { deliveryId: string },
  reason: HoldReason | null,
  readyAt: Date | undefined,
): Promise<string[]> {
  const rows = await db
    .updateTable("deliveries")
    .set({
      status: "queued",
      run_id: null,
      joined: null,
      hold_reason: reason,
      ...(readyAt ? { ready_at: readyAt } : {}),
    })
    .where("status", "in", ["starting", "running"])
    .$if("runId" in where, (q) =>
      q
        .where("run_id", "=", "runId" in where ? where.runId : "")
        // A steer that is still on its way has an outcome of its own.
        .where((e) => e.or([e("joined", "=", "start"), e("status", "=", "running")])),
    )
    .$if("deliveryId" in where, (q) => q.where("id", "=", "deliveryId" in where ? where.deliveryId : ""))
    .returning("conversation_id")
    .execute();
  return rows.map((row) => row.conversation_id);
}

/** What waits for a limit to reset is ready now; gives each lane once. */
export async function endLimit(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable("deliveries")
    .set({ ready_at: now, hold_reason: null })
    .where("status", "=", "queued")
    .where("hold_reason", "=", "usage-limit")
    .returning("conversation_id")
    .execute();
  return [...new Set(rows.map((row) => row.conversation_id))];
}

export interface CancelledDelivery {
  id: string;
  conversation_id: string;
  queue_post_id: string | null;
}

export async function cancel(
  db: Db,
  which: { deliveryId: string } | { conversationId: string; personId?: string },
  now: Date,
): Promise<CancelledDelivery[]> {
  const query = db
    .updateTable("deliveries")
    .set({ status: "cancelled", ended_at: now })
    .where("status", "=", "queued")
    .returning(["id", "conversation_id", "queue_post_id"]);
  if ("deliveryId" in which) return query.where("id", "=", which.deliveryId).execute();
  const { conversationId, personId } = which;
  return query
    .where("conversation_id", "=", conversationId)
    .$if(personId !== undefined, (q) => q.where("requester_person_id", "=", personId ?? ""))
    .execute();
}

export async function getDelivery(db: Db, id: string) {
  return db
    .selectFrom("deliveries")
    .select(["id", "status", "conversation_id", "requester_person_id"])
    .where("id", "=", id)
    .executeTakeFirst();
}

export interface RetryableDelivery {
  id: string;
  message_id: string;
  teammate_id: string;
  conversation_id: string;
  requester_person_id: string | null;
  trigger: string;
}

/** What a finished run was about, in the order of arrival. */
export async function deliveriesOfRun(db: Db, runId: string): Promise<RetryableDelivery[]> {
  return db
    .selectFrom("deliveries")
    .select(["id", "message_id", "teammate_id", "conversation_id", "requester_person_id", "trigger"])
    .where("run_id", "=", runId)
    .where("status", "in", ["completed", "failed", "interrupted"])
    .orderBy("queue_order")
    .execute();
}

export async function nextOf(
  db: Db,
  { conversationId, personId }: { conversationId: string; personId: string },
  now: Date,
): Promise<QueuedDelivery | undefined> {
  const row = await db
    .selectFrom("deliveries")
    .select(["id", "message_id", "trigger", "queue_post_id"])
    .where("conversation_id", "=", conversationId)
    .where("status", "=", "queued")
    .where("requester_person_id", "=", personId)
    .where("ready_at", "<=", now)
    .orderBy("queue_order")
    .limit(1)
    .executeTakeFirst();
  // Tidying up is nothing that is said into a turn; what stands behind it waits its turn.
  if (row === undefined || row.trigger === "compact") return undefined;
  return {
    id: row.id,
    messageId: row.message_id,
    conversationId,
    requesterPersonId: personId,
    trigger: row.trigger as Trigger,
    queuePostId: row.queue_post_id,
  };
}
