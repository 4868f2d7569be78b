import { sql } from "kysely";
import type { Db } from "../../storage/index.ts";

export interface ConversationHere {
  readonly id: string;
  readonly teammateName: string;
  readonly runId: string | null;
  readonly requesterPersonId: string | null;
}

/** The conversation people mean by "this one": the latest in this place and thread, with what runs in it. */
export async function conversationHere(db: Db, placeId: string, thread: string): Promise<ConversationHere | undefined> {
  const { rows } = await sql<ConversationHere>`
    select c.id, t.name as "teammateName", r.id as "runId", r.requester_person_id as "requesterPersonId"
    from conversations c join teammates t on t.id = c.teammate_id
      left join runs r on r.conversation_id = c.id and r.status in ('starting', 'running', 'waiting', 'reconciling')
    where c.place_id = ${placeId} and c.thread = ${thread}
    order by (select max(seq) from messages m where m.conversation_id = c.id) desc nulls last limit 1`.execute(db);
  return rows[0];
}

/** Whose work is looked at: one place's, one person's, or all. */
export interface Scope {
  readonly placeId?: string | undefined;
  readonly personId?: string | undefined;
}

export interface ActiveRun {
  readonly teammateName: string;
  readonly requesterName: string | null;
  readonly placeTitle: string | null;
  readonly startedAt: Date;
  /** True while a person has to decide something. */
  readonly waits: boolean;
}

export async function activeRuns(db: Db, scope: Scope): Promise<ActiveRun[]> {
  return db
    .selectFrom("runs as r")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .innerJoin("conversations as c", "c.id", "r.conversation_id")
    .innerJoin("places as p", "p.id", "c.place_id")
    .leftJoin("people as by", "by.id", "r.requester_person_id")
    .select(["t.name as teammateName", "by.display_name as requesterName", "p.title as placeTitle"])
    .select((eb) => [
      eb.fn.coalesce("r.started_at", "r.created_at").as("startedAt"),
      eb("r.status", "=", "waiting").$castTo<boolean>().as("waits"),
    ])
    .where("r.status", "in", ["starting", "running", "waiting", "reconciling"])
    .$if(scope.placeId !== undefined, (query) => query.where("c.place_id", "=", scope.placeId ?? ""))
    .$if(scope.personId !== undefined, (query) => query.where("r.requester_person_id", "=", scope.personId ?? ""))
    .orderBy("r.created_at")
    .limit(20)
    .execute();
}

export async function countWaiting(db: Db, scope: Scope): Promise<number> {
  const { count } = await db
    .selectFrom("deliveries as d")
    .innerJoin("conversations as c", "c.id", "d.conversation_id")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("d.status", "=", "queued")
    // What happens by itself is no message.
    .where("d.trigger", "<>", "routine")
    .$if(scope.placeId !== undefined, (query) => query.where("c.place_id", "=", scope.placeId ?? ""))
    .$if(scope.personId !== undefined, (query) => query.where("d.requester_person_id", "=", scope.personId ?? ""))
    .executeTakeFirstOrThrow();
  return Number(count);
}
