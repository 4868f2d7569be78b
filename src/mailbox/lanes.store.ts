import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import type { QueuePosition } from "./types.ts";

export async function positionOf(db: Db, deliveryId: string): Promise<QueuePosition | undefined> {
  const { rows } = await sql<QueuePosition>`
    select d.status, d.hold_reason as "holdReason", r.id is not null as working,
      (select h.hold_reason from deliveries h where h.conversation_id = d.conversation_id and h.status = 'queued'
        order by h.queue_order limit 1) as "laneHold",
      (select count(*)::int from deliveries e where e.conversation_id = d.conversation_id and e.status = 'queued'
        and e.queue_order < d.queue_order) + (case when r.id is null then 0 else 1 end) as ahead,
      p.display_name as "workingFor"
    from deliveries d
    left join runs r on r.conversation_id = d.conversation_id and r.status in ('starting', 'running', 'waiting', 'reconciling')
    left join people p on p.id = r.requester_person_id
    where d.id = ${deliveryId}`.execute(db);
  return rows[0];
}

/** Lanes that have something ready and may go on, oldest first. */
export async function lanesWithWork(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("deliveries as d")
    .innerJoin("teammates as t", "t.id", "d.teammate_id")
    .select("d.conversation_id")
    .where("d.status", "=", "queued")
    .where("d.ready_at", "<=", now)
    .where("t.hidden_at", "is", null)
    .groupBy("d.conversation_id")
    .orderBy((e) => e.fn.min("d.queue_order"))
    .limit(limit)
    .execute();
  return rows.map((row) => row.conversation_id);
}

/** What waits for a hidden teammate waits for that from now on, oldest first; what waits for a stated time does so first. */
export async function holdAll(db: Db, teammateId: string): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    with held as (
      update deliveries set hold_reason = 'hidden' where status = 'queued' and teammate_id = ${teammateId}
        and hold_reason is distinct from 'usage-limit'
      returning id, queue_order)
    select id from held order by queue_order`.execute(db);
  return rows;
}

export interface Freed {
  id: string;
  lane: string;
  /** The first of its lane. */
  isHead: boolean;
}

/** Undoes it, oldest first. */
export async function releaseAll(db: Db, teammateId: string): Promise<Freed[]> {
  const { rows } = await sql<Freed>`
    with freed as (
      update deliveries set hold_reason = nullif(hold_reason, 'hidden')
      where status = 'queued' and teammate_id = ${teammateId}
      returning id, conversation_id as lane, queue_order)
    select id, lane, row_number() over (partition by lane order by queue_order) = 1 as "isHead"
    from freed order by queue_order`.execute(db);
  return rows;
}

/**
 * The lanes to look at after a run: its own if anything waits there, and those that waited longest for any slot and for
 * one of this teammate's tasks. The words stand in the text so that the index on what is queued serves all three.
 */
export async function lanesAfter(db: Db, run: { conversationId: string; teammateId: string }): Promise<string[]> {
  const { rows } = await sql<{ lane: string }>`
    (select conversation_id as lane from deliveries where status = 'queued' and conversation_id = ${run.conversationId} limit 1)
    union
    (select conversation_id from deliveries where status = 'queued' and hold_reason = 'server-busy'
      order by queue_order limit 1)
    union
    (select conversation_id from deliveries where status = 'queued' and hold_reason = 'task-limit'
      and teammate_id = ${run.teammateId} order by queue_order limit 1)`.execute(db);
  return rows.map((row) => row.lane);
}
