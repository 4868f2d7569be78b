import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import type { Profile } from "./profile.ts";
import type { Creation, Member, Teammate } from "./teammates.ts";

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

/** Also those that are hidden, oldest first. */
export async function everyone(db: Db): Promise<Member[]> {
  return teammates(db)
    .select((eb) => eb("hidden_at", "is not", null).$castTo<boolean>().as("hidden"))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function byCreationKey(db: Db, key: string): Promise<Teammate | undefined> {
  return teammates(db).where("creation_key", "=", key).executeTakeFirst();
}

export async function setHidden(db: Db, id: string, hidden: boolean): Promise<void> {
  await db
    .updateTable("teammates")
    .set({ hidden_at: hidden ? sql<Date>`now()` : null })
    .where("id", "=", id)
    .execute();
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
      "notifications",
    ])
    .select(["busy_mode as busyMode", "task_limit as taskLimit"]);
}

export interface Origin extends Creation {
  readonly createdBy?: string | null;
  readonly createdByTeammate?: string | null;
}

/** Nothing if the handle is taken. */
export async function add(db: Db, teammate: Teammate, origin: Origin = {}): Promise<void> {
  const { busyMode, taskLimit, ...rest } = teammate;
  await db
    .insertInto("teammates")
    .values({ ...rest, busy_mode: busyMode, task_limit: taskLimit, ...originColumns(origin) })
    .onConflict((conflict) => conflict.column("handle").doNothing())
    .execute();
}

function originColumns({ key, firstTasks, createdBy, createdByTeammate }: Origin) {
  return {
    creation_key: key ?? null,
    first_tasks: firstTasks === undefined ? null : JSON.stringify(firstTasks),
    created_by: createdBy ?? null,
    created_by_teammate: createdByTeammate ?? null,
  };
}

/** The settings of one teammate under another name. */
export async function copy(
  db: Db,
  fromId: string,
  to: Pick<Teammate, "id" | "handle" | "name"> & Origin,
): Promise<void> {
  await sql`
    insert into teammates (id, handle, name, title, job, instructions, autonomy, access, busy_mode, task_limit, model, effort,
      picture, notifications, backup_models, first_tasks, created_by, creation_key)
    select ${to.id}, ${to.handle}, ${to.name}, title, job, instructions, autonomy, access, busy_mode, task_limit, model, effort,
      picture, notifications, backup_models, first_tasks, ${to.createdBy ?? null}, ${to.key ?? null}
    from teammates where id = ${fromId}`.execute(db);
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
  const { busyMode, ...rest } = profile;
  await db
    .updateTable("teammates")
    .set({ ...rest, ...(busyMode === undefined ? {} : { busy_mode: busyMode }) })
    .where("id", "=", id)
    .execute();
}

/** What somebody is offered first; null where nobody chose it. */
export async function firstTasks(db: Db, id: string): Promise<unknown> {
  const row = await db.selectFrom("teammates").select("first_tasks").where("id", "=", id).executeTakeFirst();
  return row?.first_tasks ?? null;
}

/** Notes that a person met a teammate that somebody made; false where they had met before. */
export async function meet(db: Db, teammateId: string, personId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into teammate_greetings (teammate_id, person_id)
    select id, ${personId} from teammates where id = ${teammateId} and created_by is not null
    on conflict do nothing returning teammate_id`.execute(db);
  return rows.length > 0;
}
