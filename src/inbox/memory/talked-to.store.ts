import { sql } from "kysely";
import type { Db } from "../../storage/index.ts";

/** The teammate that was talked to last in this place and thread. */
export async function talkedTo(db: Db, placeId: string, thread: string): Promise<string | undefined> {
  const { rows } = await sql<{ teammateId: string }>`
    select c.teammate_id as "teammateId"
    from conversations c join lateral (select max(seq) as seq from messages m where m.conversation_id = c.id) latest on true
    where c.place_id = ${placeId} and c.thread = ${thread}
    order by latest.seq desc nulls last limit 1`.execute(db);
  return rows[0]?.teammateId;
}
