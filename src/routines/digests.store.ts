import { sql } from "kysely";
import { newId } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";

export interface NewDigest {
  readonly routineRunId: string;
  readonly teammateId: string;
  readonly placeId: string;
  readonly thread: string;
  readonly postId: string;
  readonly forReplies: boolean;
  /** Redacted, and cut. */
  readonly text: string;
  readonly at: Date;
}

export async function addDigest(db: Db, digest: NewDigest): Promise<void> {
  await db
    .insertInto("routine_digests")
    .values({
      id: newId(),
      routine_run_id: digest.routineRunId,
      teammate_id: digest.teammateId,
      place_id: digest.placeId,
      thread: digest.thread,
      post_id: digest.postId,
      for_replies: digest.forReplies,
      text: digest.text,
      created_at: digest.at,
    })
    .execute();
}

/** Who is told, and where: a turn, by its run. */
export interface Told {
  readonly runId: string;
  readonly conversationId: string;
  readonly teammateId: string;
  readonly placeId: string;
  readonly thread: string;
  /** The turn begins a thread in the place, so that what was reported in the place itself surrounds it. */
  readonly startsThread: boolean;
  /** The platform's ids of the messages that this turn answers to: what its thread hangs on, and what was replied to. */
  readonly answers: readonly string[];
}

export interface Digest {
  readonly routineName: string;
  readonly text: string;
  readonly at: Date;
  /** Of the report in the history of the place, and on the platform. */
  readonly messageId: string | null;
  readonly platformMessageId: string | null;
}

/**
 * Marks what was reported there and not told yet as told by this run, and gives it, oldest first. It stays until Codex has the turn,
 * so that a turn that never began leaves it to the next one. A routine's own run is told of none.
 */
export async function takeDigests(db: Db, told: Told): Promise<Digest[]> {
  const { runId, conversationId, teammateId, placeId, thread, startsThread, answers } = told;
  const { rows } = await sql<Digest & { routineRunId: string }>`
    with here as (
      select d.id, d.routine_run_id, d.for_replies, d.text, d.created_at, p.platform_message_id, r.message_id
      from routine_digests d
        join conversations c on c.id = ${conversationId} and c.routine_id is null
        join posts p on p.id = d.post_id and p.status = 'sent'
        left join posts maker on maker.id = p.thread_post_id
        left join routine_reports r on r.routine_run_id = d.routine_run_id and r.post_id = d.post_id
        left join runs told on told.id = d.taken_by
      where d.teammate_id = ${teammateId} and d.place_id = ${placeId}
        -- Another turn that is told of it may be on its way, or was told.
        and (told.id is null or told.id = ${runId} or (told.status in ('failed', 'interrupted') and told.codex_turn_id is null))
        and case when d.for_replies
          then d.thread <> ${thread} and exists (
            select 1 from posts part where part.run_id = p.run_id and part.lane = p.lane
              and part.platform_message_id = any(${answers}::text[]))
          else coalesce(maker.platform_message_id, d.thread) = ${thread}
            or (${startsThread} and coalesce(maker.platform_message_id, d.thread) = '') end
      for update of d skip locked),
    taken as (update routine_digests d set taken_by = ${runId} from here where d.id = here.id)
    select distinct on (here.routine_run_id) here.routine_run_id as "routineRunId", routine.name as "routineName", here.text,
      here.created_at as at, here.message_id as "messageId", here.platform_message_id as "platformMessageId"
    from here join routine_runs rr on rr.id = here.routine_run_id join routines routine on routine.id = rr.routine_id
    order by here.routine_run_id, here.for_replies desc`.execute(db);
  return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Codex has the turn: what its prompt told of is not told again. */
export async function dropTaken(db: Db, runId: string): Promise<void> {
  await db.deleteFrom("routine_digests").where("taken_by", "=", runId).execute();
}

/** Deletes what nobody was told of since then, at most `limit`. How many it were. */
export async function forgetDigests(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from routine_digests where id in (
      select id from routine_digests where created_at < ${before} limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
