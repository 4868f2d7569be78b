import { sql } from "kysely";
import type { Collect } from "../chat/index.ts";
import type { Db } from "../storage/index.ts";
import { openThought, type Speaker } from "./message.store.ts";

/** What is known of a place and thread in which somebody said something that does not address us. */
export interface Listening {
  readonly placeId: string;
  /** True where somebody decided who may ask us, other than in a direct message. */
  readonly isOpen: boolean;
  /** True in a thread that began by addressing us, or with a post of ours. */
  readonly isOurs: boolean;
  readonly isMuted: boolean;
  /** True where the speaker is one of our people. */
  readonly isPerson: boolean;
  /** The handle of the teammate whose own bot this is. */
  readonly ownHandle: string | null;
  /** The message that what was said belongs to. */
  readonly openThought: string | null;
}

/** Undefined where nothing concerned us yet. */
export async function listen(
  db: Db,
  where: Speaker,
  collect: Collect | undefined,
  now: Date,
): Promise<Listening | undefined> {
  const { connectionId, channel, thread } = where;
  const { rows } = await sql<Listening>`
    select p.id as "placeId", p.access <> 'closed' and p.kind <> 'dm' as "isOpen",
      ${isRootOurs(connectionId, channel, thread)} as "isOurs",
      exists (select 1 from muted_threads t where t.place_id = p.id and t.thread = ${thread}) as "isMuted",
      exists (select 1 from identities i where i.connection_id = p.connection_id
        and i.platform_user_id = ${where.userId} and i.person_id is not null) as "isPerson",
      c.teammate_handle as "ownHandle", (${openThought(where, collect, now)}) as "openThought"
    from places p join connections c on c.id = p.connection_id
    where p.connection_id = ${connectionId} and p.channel = ${channel}`.execute(db);
  return rows[0];
}

interface Thread {
  readonly connectionId: string;
  readonly placeId: string;
  readonly channel: string;
  readonly thread: string;
}

/** Whether a thread began by addressing us, or with a post of ours. */
export async function isThreadOurs(db: Db, { connectionId, placeId, channel, thread }: Thread): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`
    select ${isRootOurs(connectionId, channel, thread)} as ours from places p where p.id = ${placeId}`.execute(db);
  return rows[0]?.ours ?? false;
}

/** A thread has the id of the message it hangs on. */
function isRootOurs(connectionId: string, channel: string, thread: string) {
  return sql<boolean>`(${thread} <> '' and (
    exists (select 1 from messages r where r.place_id = p.id and r.platform_message_id = ${thread})
    or exists (select 1 from posts r where r.connection_id = ${connectionId} and r.channel = ${channel}
      and r.platform_message_id = ${thread})))`;
}

/** From now on we answer there only when we are named. */
export async function mute(db: Db, where: { placeId: string; thread: string; by: string | null }): Promise<void> {
  await db
    .insertInto("muted_threads")
    .values({ place_id: where.placeId, thread: where.thread, muted_by: where.by })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function unmute(db: Db, where: { placeId: string; thread: string }): Promise<void> {
  await db
    .deleteFrom("muted_threads")
    .where("place_id", "=", where.placeId)
    .where("thread", "=", where.thread)
    .execute();
}
