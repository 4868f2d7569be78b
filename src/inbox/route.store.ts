import { sql } from "kysely";
import type { Db } from "../storage/index.ts";

export interface RouteQuestion {
  readonly connectionId: string;
  readonly channel: string;
  readonly placeId: string;
  readonly thread: string;
  /** Whom the person addressed by name. */
  readonly chosen: readonly string[];
  /** The platform's id of our message that was replied to. */
  readonly repliedTo: string | null;
  /** The platform's id of the message itself. */
  readonly messageId: string | null;
  /** Null for a stranger. */
  readonly personId: string | null;
  readonly authorName: string;
  readonly now: Date;
}

export interface Recipient {
  readonly teammateId: string;
  readonly teammateName: string;
  /** Null where this teammate has not spoken here yet. */
  readonly conversationId: string | null;
  readonly waitingForTeammate: number;
  /** Of the same person, for this teammate. */
  readonly waitingForPerson: number;
}

export interface Route {
  /** In the order of their ids: several messages at once then never wait for one another in a circle. */
  readonly recipients: readonly Recipient[];
  /** Whom it is for besides, by name, and who is away: hidden teammates take nothing new. */
  readonly away: readonly string[];
  /** Who would answer here if nobody were named; null where the bot is one teammate's own. */
  readonly standIn: string | null;
  /** A message of the same author here whose text may go on. */
  readonly openPaste: string | null;
  /** True where this very message is stored already. */
  readonly isStored: boolean;
}

type Row = Recipient & Pick<Route, "standIn" | "openPaste" | "isStored"> & { readonly hidden: boolean };

/**
 * Who answers, and what waits there already, in one look: whose bot it is → chosen (several may be) → the teammate of
 * the message replied to → the thread's latest → whose post or thread it began with → the place's lead → the oldest. A hidden teammate never answers: what is meant for
 * one is refused, and what is for nobody in particular goes to the next.
 */
export async function findRoute(db: Db, question: RouteQuestion): Promise<Route | undefined> {
  const { connectionId, channel, placeId, thread, chosen, repliedTo, messageId, personId, authorName, now } = question;
  const { rows } = await sql<Row>`
    with candidates (id, rank) as (
      select t.id, 0 from connections c join teammates t on t.handle = c.teammate_handle where c.id = ${connectionId}
      union all
      select unnest(${chosen}::uuid[]), 1
      union all
      (select c.teammate_id, 2 from posts p join conversations c on c.id = p.conversation_id
        where p.connection_id = ${connectionId} and p.channel = ${channel} and p.platform_message_id = ${repliedTo} limit 1)
      union all
      (select c.teammate_id, 3 from conversations c join teammates t on t.id = c.teammate_id
        where c.place_id = ${placeId} and c.thread = ${thread} and ${thread} <> '' and c.routine_id is null
        order by t.hidden_at is not null, (select max(seq) from messages m where m.conversation_id = c.id) desc nulls last limit 1)
      union all
      (select c.teammate_id, 4 from posts p join conversations c on c.id = p.conversation_id
        where p.connection_id = ${connectionId} and p.channel = ${channel} and p.platform_message_id = ${thread} and ${thread} <> ''
        limit 1)
      union all
      (select t.id, 5 from places p join teammates t on t.id = p.lead_teammate_id
        where p.id = ${placeId} and t.hidden_at is null)
      union all
      (select id, 6 from teammates where hidden_at is null order by created_at, id limit 1)),
    chosen as (
      select t.id, t.name, t.hidden_at is not null as hidden, rank, min(rank) over () as first
      from candidates join teammates t using (id))
    select t.id as "teammateId", t.name as "teammateName", t.hidden, c.id as "conversationId",
      (select o.name from chosen o where o.rank > 4 and t.first > 0 order by o.rank limit 1) as "standIn",
      (select count(*)::int from deliveries d where d.status = 'queued' and d.teammate_id = t.id
        and d.trigger <> 'routine') as "waitingForTeammate",
      (select count(*)::int from deliveries d where d.status = 'queued' and d.teammate_id = t.id
        and d.trigger <> 'routine' and (d.requester_person_id = ${personId}
          or (${personId}::uuid is null and d.requester_person_id is null and d.conversation_id = c.id))) as "waitingForPerson",
      (select m.id from messages m where m.place_id = ${placeId} and m.thread = ${thread} and m.collect_key like 'paste:%'
        and m.collect_until > ${now} and m.person_id is not distinct from ${personId} and m.author_name = ${authorName}
        order by m.seq desc limit 1) as "openPaste",
      exists (select 1 from messages m where m.place_id = ${placeId} and m.platform_message_id = ${messageId}) as "isStored"
    from chosen t left join conversations c on c.place_id = ${placeId} and c.teammate_id = t.id and c.thread = ${thread}
      and c.routine_id is null
    where t.rank = t.first
    order by t.id`.execute(db);
  const [first] = rows;
  if (!first) return undefined;
  const { standIn, openPaste, isStored } = first;
  const away = rows.filter(({ hidden }) => hidden).map(({ teammateName }) => teammateName);
  return { recipients: rows.filter(({ hidden }) => !hidden), away, standIn, openPaste, isStored };
}
