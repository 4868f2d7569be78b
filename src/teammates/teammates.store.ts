import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import type { Profile } from "./profile.ts";
import type { Teammate } from "./teammates.ts";

export async function get(db: Db, id: string): Promise<Teammate | undefined> {
  return teammates(db).where("id", "=", id).executeTakeFirst();
}

export async function byHandle(db: Db, handle: string): Promise<Teammate | undefined> {
  const wanted = handle.toLowerCase();
  return teammates(db)
    .where("hidden_at", "is", null)
    .where((eb) => eb.or([eb("handle", "=", wanted), eb(eb.fn<string>("lower", ["name"]), "=", wanted)]))
    .orderBy("created_at")
    .executeTakeFirst();
}

export async function list(db: Db): Promise<Teammate[]> {
  return teammates(db).where("hidden_at", "is", null).orderBy("created_at").orderBy("id").execute();
}

function teammates(db: Db) {
  return db
    .selectFrom("teammates")
    .select([
      "id",
      "handle",
      "name",
      "title",
      "job",
      "instructions",
      "autonomy",
      "access",
      "model",
      "effort",
      "picture",
    ])
    .select(["busy_mode as busyMode", "task_limit as taskLimit"]);
}

/** Nothing if the handle is taken. */
export async function add(db: Db, teammate: Teammate): Promise<void> {
  const { busyMode, taskLimit, ...rest } = teammate;
  await db
    .insertInto("teammates")
    .values({ ...rest, busy_mode: busyMode, task_limit: taskLimit })
    .onConflict((conflict) => conflict.column("handle").doNothing())
    .execute();
}

/** Whoever adds or names a teammate waits for the others: names stay apart, and so does their number. */
export async function lockNames(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('teammates', 0))`.execute(db);
}

/** Held until the end of the transaction. */
export async function lock(db: Db, id: string): Promise<Teammate | undefined> {
  return teammates(db).where("id", "=", id).where("hidden_at", "is", null).forUpdate().executeTakeFirst();
}

/** Every handle that was ever given; also those of hidden ones stay theirs. */
export async function handles(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("teammates").select("handle").execute();
  return new Set(rows.map((row) => row.handle));
}

export async function change(db: Db, id: string, profile: Partial<Profile>): Promise<void> {
  await db.updateTable("teammates").set(profile).where("id", "=", id).execute();
}
