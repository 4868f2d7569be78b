import type { Db } from "../storage/index.ts";
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
