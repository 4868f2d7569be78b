import { sql } from "kysely";
import type { Db } from "../storage/index.ts";

export interface Surroundings {
  readonly placeId: string;
  /** As conversations store it: "" outside threads. */
  readonly thread: string;
  /** The platform's id of the message that starts this thread, when the run's first message is it: then it is the channel that surrounds it. */
  readonly root: string | null;
  readonly conversationId: string;
  readonly teammateId: string;
  /** Nothing that was said later. */
  readonly before: Date;
  /** How many lines at most, the newest of each. */
  readonly people: number;
  readonly teammates: number;
}

/** Something said around a conversation. Name and text are text from outside. */
export interface Line {
  readonly author: "person" | "teammate";
  readonly name: string;
  readonly text: string;
  readonly sentAt: Date;
  readonly thread: string;
}

/** What is kept and told of one thing said around us, in characters. */
export const longestSaid = 1_500;

/**
 * What people and other teammates said in the same place and thread and this teammate was not told yet, oldest first:
 * since it last answered there, since the conversation was started afresh, and at most a day old.
 */
export async function saidAround(db: Db, around: Surroundings): Promise<readonly Line[]> {
  const { placeId, thread, root, conversationId, teammateId, before, people, teammates } = around;
  const startsThread = root !== null;
  // What starts a thread is stored in it, and was said in the channel all the same. In a direct message each thread is on its own.
  const messageIsHere = startsThread
    ? sql`(m.thread = '' or (m.thread = m.platform_message_id and p.kind <> 'dm'))`
    : sql`m.thread = ${thread}`;
  // What a thread hangs on belongs to it, also where nobody had mentioned us by then.
  const seenIsHere = startsThread
    ? sql`s.thread in ('', s.platform_message_id)`
    : sql`(s.thread = ${thread} or (s.platform_message_id = ${thread} and ${thread} <> ''))`;
  const { rows } = await sql<Line>`
    with here as (
      select p.id, p.kind, greatest(${before}::timestamptz - interval '24 hours', own.reset_at, told.at) as since
      from places p
        join conversations own on own.id = ${conversationId}
        left join conversations c on c.place_id = p.id and c.teammate_id = ${teammateId}
          and c.thread = ${startsThread ? "" : thread} and c.routine_id is null
        left join lateral (
          select a.sent_at from messages a where a.conversation_id = c.id and a.author = 'teammate'
            -- A routine's report was posted without a look at what was said there.
            and not exists (select 1 from routine_reports report where report.message_id = a.id)
          order by a.seq desc limit 1) answer on true
        -- What was said while it worked came too late for that answer. Some platforms tell the time in whole seconds only.
        left join lateral (
          select date_trunc('second', coalesce(max(r.created_at), answer.sent_at)) as at from runs r
          where r.conversation_id = c.id and r.created_at <= answer.sent_at) told on true
      where p.id = ${placeId}),
    of_people as (
      select distinct on (id) * from (
        select s.platform_message_id as id, 'person' as author, s.author_name as name, s.text, s.sent_at, s.thread
          from here p join seen_messages s on s.place_id = p.id
          where ${seenIsHere} and s.sent_at >= p.since and s.sent_at <= ${before}
        union all
        select coalesce(m.platform_message_id, m.id::text), 'person', m.author_name, m.text, m.sent_at, m.thread
          from here p join messages m on m.place_id = p.id
          where ${messageIsHere} and m.author = 'person' and m.conversation_id is distinct from ${conversationId}
            and m.sent_at >= p.since and m.sent_at <= ${before} and m.deleted_at is null) said
      where text <> '' and not exists (
        select 1 from messages mine where mine.place_id = ${placeId} and mine.platform_message_id = said.id
          and mine.conversation_id = ${conversationId})
      order by id),
    of_teammates as (
      select m.author, m.author_name as name, m.text, m.sent_at, m.thread
      from here p join messages m on m.place_id = p.id
      where ${messageIsHere} and m.author = 'teammate' and m.teammate_id is distinct from ${teammateId}
        and m.conversation_id is distinct from ${conversationId}
        -- What a routine's own lane knows is also where it was reported, if it was.
        and not exists (select 1 from conversations r where r.id = m.conversation_id and r.routine_id is not null)
        and m.sent_at >= p.since and m.sent_at <= ${before} and m.deleted_at is null and m.text <> ''),
    newest as (
      (select author, name, text, sent_at, thread from of_people order by sent_at desc limit ${people})
      union all
      (select author, name, text, sent_at, thread from of_teammates order by sent_at desc limit ${teammates}))
    select author, name, left(text, ${longestSaid}) as text, sent_at as "sentAt", thread from newest order by sent_at`.execute(
    db,
  );
  return rows;
}
