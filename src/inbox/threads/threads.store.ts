import { sql } from "kysely";
import { newId } from "../../shared/index.ts";
import type { Db } from "../../storage/index.ts";

export interface TalkHere {
  readonly conversationId: string;
  readonly placeId: string;
  readonly thread: string;
  readonly teammateId: string;
  readonly teammateName: string;
  /** A turn completed in its Codex thread, and it was not begun afresh since. */
  readonly isTold: boolean;
  /** Something runs there, or waits to. */
  readonly isBusy: boolean;
}

/** The conversation people mean by "this one": the latest in this place and thread. */
export async function talkHere(db: Db, placeId: string, thread: string): Promise<TalkHere | undefined> {
  const { rows } = await sql<TalkHere>`
    select c.id as "conversationId", c.place_id as "placeId", c.thread, t.id as "teammateId", t.name as "teammateName",
      exists (select 1 from codex_threads x where x.conversation_id = c.id and x.status = 'active') as "isTold",
      exists (select 1 from deliveries d where d.conversation_id = c.id
        and d.status in ('queued', 'starting', 'running')) as "isBusy"
    from conversations c join teammates t on t.id = c.teammate_id
    where c.place_id = ${placeId} and c.thread = ${thread}
    order by (select max(seq) from messages m where m.conversation_id = c.id) desc nulls last limit 1`.execute(db);
  return rows[0];
}

/** The word by which it waits in line; nobody said it, and no teammate is told. */
export async function noteTidying(db: Db, where: TalkHere, now: Date): Promise<string> {
  const id = newId();
  await db
    .insertInto("messages")
    .values({
      id,
      conversation_id: where.conversationId,
      place_id: where.placeId,
      thread: where.thread,
      author: "system",
      author_name: "Shipmate",
      text: "/compact",
      sent_at: now,
    })
    .execute();
  return id;
}
