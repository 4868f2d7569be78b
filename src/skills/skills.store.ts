import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import type { InstalledSkill, Skill } from "./skills.ts";

/** A skill with its folder below SHIPMATE_HOME/skills. */
export type SkillRow = Skill;

export async function ofTeammate(db: Db, teammateId: string): Promise<SkillRow[]> {
  return db
    .selectFrom("skills as s")
    .innerJoin("skill_teammates as e", "e.skill_id", "s.id")
    .select(["s.id", "s.name", "s.description", "s.folder", "s.content_hash as contentHash"])
    .where("e.teammate_id", "=", teammateId)
    .where("s.removed_at", "is", null)
    .orderBy("s.name")
    .execute();
}

export async function list(db: Db): Promise<InstalledSkill[]> {
  return installed(db).execute();
}

export async function byName(db: Db, name: string): Promise<InstalledSkill | undefined> {
  return installed(db).where("s.name", "=", name).executeTakeFirst();
}

function installed(db: Db) {
  return db
    .selectFrom("skills as s")
    .select(["s.id", "s.name", "s.description", "s.folder", "s.content_hash as contentHash", "s.origin"])
    .select("s.installed_by_teammate as teammateId")
    .select(
      sql<string[]>`coalesce((select array_agg(t.id order by t.created_at, t.id) from skill_teammates e
        join teammates t on t.id = e.teammate_id where e.skill_id = s.id and t.hidden_at is null), '{}')`.as(
        "teammates",
      ),
    )
    .where("s.removed_at", "is", null)
    .orderBy("s.name");
}

/** Whoever installs a skill of that name waits for the others. */
export async function lockName(db: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`skill:${name}`}, 0))`.execute(db);
}

/** Whoever gives that teammate a skill waits for the others: so their number stays right. */
export async function lockTeammate(db: Db, teammateId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`skills-of:${teammateId}`}, 0))`.execute(db);
}

/** Held until the end of the transaction. */
export async function lock(db: Db, id: string): Promise<{ readonly name: string } | undefined> {
  return db
    .selectFrom("skills")
    .select("name")
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

/** How many a teammate has, besides that one. */
export async function countOf(db: Db, teammateId: string, besides?: string): Promise<number> {
  let query = db
    .selectFrom("skill_teammates as e")
    .innerJoin("skills as s", "s.id", "e.skill_id")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("e.teammate_id", "=", teammateId)
    .where("s.removed_at", "is", null);
  if (besides !== undefined) query = query.where("s.id", "<>", besides);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

interface SavedSkill extends SkillRow {
  readonly origin: InstalledSkill["origin"];
  readonly teammateId: string | null;
  readonly installedBy: string | null;
}

export async function save(db: Db, skill: SavedSkill): Promise<void> {
  const { id, name, description, folder, origin } = skill;
  const content = {
    description,
    folder,
    content_hash: skill.contentHash,
    origin,
    installed_by: skill.installedBy,
    installed_by_teammate: skill.teammateId,
  };
  await db
    .insertInto("skills")
    .values({ id, name, ...content })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(content))
    .execute();
}

export async function enable(db: Db, skillId: string, teammateId: string): Promise<void> {
  await db
    .insertInto("skill_teammates")
    .values({ skill_id: skillId, teammate_id: teammateId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function disable(db: Db, skillId: string, teammateId: string): Promise<void> {
  await db
    .deleteFrom("skill_teammates")
    .where("skill_id", "=", skillId)
    .where("teammate_id", "=", teammateId)
    .execute();
}

export async function remove(db: Db, id: string): Promise<void> {
  await db.deleteFrom("skill_teammates").where("skill_id", "=", id).execute();
  await db.updateTable("skills").set({ removed_at: sql`now()` }).where("id", "=", id).execute();
}
