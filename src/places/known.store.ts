import { sql } from "kysely";
import type { KnownPlace } from "../chat/index.ts";
import type { Db } from "../storage/index.ts";

/** What was said less than this before the last event we stored may have been overtaken by it. */
const overlapMs = 60_000;
const mostPlaces = 500;
const threadsOf = { used: "7 days", most: 50 };

/**
 * Where a connection has been, the liveliest places first; `since` is never longer ago than `fenceMs`. Where threads hang
 * beneath messages (`threadsBeneath`), an answer to a routine's report may be the first thing in its thread.
 */
export async function knownPlaces(
  db: Db,
  connectionId: string,
  fenceMs: number,
  threadsBeneath = false,
): Promise<KnownPlace[]> {
  const { rows } = await sql<KnownPlace>`
    select p.channel, p.kind,
      greatest(last.at - make_interval(secs => ${overlapMs / 1000}), now() - make_interval(secs => ${fenceMs / 1000})) as since,
      array(select used.thread from (
          select c.thread, said.at from conversations c join lateral (
            select max(m.created_at) as at from messages m where m.conversation_id = c.id) said on true
          where c.place_id = p.id and c.thread <> ''
          union all
          select case when posted.thread is null then posted.platform_message_id else posted.thread end, posted.sent_at
          from routine_reports report join posts posted on posted.id = report.post_id and posted.status = 'sent'
          where report.place_id = p.id and (posted.thread is not null or ${threadsBeneath})) used
        where used.at > now() - ${threadsOf.used}::interval
        group by used.thread order by max(used.at) desc limit ${threadsOf.most}) as threads
    from places p join lateral (
        select coalesce(max(e.received_at), p.created_at) as at from inbound_events e where e.place_id = p.id) last on true
    where p.connection_id = ${connectionId} and p.archived_at is null
    order by last.at desc limit ${mostPlaces}`.execute(db);
  return rows;
}
