import { sql } from "kysely";
import { newId } from "../shared/index.ts";
import type { Db, RoutineSkip, RoutineSource } from "../storage/index.ts";
import type { OpenDue } from "./due.ts";
import type { StoredRoutine } from "./routines.store.ts";
import type { RoutineBriefing, RoutineRun } from "./types.ts";

/** How a routine's lane stands. */
export interface LaneState {
  /** The latest due time of its present trigger that was run or skipped. */
  readonly settled: Date | null;
  readonly working: boolean;
  readonly waiting: number;
}

export async function laneState(
  db: Db,
  { id, conversationId, triggerRevision }: Pick<StoredRoutine, "id" | "conversationId" | "triggerRevision">,
): Promise<LaneState> {
  const { rows } = await sql<LaneState>`
    select
      (select scheduled_for from routine_runs where routine_id = ${id} and source = 'schedule'
        and trigger_revision = ${triggerRevision} order by scheduled_for desc limit 1) as settled,
      exists (select 1 from runs where conversation_id = ${conversationId}
        and status in ('starting', 'running', 'waiting', 'reconciling')) as working,
      (select count(*)::int from deliveries where conversation_id = ${conversationId} and status = 'queued') as waiting`.execute(
    db,
  );
  return rows[0] ?? { settled: null, working: false, waiting: 0 };
}

export interface NewRun {
  readonly id: string;
  readonly source: RoutineSource;
  readonly scheduledFor: Date;
  readonly late: boolean;
  readonly missed: number;
  readonly missedSince: Date | null;
  readonly payload: string | null;
  readonly personId: string | null;
}

/** Stores a run and the message that its delivery carries; undefined where that due time has one already. */
export async function addRun(db: Db, routine: StoredRoutine, run: NewRun, now: Date): Promise<string | undefined> {
  const { id, triggerRevision, conversationId, home, name } = routine;
  const messageId = newId();
  const { rows } = await sql<{ id: string }>`
    with run as (
      insert into routine_runs (id, routine_id, source, scheduled_for, trigger_revision, late, missed, missed_since, payload,
        person_id, created_at)
      values (${run.id}, ${id}, ${run.source}, ${run.scheduledFor}, ${triggerRevision}, ${run.late}, ${run.missed},
        ${run.missedSince}, ${run.payload}, ${run.personId}, ${now})
      on conflict (routine_id, source, scheduled_for) do nothing returning id)
    insert into messages (id, conversation_id, place_id, thread, author, author_name, text, sent_at)
    select ${messageId}::uuid, ${conversationId}::uuid, ${home.placeId}::uuid, ${home.thread}, 'system', 'Shipmate', ${name}, ${now}
    from run returning id`.execute(db);
  return rows[0]?.id;
}

export async function setDelivery(db: Db, id: string, deliveryId: string): Promise<void> {
  await db.updateTable("routine_runs").set({ delivery_id: deliveryId }).where("id", "=", id).execute();
}

