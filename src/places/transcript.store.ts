import { sql } from "kysely";
import type { Db } from "../storage/index.ts";

/** One conversation of one teammate. */
interface OwnConversation {
  readonly conversationId: string;
  readonly teammateId: string;
}

/** Where somebody looks for what was said: a conversation, or every teammate's in one thread; and then those beside it in the same place. */
export interface Lookout<Here = OwnConversation | { readonly thread: string }> {
  readonly placeId: string;
  readonly here: Here;
  /** The run that looks: what it was asked is not what it looks for. */
  readonly runId?: string | undefined;
}

/** One thing that was said. Name and text are text from outside, not yet redacted. */
export interface SaidLine {
  readonly id: string;
  readonly name: string;
  readonly author: "person" | "teammate" | "system";
  readonly text: string;
  readonly sentAt: Date;
  readonly thread: string;
  readonly platformMessageId: string | null;
  /** False where it was said in another conversation of the place. */
  readonly here: boolean;
}

/** How many conversations beside the own one are looked at: those in which something was said last. In a routine's own lane nobody speaks. */
const besides = 8;
/** Of each conversation, the newest ones. */
const mostLookedAt = 5_000;

/**
 * What was said with all of these words in it, in any case: in the own conversation first, then beside it, the newest first.
 * Only since each conversation's latest reset; never what was deleted, and never in another place.
 */
export async function findSaid(
  db: Db,
  lookout: Lookout,
  what: { readonly words: readonly string[]; readonly since: Date | null; readonly limit: number },
): Promise<readonly SaidLine[]> {
  const patterns = what.words.map((word) => `%${word.replace(/[\\%_]/gu, "\\$&")}%`);
  const { rows } = await sql<SaidLine>`
    with ${conversationsOf(lookout)},
    latest as (
      select m.*, c.here from conversations_seen c join lateral (
        select * from messages m where m.conversation_id = c.id order by m.seq desc limit ${mostLookedAt}) m on true
      where m.created_at > c.since)
    select ${lineColumns} from latest m
    where ${isSaid(lookout, what.since)} and m.text ilike all(${patterns}::text[])
    order by m.here desc, m.seq desc limit ${what.limit}`.execute(db);
  return rows;
}

export interface Page {
  /** Oldest first. */
  readonly lines: readonly SaidLine[];
  /** True where more was said before them. */
  readonly more: boolean;
}

/**
 * The last things said in the own conversation, or before a message in the conversation of that one: undefined where there
 * is no such message in a conversation that this lookout may see.
 */
export async function readSaid(
  db: Db,
  lookout: Lookout<OwnConversation>,
  which: { readonly before: string | null; readonly since: Date | null; readonly limit: number },
): Promise<Page | undefined> {
  const { conversationId, teammateId } = lookout.here;
  const { rows: found } = await sql<{ id: string; seq: string | null }>`
    select c.id, m.seq from conversations c left join messages m on m.conversation_id = c.id and m.id = ${which.before}::uuid
      and m.created_at > coalesce(c.reset_at, '-infinity')
    where c.place_id = ${lookout.placeId} and c.teammate_id = ${teammateId}
      and (m.id is not null or (${which.before}::uuid is null and c.id = ${conversationId}))`.execute(db);
  const [from] = found;
  if (!from) return undefined;
  const { rows } = await sql<SaidLine>`
    select ${lineColumns} from conversations c join lateral (
      select m.*, c.id = ${conversationId} as here from messages m where m.conversation_id = c.id) m on true
    where c.id = ${from.id} and m.created_at > coalesce(c.reset_at, '-infinity')
      and (${from.seq}::bigint is null or m.seq < ${from.seq}::bigint) and ${isSaid(lookout, which.since)}
    order by m.seq desc limit ${which.limit + 1}`.execute(db);
  return { lines: rows.slice(0, which.limit).reverse(), more: rows.length > which.limit };
}

const lineColumns = sql`m.id, m.author_name as name, m.author, m.text, m.sent_at as "sentAt", m.thread,
  m.platform_message_id as "platformMessageId", m.here`;

function conversationsOf({ placeId, here }: Lookout) {
  const isHere = "thread" in here ? sql`c.thread = ${here.thread}` : sql`c.id = ${here.conversationId}`;
  // What a routine is told and says stays in its own lane; what it reported is in the conversation of the place, too.
  const isOwn = "thread" in here ? sql`false` : isHere;
  const isOurs =
    "thread" in here
      ? sql`c.routine_id is null`
      : sql`c.teammate_id = ${here.teammateId} and (c.routine_id is null or c.id = ${here.conversationId})`;
  return sql`
    of_place as (
      select c.id, ${isHere} as here, coalesce(c.reset_at, '-infinity') as since, said.seq
      from conversations c join lateral (select max(seq) as seq from messages where conversation_id = c.id) said on true
      where c.place_id = ${placeId} and ${isOurs} and said.seq is not null and (c.routine_id is null or ${isOwn})),
    conversations_seen as (
      (select * from of_place where here)
      union all (select * from of_place where not here order by seq desc limit ${besides}))`;
}

/** Without our own words that only tidy up or begin a routine's run. */
function isSaid({ runId }: Lookout, since: Date | null) {
  return sql`m.deleted_at is null and m.text <> '' and (${since}::timestamptz is null or m.sent_at >= ${since}::timestamptz)
    and not exists (select 1 from deliveries d where d.message_id = m.id
      and (d.run_id = ${runId ?? null}::uuid or d.trigger in ('compact', 'routine')))`;
}
