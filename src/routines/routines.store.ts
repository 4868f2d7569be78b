import { sql } from "kysely";
import { z } from "zod";
import type { Db, Role } from "../storage/index.ts";
import { destinationSchema, type Routine, triggerSchema } from "./types.ts";

/** A routine with what decides whether it may run. */
export interface StoredRoutine extends Routine {
  readonly triggerRevision: number;
  /** Null where its author is no person of the team any more. */
  readonly authorRole: Role | null;
  /** Its teammate is away. */
  readonly hidden: boolean;
  /** Some place where its reports go is still there, and open to its author. */
  readonly hasPlace: boolean;
}

const destinationsSchema = z.array(destinationSchema);

/** We are in that place, and the author may ask there: guests have no routines. */
function isOpen(place: string) {
  const of = (column: string) => sql.ref(`${place}.${column}`);
  return sql`(${of("archived_at")} is null and (${of("kind")} = 'dm' or ${of("access")} in ('everyone', 'members')
    or (${of("access")} = 'owner' and coalesce(p.role = 'owner', false))))`;
}

function routines(db: Db) {
  return db
    .selectFrom("routines as r")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .innerJoin("conversations as c", "c.routine_id", "r.id")
    .innerJoin("places as home", "home.id", "r.place_id")
    .leftJoin("people as p", "p.id", "r.created_by")
    .where("r.deleted_at", "is", null)
    .select(["r.id", "r.kind", "r.name", "r.instruction", "r.trigger", "r.timezone", "r.active"])
    .select(["r.teammate_id", "r.trigger_revision", "r.place_id", "r.thread", "r.missed_policy", "r.limit_policy"])
    .select(["r.stopped_because", "r.next_due_at", "r.created_at", "t.name as teammate", "c.id as conversation"])
    .select(["p.id as author", "p.display_name as author_name", "p.role", "p.disabled_at"])
    .select((e) => e("t.hidden_at", "is not", null).$castTo<boolean>().as("hidden"))
    .select(
      sql<unknown>`(select coalesce(json_agg(json_build_object('placeId', d.place_id, 'thread', d.thread, 'ownThread', d.own_thread)
        order by d.position), '[]') from routine_destinations d where d.routine_id = r.id)`.as("destinations"),
    )
    .select(
      sql<boolean>`case when exists (select 1 from routine_destinations d where d.routine_id = r.id)
        then exists (select 1 from routine_destinations d join places dp on dp.id = d.place_id
          where d.routine_id = r.id and ${isOpen("dp")})
        else ${isOpen("home")} end`.as("has_place"),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof routines>["execute"]>>[number];

function toRoutine(row: Row): StoredRoutine {
  const { author, author_name: authorName } = row;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    instruction: row.instruction,
    trigger: triggerSchema.parse(row.trigger),
    timezone: row.timezone,
    destinations: destinationsSchema.parse(row.destinations),
    missed: row.missed_policy,
    atLimit: row.limit_policy,
    teammateId: row.teammate_id,
    teammateName: row.teammate,
    home: { placeId: row.place_id, thread: row.thread },
    conversationId: row.conversation,
    active: row.active,
    stoppedBecause: row.stopped_because,
    nextDueAt: row.next_due_at,
    author: author === null || authorName === null ? null : { id: author, name: authorName },
    createdAt: row.created_at,
    triggerRevision: row.trigger_revision,
    authorRole: row.disabled_at === null ? row.role : null,
    hidden: row.hidden,
    hasPlace: row.has_place,
  };
}

export async function get(db: Db, id: string): Promise<StoredRoutine | undefined> {
  const row = await routines(db).where("r.id", "=", id).executeTakeFirst();
  return row && toRoutine(row);
}

/** By teammate and name. */
export async function list(
  db: Db,
  { teammateId, placeId }: { readonly teammateId?: string; readonly placeId?: string },
): Promise<StoredRoutine[]> {
  const rows = await routines(db)
    .$if(teammateId !== undefined, (q) => q.where("r.teammate_id", "=", teammateId ?? ""))
    .$if(placeId !== undefined, (q) =>
      q.where((e) =>
        e.or([
          e("r.place_id", "=", placeId ?? ""),
          e.exists(
            e
              .selectFrom("routine_destinations as d")
              .select("d.id")
              .whereRef("d.routine_id", "=", "r.id")
              .where("d.place_id", "=", placeId ?? ""),
          ),
        ]),
      ),
    )
    .orderBy("t.name")
    .orderBy("t.id")
    .orderBy(sql`lower(r.name)`)
    .execute();
  return rows.map(toRoutine);
}

/** Held until the end of the transaction, and read only then: what another one changed meanwhile is in it. */
export async function lock(db: Db, id: string): Promise<StoredRoutine | undefined> {
  const held = await db.selectFrom("routines").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
  return held && get(db, id);
}

/** A routine that is due and may be, held until the end of the transaction; undefined where another one holds it, or it is not any more. */
export async function lockDue(db: Db, id: string, now: Date): Promise<StoredRoutine | undefined> {
  const row = await routines(db)
    .where("r.id", "=", id)
    .where("r.active", "=", true)
    .where("r.next_due_at", "<=", now)
    .where("t.hidden_at", "is", null)
    .forUpdate("r")
    .skipLocked()
    .executeTakeFirst();
  return row && toRoutine(row);
}

/** Which are due, the longest due first. */
export async function dueNow(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("routines as r")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .select("r.id")
    .where("r.active", "=", true)
    .where("r.deleted_at", "is", null)
    .where("r.next_due_at", "<=", now)
    .where("t.hidden_at", "is", null)
    .orderBy("r.next_due_at")
    .orderBy("r.id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Those of one teammate that are due, each held until the end of the transaction. */
export async function lockDueOf(db: Db, teammateId: string, now: Date): Promise<StoredRoutine[]> {
  const rows = await db
    .selectFrom("routines")
    .select("id")
    .where("teammate_id", "=", teammateId)
    .where("active", "=", true)
    .where("deleted_at", "is", null)
    .where("next_due_at", "<=", now)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  return (await routines(db).where("r.id", "in", ids).orderBy("r.id").execute()).map(toRoutine);
}

/** How many are active, and when the first of them is due after a moment; without those of teammates who are away. */
export async function upcoming(db: Db, after: Date): Promise<{ active: number; nextDueAt: Date | null }> {
  const row = await db
    .selectFrom("routines as r")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .select((e) => e.fn.countAll<string>().as("active"))
    .select((e) => e.fn.min("r.next_due_at").filterWhere("r.next_due_at", ">", after).as("next"))
    .where("r.active", "=", true)
    .where("r.deleted_at", "is", null)
    .where("t.hidden_at", "is", null)
    .executeTakeFirstOrThrow();
  return { active: Number(row.active), nextDueAt: row.next };
}
