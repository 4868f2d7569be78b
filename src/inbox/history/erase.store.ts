import { sql } from "kysely";
import type { Db, PostPurpose, RunStatus } from "../../storage/index.ts";
import type { Whereabouts } from "../seen.store.ts";

/** Keeps it away for good: whoever tells this message again is not listened to. */
export async function entomb(db: Db, where: Whereabouts, now: Date): Promise<void> {
  await sql`
    insert into deleted_messages (place_id, platform_message_id, deleted_at)
    select id, ${where.messageId}, ${now} from places
    where connection_id = ${where.connectionId} and channel = ${where.channel}
    on conflict do nothing`.execute(db);
}

/** What was sent with it, also where it is a later part of an album. Gives the files on this computer. */
export async function dropAttachments(db: Db, where: Whereabouts): Promise<readonly string[]> {
  const { rows } = await sql<{ path: string | null }>`
    delete from attachments a using messages m, places p
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel} and m.place_id = p.id
      and a.message_id = m.id
      and (a.platform_message_id = ${where.messageId} or m.platform_message_id = ${where.messageId})
    returning a.path`.execute(db);
  return rows.flatMap(({ path }) => path ?? []);
}

/**
 * The threads that Codex would go on in and that know these messages end: the next turn is told the conversation anew,
 * without them. Gives the conversations in which that is so.
 */
export async function endThreads(db: Db, messageIds: readonly string[], now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ conversationId: string }>`
    with knew as (
      select distinct m.conversation_id as id from messages m
      where m.id = any(${messageIds}::uuid[]) and (
        m.author = 'teammate'
        or exists (select 1 from deliveries d where d.message_id = m.id and d.run_id is not null)
        or exists (select 1 from codex_threads t where t.conversation_id = m.conversation_id and t.created_at > m.created_at)))
    update codex_threads t set status = 'retired', retired_at = coalesce(t.retired_at, ${now}), pending_handoff = null
    from knew where t.conversation_id = knew.id and (t.status <> 'retired' or t.pending_handoff is not null)
    returning t.conversation_id as "conversationId"`.execute(db);
  return [...new Set(rows.map(({ conversationId }) => conversationId))];
}

export interface StoredEvent {
  readonly id: string;
  readonly payload: unknown;
}

/** What the timelines of the conversations of these messages hold of a text. */
export async function eventsWith(db: Db, messageIds: readonly string[], text: string): Promise<StoredEvent[]> {
  const inner = JSON.stringify(text).slice(1, -1);
  const { rows } = await sql<StoredEvent>`
    select e.id, e.payload from run_events e join runs r on r.id = e.run_id
    where r.conversation_id in (select conversation_id from messages where id = any(${messageIds}::uuid[]))
      and position(${inner} in e.payload::text) > 0`.execute(db);
  return rows;
}

export async function changeEvents(db: Db, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const changes = events.map(({ id, payload }) => ({ id, payload }));
  await sql`
    update run_events e set payload = c.payload
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (id bigint, payload jsonb) where e.id = c.id`.execute(
    db,
  );
}

/** The pieces in which something was said that is also there whole. */
export async function dropPieces(db: Db, eventIds: readonly string[]): Promise<void> {
  await sql`
    delete from run_events piece using run_events whole
    where whole.id = any(${eventIds}::bigint[]) and piece.run_id = whole.run_id and piece.item_id = whole.item_id
      and piece.kind = 'text_delta'`.execute(db);
}

export interface AnswerPost {
  readonly postId: string;
  readonly purpose: PostPurpose;
  readonly runId: string;
  readonly conversationId: string;
  readonly teammateName: string;
  readonly requesterPersonId: string | null;
  readonly runStatus: RunStatus;
}

/** An answer, or a file that came with one, by what the platform calls it. */
export async function findAnswer(db: Db, where: Whereabouts): Promise<AnswerPost | undefined> {
  return db
    .selectFrom("posts as p")
    .innerJoin("runs as r", "r.id", "p.run_id")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .select(["p.id as postId", "p.purpose", "r.id as runId", "r.conversation_id as conversationId"])
    .select(["t.name as teammateName", "r.requester_person_id as requesterPersonId", "r.status as runStatus"])
    .where("p.connection_id", "=", where.connectionId)
    .where("p.channel", "=", where.channel)
    .where("p.platform_message_id", "=", where.messageId)
    .where("p.purpose", "in", ["answer", "notice", "file"])
    .where("p.op", "in", ["post", "upload"])
    .executeTakeFirst();
}

