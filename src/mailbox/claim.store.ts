import { sql } from "kysely";
import { newId } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { ClaimLimits, HoldReason, Trigger } from "./types.ts";

/** What the claim statement answers: one row about the head of the lane, or none when nothing is queued. */
export interface ClaimRow {
  verdict: "claimed" | "busy" | "not-ready" | "server-busy" | "task-limit" | "hidden";
  id: string;
  message_id: string;
  teammate_id: string;
  requester_person_id: string | null;
  trigger: Trigger;
  hold_reason: HoldReason | null;
  queue_post_id: string | null;
  ready_at: Date;
  busy_run: string | null;
  run_id: string | null;
  codex_thread_id: string | null;
  taken: { id: string; message_id: string; queue_post_id: string | null }[];
  /** Deliveries of the lane that stay queued. */
  left: number;
}

/** At most so many messages of one person become one turn. */
const companionLimit = 20;

export interface ClaimRequest {
  readonly conversationId: string;
  readonly limits: ClaimLimits;
}

/**
 * Decides and writes in one statement a lane. The lock makes counting safe: two claims at a time would both see the last
 * free slot. It comes first and alone because a statement's view of the data is as old as its own start.
 */
export async function claimHeads(
  db: Db,
  requests: readonly ClaimRequest[],
  now: Date,
): Promise<(ClaimRow | undefined)[]> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('shipmate.claim', 0))`.execute(tx);
    const heads: (ClaimRow | undefined)[] = [];
    for (const { conversationId, limits } of requests) {
      const { rows } = await statement(conversationId, newId(), limits, now).execute(tx);
      const row = rows[0];
      // Cancelled between the look and the update, or another claim won: without its delivery the run must not exist.
      if (row?.verdict === "claimed" && (row.run_id === null || row.taken.length === 0)) throw new LaneMoved();
      heads.push(row);
    }
    return heads;
  });
}

/** The lane changed under the claim, so the claim has to look again. */
export class LaneMoved extends Error {
  override readonly name = "LaneMoved";
}

function statement(conversationId: string, runId: string, limits: ClaimLimits, now: Date) {
  return sql<ClaimRow>`
    with queued as (
      select d.*, row_number() over (order by d.queue_order) as place,
        first_value(d.requester_person_id) over (order by d.queue_order) as head_person,
        first_value(d.trigger) over (order by d.queue_order) as head_trigger
      from deliveries d
      where d.conversation_id = ${conversationId} and d.status = 'queued'
      order by d.queue_order limit ${companionLimit}),
    busy as (
      select id from runs
      where conversation_id = ${conversationId} and status in ('starting', 'running', 'waiting', 'reconciling')),
    load as (
      select
        -- a run that waits for a person does no work, so it takes no slot
        (select count(*) from runs where computer = ${limits.computer}
          and status in ('starting', 'running', 'reconciling')) as executing,
        (select count(*) from runs r join conversations c on c.id = r.conversation_id
          where r.teammate_id = (select teammate_id from queued where place = 1) and c.kind in ('task', 'routine')
          and r.status in ('starting', 'running', 'waiting', 'reconciling')) as tasks),
    verdict as (
      select head.*, case
          -- also before its running turn takes it in
          when t.hidden_at is not null then 'hidden'
          when exists (select 1 from busy) then 'busy'
          when head.ready_at > ${now} then 'not-ready'
          when load.executing >= ${limits.maxConcurrentRuns} then 'server-busy'
          when c.kind in ('task', 'routine') and load.tasks >= t.task_limit then 'task-limit'
          else 'claimed' end as verdict
      from queued head, load, conversations c, teammates t
      where head.place = 1 and c.id = head.conversation_id and t.id = head.teammate_id),
    run as (
      insert into runs (id, teammate_id, conversation_id, requester_person_id, trigger, status, computer, codex_thread_id, created_at)
      select ${runId}::uuid, v.teammate_id, v.conversation_id, v.requester_person_id, v.trigger, 'starting', ${limits.computer},
        (select codex_thread_id from codex_threads where conversation_id = v.conversation_id and status <> 'retired'), ${now}
      from verdict v where v.verdict = 'claimed'
      on conflict (conversation_id) where status in ('starting', 'running', 'waiting', 'reconciling') do nothing
      returning id, codex_thread_id),
    companions as (
      -- later words of the same person directly behind the head; the first of somebody else ends the row. Tidying up is no word, nor is a routine.
      select id, message_id, place from queued where place < coalesce((
        select min(place) from queued where place > 1 and (requester_person_id is null
          or requester_person_id is distinct from head_person or ready_at > ${now}
          or array['compact', 'routine'] && array[trigger, head_trigger])), ${companionLimit + 1})),
    taken as (
      update deliveries d set status = 'starting', run_id = run.id, joined = 'start', hold_reason = null
      from run, companions q where d.id = q.id and d.status = 'queued'
      returning d.id, d.message_id, d.queue_post_id, q.place),
    held as (
      update deliveries d set hold_reason = v.verdict from verdict v
      where d.id = v.id and d.status = 'queued' and v.verdict in ('server-busy', 'task-limit', 'hidden')
        and d.hold_reason is distinct from v.verdict)
    select v.verdict, v.id, v.message_id, v.teammate_id, v.requester_person_id, v.trigger, v.hold_reason,
      v.queue_post_id, v.ready_at, (select id from busy limit 1) as busy_run,
      run.id as run_id, run.codex_thread_id,
      (select count(*)::int from queued) - (select count(*)::int from taken) as left,
      coalesce((select json_agg(json_build_object('id', id, 'message_id', message_id, 'queue_post_id', queue_post_id)
        order by place) from taken), '[]') as taken
    from verdict v left join run on true`;
}
