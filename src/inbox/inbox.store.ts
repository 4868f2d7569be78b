import { sql } from "kysely";
import type { InboundEvent } from "../chat/index.ts";
import type { Db } from "../storage/index.ts";
import type { Outcome } from "./outcome.ts";

export interface Arrival {
  readonly connectionId: string;
  readonly event: InboundEvent;
  /** Where it is clear at once that nothing comes of it. */
  readonly outcome: Outcome;
  readonly now: Date;
}

/** `deleted`: it says something again that was deleted. */
export type Arrived = "new" | "known" | "deleted";

/**
 * Takes the event's key, unless the same event came before. A second copy that arrives meanwhile waits here
 * until the first one's transaction ended. What is known of its place and author is noted along the way.
 */
export async function recordArrival(db: Db, { connectionId, event, outcome, now }: Arrival): Promise<Arrived> {
  const said = event.kind === "message" ? event.messageId : null;
  const authorId = event.kind === "deletion" ? null : event.author.id;
  const { rows } = await sql<{ isDeleted: boolean }>`
    insert into inbound_events (connection_id, key, kind, outcome, reason, received_at, place_id, identity_id)
    values (${connectionId}, ${event.key}, ${event.kind}, ${outcome.kind}, ${reasonOf(outcome)}, ${now},
      (select id from places where connection_id = ${connectionId} and channel = ${event.place.channel}),
      (select id from identities where connection_id = ${connectionId} and platform_user_id = ${authorId}))
    on conflict do nothing
    returning exists (select 1 from deleted_messages d
      where d.place_id = inbound_events.place_id and d.platform_message_id = ${said}) as "isDeleted"`.execute(db);
  const [row] = rows;
  if (row === undefined) return "known";
  return row.isDeleted ? "deleted" : "new";
}

export interface Settled {
  readonly connectionId: string;
  readonly key: string;
  readonly outcome: Outcome;
  /** What was noted on arrival stays where these are absent. */
  readonly placeId?: string;
  readonly identityId?: string;
}

/** Writes down what became of an event. */
export async function settle(db: Db, settled: Settled): Promise<void> {
  const { outcome } = settled;
  await db
    .updateTable("inbound_events")
    .set({
      outcome: outcome.kind,
      reason: reasonOf(outcome),
      ...(settled.placeId === undefined ? {} : { place_id: settled.placeId }),
      ...(settled.identityId === undefined ? {} : { identity_id: settled.identityId }),
      message_id: "messageId" in outcome ? outcome.messageId : null,
    })
    .where("connection_id", "=", settled.connectionId)
    .where("key", "=", settled.key)
    .execute();
}

function reasonOf(outcome: Outcome): string | null {
  return outcome.kind === "dropped" ? outcome.reason : null;
}

/** How often an identity guessed wrong since then. Holds the identity until the end of the transaction, so that guesses count one by one. */
export async function countWrongCodes(db: Db, identityId: string, since: Date): Promise<number> {
  // Not `for update`: the row of every arriving event holds a key-share lock on its identity, and two of them would deadlock.
  await db.selectFrom("identities").select("id").where("id", "=", identityId).forNoKeyUpdate().execute();
  const { count } = await db
    .selectFrom("inbound_events")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("identity_id", "=", identityId)
    .where("reason", "=", "wrong_code")
    .where("received_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface GuessQuestion {
  readonly identityId: string;
  /** The direct message of that identity. */
  readonly placeId: string;
  readonly since: Date;
}

const mostLookedAt = 50;

/** How often somebody we know sent what looks like a code: as wrong ones, as ordinary messages, or too many to take. */
export async function countGuesses(db: Db, { identityId, placeId, since }: GuessQuestion): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*)::int from (
        select text, sent_at from messages where place_id = ${placeId} order by seq desc limit ${mostLookedAt}) lately
      where sent_at > ${since} and text ~* '^\\s*[2-9a-z]{4}.?[2-9a-z]{4}\\s*$'
    ) + (
      select count(*)::int from inbound_events
      where identity_id = ${identityId} and received_at > ${since} and reason in ('wrong_code', 'too_many_waiting')
    ) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface PastEvent {
  readonly kind: InboundEvent["kind"];
  readonly outcome: Outcome["kind"];
  readonly reason: string | null;
  readonly placeTitle: string | null;
  readonly receivedAt: Date;
}

export interface PastQuestion {
  readonly identityId: string;
  /** Only what happened there; everywhere when absent. */
  readonly placeId: string | undefined;
  /** The event that asks. */
  readonly except: { readonly connectionId: string; readonly key: string };
  readonly limit: number;
}

/** What was answered at once: whoever did it saw the answer. */
const answeredKinds = ["command", "button", "form", "home", "stop"] as const;

/** The last events of an identity that may leave a question, newest first. */
export async function pastEvents(db: Db, question: PastQuestion): Promise<PastEvent[]> {
  const { identityId, placeId, except, limit } = question;
  return db
    .selectFrom("inbound_events as e")
    .leftJoin("places as p", "p.id", "e.place_id")
    .select((eb) => eb.ref("e.kind").$castTo<InboundEvent["kind"]>().as("kind"))
    .select(["e.outcome", "e.reason", "e.received_at as receivedAt", "p.title as placeTitle"])
    .where("e.identity_id", "=", identityId)
    .where((eb) => eb.not(eb.and([eb("e.connection_id", "=", except.connectionId), eb("e.key", "=", except.key)])))
    .where((eb) => eb.not(eb.and([eb("e.outcome", "=", "handled"), eb("e.kind", "in", answeredKinds)])))
    .$if(placeId !== undefined, (events) => events.where("e.place_id", "=", placeId ?? ""))
    .orderBy("e.received_at", "desc")
    .limit(limit)
    .execute();
}

/** Deletes what became of events that came before then, at most `limit`. How many it were. */
export async function forgetEvents(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from inbound_events where (connection_id, key) in (
      select connection_id, key from inbound_events where received_at < ${before} order by received_at limit ${limit})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}
