import type { Person } from "../people/index.ts";
import { mayAsk } from "../places/index.ts";
import type { Db } from "../storage/index.ts";

/** Keeps the one address that somebody's calendar has from now on. */
export async function saveFeed(db: Db, personId: string, hash: string, now: Date): Promise<void> {
  await db
    .insertInto("calendar_feeds")
    .values({ person_id: personId, token_hash: hash, created_at: now })
    .onConflict((conflict) => conflict.column("person_id").doUpdateSet({ token_hash: hash, created_at: now }))
    .execute();
}

/** False where there was none. */
export async function deleteFeed(db: Db, personId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("calendar_feeds").where("person_id", "=", personId).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function hasFeed(db: Db, personId: string): Promise<boolean> {
  const query = db.selectFrom("calendar_feeds").select("person_id").where("person_id", "=", personId);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Whose calendar it is; undefined for an address that is none, and where its person has left. */
export async function readerOf(db: Db, hash: string): Promise<Person | undefined> {
  return db
    .selectFrom("calendar_feeds as f")
    .innerJoin("people as p", "p.id", "f.person_id")
    .select(["p.id", "p.display_name as displayName", "p.role", "p.locale", "p.timezone"])
    .where("f.token_hash", "=", hash)
    .where("p.disabled_at", "is", null)
    .executeTakeFirst();
}

/** Those of these places that somebody shares: chats of several people where they may ask and have said something. */
export async function placesShared(db: Db, person: Person, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("places as p")
    .select(["p.id", "p.kind", "p.access"])
    .where("p.id", "in", [...new Set(ids)])
    .where("p.kind", "<>", "dm")
    .where("p.archived_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("conversations as c")
          .innerJoin("messages as m", "m.conversation_id", "c.id")
          .select("m.id")
          .whereRef("c.place_id", "=", "p.id")
          .where("m.person_id", "=", person.id),
      ),
    )
    .execute();
  return new Set(rows.filter((place) => mayAsk(place, person)).map(({ id }) => id));
}

/** Teammates by their id, with every name they go by in lower case; those who are away are left out. */
export async function namesAtWork(db: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom("teammates")
    .select(["id", "name", "handle"])
    .where("hidden_at", "is", null)
    .execute();
  return new Map(rows.map(({ id, name, handle }) => [id, [name.toLowerCase(), handle]]));
}
