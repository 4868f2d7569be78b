import type { Persona } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Db } from "../storage/index.ts";
import { personaOf } from "../teammates/index.ts";

export interface QueueNotice {
  to: Destination;
  conversationId: string;
  requesterPersonId: string | null;
  replyTo: string | null;
  locale: string | null;
  /** The teammate that is asked. */
  speaker: Persona;
}

/** Where and to whom a queue post speaks; to nobody about a routine, which nobody waits for. */
export async function queueNotice(db: Db, deliveryId: string): Promise<QueueNotice | undefined> {
  const row = await db
    .selectFrom("deliveries as d")
    .innerJoin("conversations as c", "c.id", "d.conversation_id")
    .innerJoin("places as p", "p.id", "c.place_id")
    .innerJoin("teammates as t", "t.id", "d.teammate_id")
    .innerJoin("messages as m", "m.id", "d.message_id")
    .leftJoin("people as person", "person.id", "d.requester_person_id")
    .select([
      "p.connection_id",
      "p.channel",
      "p.kind",
      "c.thread",
      "t.name",
      "t.picture",
      "m.platform_message_id",
      "person.locale",
    ])
    .select(["d.conversation_id", "d.requester_person_id"])
    .where("d.id", "=", deliveryId)
    .where("d.trigger", "<>", "routine")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    to: {
      connectionId: row.connection_id,
      address: { channel: row.channel, thread: row.thread === "" ? undefined : row.thread },
      placeKind: row.kind,
    },
    conversationId: row.conversation_id,
    requesterPersonId: row.requester_person_id,
    replyTo: row.platform_message_id,
    locale: row.locale,
    speaker: personaOf(row),
  };
}

/** What waits in a lane without having been told so, oldest first; what waits for a stated time was told otherwise. */
export async function withoutQueuePost(db: Db, conversationId: string, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("deliveries")
    .select("id")
    .where("conversation_id", "=", conversationId)
    .where("status", "=", "queued")
    .where("queue_post_id", "is", null)
    .where("ready_at", "<=", now)
    .orderBy("queue_order")
    .limit(20)
    .execute();
  return rows.map((row) => row.id);
}

/** The post that shows a delivery's place in line, if any; nobody else shows one until the end of the transaction. */
export async function lockQueuePost(db: Db, deliveryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("deliveries")
    .select("queue_post_id")
    .where("id", "=", deliveryId)
    .forUpdate()
    .executeTakeFirst();
  return row?.queue_post_id ?? undefined;
}

/** Notes which post shows a delivery's place in line; false when it already has one or left the line. */
export async function setQueuePost(db: Db, deliveryId: string, postId: string): Promise<boolean> {
  const result = await db
    .updateTable("deliveries")
    .set({ queue_post_id: postId })
    .where("id", "=", deliveryId)
    .where("status", "=", "queued")
    .where("queue_post_id", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