export interface SaidPost {
  readonly id: string;
  readonly messageId: string | null;
}

/** What our posts keep of an answer: of all its parts, or of one file. Gives those posts. */
export async function emptyPosts(db: Db, answer: AnswerPost, where: Whereabouts): Promise<readonly SaidPost[]> {
  const { rows } = await sql<SaidPost>`
    update posts set body = (body - 'caption' - 'footer') || '{"text": ""}'
    where run_id = ${answer.runId} and connection_id = ${where.connectionId} and channel = ${where.channel}
      and case when ${answer.purpose} = 'file' then id = ${answer.postId}
        else op = 'post' and purpose in ('answer', 'notice') end
    returning id, platform_message_id as "messageId"`.execute(db);
  return rows;
}

/**
 * What a run answered, out of its row, its timeline and the conversation; what a routine reported, also out of the places it was
 * reported in. Gives the ids of what was said, where they are known.
 */
export async function dropAnswer(db: Db, { runId, conversationId }: AnswerPost, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    with reported as (
      select report.routine_run_id, report.message_id from posts p join routine_reports report on report.post_id = p.id
      where p.run_id = ${runId}),
    untold as (
      delete from routine_digests d using reported where d.routine_run_id = reported.routine_run_id)
    update messages set text = '', deleted_at = ${now}
    where deleted_at is null and (id in (select message_id from reported) or id = (
      select m.id from messages m join runs r on r.id = ${runId}
      where m.conversation_id = ${conversationId} and m.author = 'teammate' and m.deleted_at is null
        and m.text = r.reply and m.created_at >= r.created_at
      order by m.seq limit 1))
    returning id`.execute(db);
  await sql`update runs set reply = null where id = ${runId}`.execute(db);
  await sql`
    update run_events set payload = payload || '{"text": ""}'
    where run_id = ${runId} and kind in ('text', 'text_delta', 'thinking')`.execute(db);
  return rows.map(({ id }) => id);
}

/** How a message was taken by those it went to; none of it where it was merely heard. */
export interface KnownMessage {
  readonly personId: string | null;
  readonly authorName: string;
  /** Who works on it now. */
  readonly inWorkBy: string | null;
}

/** A message of a person, as far as we still have it. Its waiting and running deliveries are held until the transaction ends. */
export async function findMessage(db: Db, where: Whereabouts): Promise<KnownMessage | undefined> {
  await sql`
    select d.id from deliveries d join messages m on m.id = d.message_id join places p on p.id = m.place_id
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel}
      and m.platform_message_id = ${where.messageId} and d.status in ('queued', 'starting', 'running')
    for update of d`.execute(db);
  const { rows } = await sql<KnownMessage>`
    with copies as (
      select m.id, m.person_id, m.author_name from places p join messages m on m.place_id = p.id
      where p.connection_id = ${where.connectionId} and p.channel = ${where.channel}
        and m.platform_message_id = ${where.messageId} and m.deleted_at is null and m.author = 'person')
    select person_id as "personId", author_name as "authorName", (
      select t.name from deliveries d join teammates t on t.id = d.teammate_id
      where d.message_id in (select id from copies) and d.status in ('starting', 'running') limit 1) as "inWorkBy"
    from copies
    union all
    select null, s.author_name, null from places p join seen_messages s on s.place_id = p.id
    where p.connection_id = ${where.connectionId} and p.channel = ${where.channel}
      and s.platform_message_id = ${where.messageId}
    limit 1`.execute(db);
  return rows[0];
}

export async function teammatesOf(db: Db, conversationIds: readonly string[]): Promise<readonly string[]> {
  if (conversationIds.length === 0) return [];
  const rows = await db
    .selectFrom("conversations as c")
    .innerJoin("teammates as t", "t.id", "c.teammate_id")
    .select("t.name")
    .distinct()
    .where("c.id", "in", conversationIds)
    .orderBy("t.name")
    .execute();
  return rows.map(({ name }) => name);
}
