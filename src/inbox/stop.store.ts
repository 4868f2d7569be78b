import { sql } from "kysely";
import type { Db } from "../storage/index.ts";

export interface Lane {
  readonly conversationId: string;
  /** The run in it that this person asked for. */
  readonly runId: string | null;
}

interface Where {
  readonly placeId: string;
  /** Null for every thread of the place. */
  readonly thread: string | null;
  readonly personId: string;
}

/** The conversations of a place and thread in which something runs or waits that a person asked for. */
export async function lanesHere(db: Db, where: Where): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    select c.id as "conversationId", r.id as "runId"
    from conversations c left join runs r on r.conversation_id = c.id and r.requester_person_id = ${where.personId}
      and r.status in ('starting', 'running', 'waiting', 'reconciling')
    where c.place_id = ${where.placeId} and c.thread = coalesce(${where.thread}, c.thread)
      and (r.id is not null or exists (select 1 from deliveries d
        where d.conversation_id = c.id and d.status = 'queued' and d.requester_person_id = ${where.personId}))
    order by c.id`.execute(db);
  return rows;
}

/** The run that a native draft belongs to. */
export async function runOfDraft(db: Db, draftId: number, connectionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("live_views")
    .select("run_id")
    .where("draft_id", "=", draftId)
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row?.run_id;
}
