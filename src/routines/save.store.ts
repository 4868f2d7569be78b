import { sql } from "kysely";
import type { Person } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { Routine, RoutineDestination, RoutinePlan } from "./types.ts";

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