/** Due times that do not run, and why; false where the last of them has a row already. */
export async function addSkipped(
  db: Db,
  routine: Pick<StoredRoutine, "id" | "triggerRevision">,
  due: OpenDue,
  because: RoutineSkip,
  now: Date,
): Promise<boolean> {
  const result = await db
    .insertInto("routine_runs")
    .values({
      id: newId(),
      routine_id: routine.id,
      source: "schedule",
      scheduled_for: due.scheduledFor,
      trigger_revision: routine.triggerRevision,
      late: due.late,
      missed: due.missed,
      missed_since: due.missedSince,
      skipped_because: because,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["routine_id", "source", "scheduled_for"]).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** A moment that no run of this source has yet, at or right after the wanted one. */
export async function freeMoment(db: Db, routineId: string, source: RoutineSource, wanted: Date): Promise<Date> {
  const last = await db
    .selectFrom("routine_runs")
    .select("scheduled_for")
    .where("routine_id", "=", routineId)
    .where("source", "=", source)
    .orderBy("scheduled_for", "desc")
    .limit(1)
    .executeTakeFirst();
  const after = last === undefined ? 0 : last.scheduled_for.getTime() + 1;
  return new Date(Math.max(wanted.getTime(), after));
}

/** The run that this key made. */
export async function runOfKey(db: Db, idempotencyKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("deliveries as d")
    .innerJoin("routine_runs as r", "r.delivery_id", "d.id")
    .select("r.id")
    .where("d.idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
  return row?.id;
}

/** Its latest runs. What was asked for again carries the same message: the last try counts. */
export async function runs(db: Db, routineId: string, limit: number): Promise<RoutineRun[]> {
  const { rows } = await sql<RoutineRun>`
    select rr.id, rr.routine_id as "routineId", rr.source, rr.scheduled_for as "scheduledFor", rr.late, rr.missed,
      rr.missed_since as "missedSince", rr.skipped_because as "skippedBecause", rr.quiet, rr.created_at as "createdAt",
      d.run_id as "runId",
      case
        when rr.skipped_because is not null then 'skipped'
        when d.id is null then 'cancelled'
        when d.status in ('queued', 'starting') then 'queued'
        when d.status = 'running' then case when run.status = 'waiting' then 'needs_attention' else 'running' end
        when d.status = 'completed' then case when rr.failure is null then 'succeeded' else 'failed' end
        else d.status end as status,
      case when d.status in ('failed', 'interrupted') then coalesce(run.error_code, d.error_code, rr.failure)
        else rr.failure end as failure,
      case when rr.skipped_because is null then d.ended_at else rr.created_at end as "endedAt"
    from (select * from routine_runs where routine_id = ${routineId} order by created_at desc, id desc limit ${limit}) rr
    left join deliveries first on first.id = rr.delivery_id
    left join lateral (
      select * from deliveries again where again.message_id = first.message_id order by again.queue_order desc limit 1) d on true
    left join runs run on run.id = d.run_id
    order by rr.created_at desc, rr.id desc`.execute(db);
  return rows;
}

/** What a run has to know, also one that answers what such a run asked. Over: deleted, or stopped because nobody may ask for it, or its reports could go nowhere. */
export async function briefing(db: Db, runId: string): Promise<RoutineBriefing | undefined> {
  const { rows } = await sql<RoutineBriefing & { authorId: string | null; authorName: string | null }>`
    with recursive about as (
      select ${runId}::uuid as run_id
      union
      select a.run_id from about join deliveries d on d.run_id = about.run_id
        join attention a on a.id = case when d.idempotency_key like 'decision:%' then substr(d.idempotency_key, 10)::uuid end
      where a.run_id is not null)
    select rr.id as "routineRunId", r.id as "routineId", r.kind, r.name, r.instruction, rr.source,
      rr.scheduled_for as "scheduledFor", r.timezone, rr.late, rr.missed, rr.missed_since as "missedSince", rr.payload,
      r.limit_policy as "atLimit", p.id as "authorId", p.display_name as "authorName", rr.quiet, rr.failure,
      (r.deleted_at is not null or coalesce(r.stopped_because in ('author', 'place'), false)
        or p.id is null or p.disabled_at is not null or p.role = 'guest') as "isOver"
    from deliveries d
    join deliveries first on first.message_id = d.message_id
    join routine_runs rr on rr.delivery_id = first.id
    join routines r on r.id = rr.routine_id
    left join people p on p.id = r.created_by
    where d.run_id in (select run_id from about)
    order by d.queue_order limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { authorId, authorName, ...rest } = row;
  return { ...rest, author: authorId === null || authorName === null ? null : { id: authorId, name: authorName } };
}

/** Nothing is new, unless something went wrong. */
export async function setQuiet(db: Db, id: string): Promise<void> {
  await db.updateTable("routine_runs").set({ quiet: true }).where("id", "=", id).where("failure", "is", null).execute();
}

export async function setFailure(db: Db, id: string, failure: string): Promise<void> {
  await db.updateTable("routine_runs").set({ failure, quiet: false }).where("id", "=", id).execute();
}

export async function setSkipped(db: Db, id: string, because: RoutineSkip): Promise<void> {
  await db.updateTable("routine_runs").set({ skipped_because: because }).where("id", "=", id).execute();
}

/** Deletes runs from before then, but of each routine and source the latest: by it is known what was settled. At most `limit`; how many it were. */
export async function forgetRuns(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from routine_runs where id in (
      select old.id from routine_runs old where old.created_at < ${before}
        and exists (select 1 from routine_runs kept where kept.routine_id = old.routine_id and kept.source = old.source
          and kept.scheduled_for > old.scheduled_for)
      limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
