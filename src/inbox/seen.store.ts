import { sql } from "kysely";
import type { Db } from "../storage/index.ts";

/** How a message is found by what its platform says of it. */
export interface Whereabouts {
  readonly connectionId: string;
  readonly channel: string;
  readonly messageId: string;
}

export interface SeenMessage {
  readonly placeId: string;
  readonly messageId: string;
  readonly thread: string;
  readonly authorName: string;
  readonly text: string;
  readonly sentAt: Date;
}

/** Keeps what was said around us: not every platform can tell it later. */
export async function keepSeen(db: Db, seen: SeenMessage): Promise<void> {
  await db
    .insertInto("seen_messages")
    .values({
      place_id: seen.placeId,
      platform_message_id: seen.messageId,
      thread: seen.thread,
      author_name: seen.authorName,
      text: seen.text,
      sent_at: seen.sentAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** False when no such message was seen. */
export async function changeSeen(db: Db, where: Whereabouts, text: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update seen_messages s set text = ${text} from places p
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel}
      and s.place_id = p.id and s.platform_message_id = ${where.messageId}`.execute(db);
  return numAffectedRows !== 0n;
}

/** False when no such message was seen. */
export async function dropSeen(db: Db, where: Whereabouts): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from seen_messages s using places p
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel}
      and s.place_id = p.id and s.platform_message_id = ${where.messageId}`.execute(db);
  return numAffectedRows !== 0n;
}

/** What waits in the card that asks who may ask there, to be answered once somebody decides. */
export async function dropQuestion(db: Db, where: Whereabouts): Promise<void> {
  await sql`
    update action_tokens k set payload = k.payload - 'question' from places p
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel} and p.access = 'closed'
      and k.action = 'place_access' and k.used_at is null and k.payload ->> 'placeId' = p.id::text
      and k.payload -> 'question' ->> 'messageId' = ${where.messageId}`.execute(db);
}

/** No place needs more of them: what a teammate is told of it is far less. */
const mostPerPlace = 2_000;

/** Deletes what was seen before then, and in each place what goes beyond the newest 2,000; at most `limit`. How many it were. */
export async function forgetSeen(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from seen_messages where (place_id, platform_message_id) in (
      (select place_id, platform_message_id from seen_messages where sent_at < ${before} limit ${limit})
      union
      (select s.place_id, s.platform_message_id from places p cross join lateral (
        select place_id, platform_message_id from seen_messages where place_id = p.id
        order by sent_at desc offset ${mostPerPlace}) s limit ${limit})
      limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
