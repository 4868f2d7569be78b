import { sql } from "kysely";
import { z } from "zod";
import type { Person } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import type { Db, Role } from "../storage/index.ts";
import { destinationSchema, type Routine, type RoutineDestination, type RoutinePlan, triggerSchema } from "./types.ts";

/** A routine with what decides whether it may run. */
export interface StoredRoutine extends Routine {
  readonly triggerRevision: number;
  /** Null where its author is no person of the team any more. */
  readonly authorRole: Role | null;
  /** Its teammate is away. */
  readonly hidden: boolean;
  /** Some place where its reports go is still there. */
  readonly hasPlace: boolean;
}

const destinationsSchema = z.array(destinationSchema);

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
          where d.routine_id = r.id and dp.archived_at is null)
        else home.archived_at is null end`.as("has_place"),
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

/** Whoever makes or names one waits for the others: one teammate's names stay apart, and so does their number. */
export async function lockNames(db: Db, teammateId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('routines:' || ${teammateId}, 0))`.execute(db);
}

export async function byCreationKey(db: Db, key: string): Promise<{ id: string } | undefined> {
  return db.selectFrom("routines").select("id").where("creation_key", "=", key).executeTakeFirst();
}

export interface Crowd {
  readonly ofTeammate: number;
  readonly webhooks: number;
  readonly nameTaken: boolean;
}

/** How many there are besides one, and whether one of the same teammate has that name. */
export async function crowd(
  db: Db,
  {
    teammateId,
    name,
    besides,
  }: { readonly teammateId: string; readonly name: string; readonly besides: string | null },
): Promise<Crowd> {
  const { rows } = await sql<Crowd>`
    select count(*) filter (where teammate_id = ${teammateId})::int as "ofTeammate",
      count(*) filter (where trigger->>'kind' = 'webhook')::int as webhooks,
      count(*) filter (where teammate_id = ${teammateId} and lower(name) = lower(${name})) > 0 as "nameTaken"
    from routines where deleted_at is null and id is distinct from ${besides}::uuid`.execute(db);
  return rows[0] ?? { ofTeammate: 0, webhooks: 0, nameTaken: false };
}

export interface NewRow {
  readonly id: string;
  readonly teammateId: string;
  readonly plan: RoutinePlan;
  readonly home: Routine["home"];
  readonly nextDueAt: Date | null;
  readonly createdBy: string;
  readonly createdByTeammate: string | null;
  readonly creationKey: string | undefined;
  readonly now: Date;
}

/** Stores it with its destinations, and the lane of its runs. */
export async function add(db: Db, row: NewRow): Promise<void> {
  const { id, teammateId, plan, home, now } = row;
  await db
    .insertInto("routines")
    .values({
      id,
      teammate_id: teammateId,
      kind: plan.kind,
      name: plan.name,
      instruction: plan.instruction,
      trigger: JSON.stringify(plan.trigger),
      timezone: plan.timezone,
      place_id: home.placeId,
      thread: home.thread,
      missed_policy: plan.missed,
      limit_policy: plan.atLimit,
      next_due_at: row.nextDueAt,
      created_by: row.createdBy,
      created_by_teammate: row.createdByTeammate,
      creation_key: row.creationKey ?? null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await setDestinations(db, id, plan.destinations);
  await db
    .insertInto("conversations")
    .values({
      id: newId(),
      place_id: home.placeId,
      teammate_id: teammateId,
      kind: "routine",
      thread: home.thread,
      routine_id: id,
    })
    .execute();
}

/** What stays keeps its own thread. */
export async function setDestinations(
  db: Db,
  routineId: string,
  destinations: readonly RoutineDestination[],
): Promise<void> {
  const kept = destinations.map(({ placeId, thread }) => sql`(${placeId}::uuid, ${thread})`);
  await db
    .deleteFrom("routine_destinations")
    .where("routine_id", "=", routineId)
    .$if(kept.length > 0, (q) => q.where(sql<boolean>`(place_id, thread) not in (${sql.join(kept)})`))
    .execute();
  if (destinations.length === 0) return;
  await db
    .insertInto("routine_destinations")
    .values(
      destinations.map(({ placeId, thread, ownThread }, position) => ({
        id: newId(),
        routine_id: routineId,
        position,
        place_id: placeId,
        thread,
        own_thread: ownThread,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["routine_id", "place_id", "thread"]).doUpdateSet((e) => ({
        position: e.ref("excluded.position"),
        own_thread: e.ref("excluded.own_thread"),
      })),
    )
    .execute();
}

/** What a change comes to; everything else stays. */
export interface Change {
  readonly plan?: Partial<RoutinePlan>;
  /** The trigger or the zone is another. */
  readonly retriggered?: boolean;
  readonly active?: boolean;
  readonly stoppedBecause?: Routine["stoppedBecause"];
  readonly nextDueAt?: Date | null;
  readonly createdBy?: string;
}

export async function change(db: Db, id: string, to: Change, now: Date): Promise<void> {
  const { kind, name, instruction, trigger, timezone, missed, atLimit, destinations } = to.plan ?? {};
  await db
    .updateTable("routines")
    .set((e) => ({
      updated_at: now,
      ...(kind === undefined ? {} : { kind }),
      ...(name === undefined ? {} : { name }),
      ...(instruction === undefined ? {} : { instruction }),
      ...(trigger === undefined ? {} : { trigger: JSON.stringify(trigger) }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(missed === undefined ? {} : { missed_policy: missed }),
      ...(atLimit === undefined ? {} : { limit_policy: atLimit }),
      ...(to.retriggered ? { trigger_revision: e("trigger_revision", "+", 1) } : {}),
      ...(to.active === undefined ? {} : { active: to.active }),
      ...(to.stoppedBecause === undefined ? {} : { stopped_because: to.stoppedBecause }),
      ...(to.nextDueAt === undefined ? {} : { next_due_at: to.nextDueAt }),
      ...(to.createdBy === undefined ? {} : { created_by: to.createdBy }),
    }))
    .where("id", "=", id)
    .execute();
  if (destinations !== undefined) await setDestinations(db, id, destinations);
}

export async function markDeleted(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable("routines")
    .set({ deleted_at: now, active: false, next_due_at: null, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** Undefined where there is none. */
export async function teammateOf(db: Db, id: string): Promise<{ handle: string; hidden: boolean } | undefined> {
  return db
    .selectFrom("teammates")
    .select("handle")
    .select((e) => e("hidden_at", "is not", null).$castTo<boolean>().as("hidden"))
    .where("id", "=", id)
    .executeTakeFirst();
}

/** What decides who may ask in a place. */
export async function placeOf(db: Db, id: string) {
  return db
    .selectFrom("places")
    .select(["kind", "access"])
    .select((e) => e("archived_at", "is not", null).$castTo<boolean>().as("archived"))
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Whose routine it is, as that person is now; undefined where nobody of the team is. */
export async function authorOf(db: Db, id: string): Promise<Person | undefined> {
  return db
    .selectFrom("routines as r")
    .innerJoin("people as p", "p.id", "r.created_by")
    .select(["p.id", "p.display_name as displayName", "p.role", "p.locale", "p.timezone"])
    .where("r.id", "=", id)
    .where("p.disabled_at", "is", null)
    .executeTakeFirst();
}
