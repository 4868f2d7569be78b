import { sql } from "kysely";
import type { Collect, InboundFile, Quote } from "../chat/index.ts";
import { newId } from "../shared/index.ts";
import type { Db, DeliveryStatus } from "../storage/index.ts";
import type { Whereabouts } from "./seen.store.ts";

export interface NewMessage {
  readonly conversationId: string;
  readonly placeId: string;
  readonly thread: string;
  readonly personId: string | null;
  readonly authorName: string;
  readonly text: string;
  readonly platformMessageId: string | null;
  readonly quote: Quote | null;
  readonly forwardedFrom: string | null;
  readonly collect: OpenCollection | null;
  readonly sentAt: Date;
  readonly files: readonly InboundFile[];
}

interface OpenCollection {
  readonly collect: Collect;
  readonly until: Date;
}

/** How a collection is stored: its kind tells a paste, which a plain message may complete, from an album. */
function collectKey(collect: Collect): string {
  return `${collect.kind}:${collect.key}`;
}

/** Stores a message with its files; undefined when this very message is stored already (two events may carry one message). */
export async function insertMessage(db: Db, message: NewMessage): Promise<string | undefined> {
  const id = newId();
  const row = await db
    .insertInto("messages")
    .values({
      id,
      conversation_id: message.conversationId,
      place_id: message.placeId,
      thread: message.thread,
      author: "person",
      person_id: message.personId,
      author_name: message.authorName,
      text: message.text,
      platform_message_id: message.platformMessageId,
      quote: message.quote === null ? null : JSON.stringify(message.quote),
      forwarded_from: message.forwardedFrom,
      collect_key: message.collect ? collectKey(message.collect.collect) : null,
      collect_until: message.collect?.until ?? null,
      sent_at: message.sentAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await insertFiles(db, { messageId: id, platformMessageId: message.platformMessageId, files: message.files, from: 0 });
  return id;
}

interface NewFiles {
  readonly messageId: string;
  /** The part of an album that a file came with. */
  readonly platformMessageId: string | null;
  readonly files: readonly InboundFile[];
  readonly from: number;
}

async function insertFiles(db: Db, { messageId, platformMessageId, files, from }: NewFiles): Promise<void> {
  if (files.length === 0) return;
  await db
    .insertInto("attachments")
    .values(
      files.map((file, index) => ({
        id: newId(),
        message_id: messageId,
        position: from + index,
        name: file.name,
        mime: file.mime ?? null,
        size: file.size ?? null,
        kind: file.kind,
        platform_file_id: file.id,
        platform_message_id: platformMessageId,
      })),
    )
    .execute();
}

/** Parts of one thought come one after the other, also when they arrive on two ways at once. */
export async function lockCollection(db: Db, placeId: string, collect: Collect): Promise<void> {
  const key = `${placeId}:${collectKey(collect)}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
}

/** Marks a text that was put together from several messages, and can no longer be edited as one. */
const joinedMark = ":joined";

/** The message that collects under this key. */
export async function findCollecting(db: Db, placeId: string, collect: Collect): Promise<string | undefined> {
  const key = collectKey(collect);
  const row = await db
    .selectFrom("messages")
    .select("id")
    .where("place_id", "=", placeId)
    .where("collect_key", "in", [key, `${key}${joinedMark}`])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export interface Speaker {
  readonly connectionId: string;
  readonly channel: string;
  readonly thread: string;
  readonly userId: string;
}

/** The message that something said there belongs to: the one of its own collection, else a paste of the same author. */
export async function findOpenThought(
  db: Db,
  where: Speaker,
  collect: Collect | undefined,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await openThought(where, collect, now).execute(db);
  return rows[0]?.id;
}

export function openThought(where: Speaker, collect: Collect | undefined, now: Date) {
  const key = collect === undefined ? null : collectKey(collect);
  return sql<{ id: string }>`
    select m.id from places p
      join identities i on i.connection_id = p.connection_id and i.platform_user_id = ${where.userId}
      join messages m on m.place_id = p.id
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel} and m.thread = ${where.thread}
      and m.collect_until > ${now} and m.person_id is not distinct from i.person_id and m.author_name = i.display_name
      and (m.collect_key in (${key}, ${`${key}${joinedMark}`}) or (${key}::text is null and m.collect_key like 'paste:%'))
    order by m.seq desc limit 1`;
}

export interface WaitingMessage {
  readonly messageId: string;
  readonly deliveryId: string;
  readonly conversationId: string;
  readonly text: string;
  readonly files: number;
}

/**
 * A message and its copies for other teammates, as far as no run took them up yet, held so that none does before the
 * transaction ends.
 */
export async function holdWaiting(db: Db, messageId: string): Promise<WaitingMessage[]> {
  const { rows } = await sql<WaitingMessage>`
    select m.id as "messageId", d.id as "deliveryId", d.conversation_id as "conversationId", m.text,
      (select count(*)::int from attachments a where a.message_id = m.id) as files
    from messages one join messages m on m.id = one.id
        or (m.place_id = one.place_id and m.platform_message_id = one.platform_message_id)
      join deliveries d on d.message_id = m.id and d.status = 'queued'
    where one.id = ${messageId}
    order by d.queue_order
    for update of d`.execute(db);
  return rows;
}

export interface Addition {
  readonly waiting: WaitingMessage;
  /** The whole text from now on. */
  readonly text: string;
  readonly textWasJoined: boolean;
  readonly quote: Quote | null;
  readonly files: readonly InboundFile[];
  readonly platformMessageId: string;
  /** Until when more may come; null when this was the last part. */
  readonly until: Date | null;
  readonly readyAt: Date;
}

/** Adds a part to a waiting message. */
export async function extendMessage(db: Db, addition: Addition): Promise<void> {
  const { waiting, text, files, platformMessageId, until, readyAt } = addition;
  const { messageId } = waiting;
  await db
    .updateTable("messages")
    .set({ text, collect_until: until })
    .$if(addition.textWasJoined, (query) =>
      query.set({ collect_key: sql`regexp_replace(collect_key, ${`(${joinedMark})?$`}, ${joinedMark})` }),
    )
    .$if(addition.quote !== null, (query) => query.set({ quote: JSON.stringify(addition.quote) }))
    .where("id", "=", messageId)
    .execute();
  await insertFiles(db, { messageId, platformMessageId, files, from: waiting.files });
  await db.updateTable("deliveries").set({ ready_at: readyAt }).where("id", "=", waiting.deliveryId).execute();
}

/** One message as one teammate got it. */
export interface StoredMessage {
  readonly id: string;
  readonly text: string;
  /** Of what waits or runs because of it; null when nothing does any more. */
  readonly status: DeliveryStatus | null;
  readonly textWasJoined: boolean;
}

/** The message an edit or a deletion is about, for each teammate who got it; none once it was deleted. Its waiting deliveries are held until the end of the transaction. */
export async function findCopies(db: Db, where: Whereabouts): Promise<StoredMessage[]> {
  const { rows } = await sql<StoredMessage>`
    select m.id, m.text, d.status, coalesce(m.collect_key, '') like ${`%${joinedMark}`} as "textWasJoined"
    from places p join messages m on m.place_id = p.id and m.platform_message_id = ${where.messageId}
      left join lateral (
      select status from deliveries where message_id = m.id and status in ('queued', 'starting', 'running')
      order by queue_order desc limit 1 for update) d on true
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel} and m.deleted_at is null
    order by m.seq`.execute(db);
  return rows;
}

export async function changeText(db: Db, messageId: string, text: string, editedAt: Date): Promise<void> {
  await db.updateTable("messages").set({ text, edited_at: editedAt }).where("id", "=", messageId).execute();
}

export async function markDeleted(db: Db, messageId: string, now: Date): Promise<void> {
  const gone = { deleted_at: now, text: "", quote: null, forwarded_from: null };
  await db.updateTable("messages").set(gone).where("id", "=", messageId).execute();
}

/** What other messages of the place quoted of it. */
export async function dropQuotes(db: Db, where: Whereabouts): Promise<void> {
  await sql`
    update messages m set quote = m.quote - 'text' from places p
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel}
      and m.place_id = p.id and m.quote ->> 'messageId' = ${where.messageId}`.execute(db);
}

export interface WaitingDelivery {
  readonly id: string;
  readonly requesterPersonId: string | null;
}

export async function waitingDeliveries(db: Db, messageId: string): Promise<WaitingDelivery[]> {
  return db
    .selectFrom("deliveries")
    .select(["id", "requester_person_id as requesterPersonId"])
    .where("message_id", "=", messageId)
    .where("status", "=", "queued")
    .execute();
}
