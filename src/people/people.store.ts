import { sql } from "kysely";
import type { Author } from "../chat/index.ts";
import { audit, type Db, type Role } from "../storage/index.ts";
import type { PersonalChat } from "./people.ts";
import type { Identity, Person } from "./person.ts";

interface KnownIdentity {
  readonly identity: Identity;
  readonly dmChannel: string | null;
}

export async function findIdentity(db: Db, connectionId: string, userId: string): Promise<KnownIdentity | undefined> {
  const row = await db
    .selectFrom("identities as i")
    .leftJoin("people as p", (join) => join.onRef("p.id", "=", "i.person_id").on("p.disabled_at", "is", null))
    .select(["i.id", "i.display_name", "i.dm_channel", "i.stranger_told_at"])
    .select(["p.id as person_id", "p.display_name as person_name", "p.role", "p.locale", "p.timezone"])
    .where("i.connection_id", "=", connectionId)
    .where("i.platform_user_id", "=", userId)
    .executeTakeFirst();
  if (!row) return undefined;
  const person: Person | null =
    row.person_id === null || row.person_name === null || row.role === null
      ? null
      : { id: row.person_id, displayName: row.person_name, role: row.role, locale: row.locale, timezone: row.timezone };
  return {
    identity: {
      id: row.id,
      connectionId,
      platformUserId: userId,
      displayName: row.display_name,
      person,
      strangerToldAt: row.stranger_told_at,
    },
    dmChannel: row.dm_channel,
  };
}

interface SavedIdentity {
  readonly id: string;
  readonly connectionId: string;
  readonly author: Author;
  readonly dmChannel: string | undefined;
}

export async function saveIdentity(db: Db, { id, connectionId, author, dmChannel }: SavedIdentity): Promise<void> {
  const names = { display_name: author.name, is_bot: author.isBot };
  const dm = dmChannel === undefined ? {} : { dm_channel: dmChannel };
  await db
    .insertInto("identities")
    .values({ id, connection_id: connectionId, platform_user_id: author.id, ...names, ...dm })
    .onConflict((conflict) => conflict.columns(["connection_id", "platform_user_id"]).doUpdateSet({ ...names, ...dm }))
    .execute();
}

export async function setTimezone(db: Db, personId: string, timezone: string): Promise<void> {
  await db.updateTable("people").set({ timezone }).where("id", "=", personId).execute();
}

export async function markStrangerTold(db: Db, identityId: string, now: Date): Promise<void> {
  await db.updateTable("identities").set({ stranger_told_at: now }).where("id", "=", identityId).execute();
}

/** Two people, held until the end of the transaction, always in one order; nobody who was disabled. */
export async function lockPeople(db: Db, ids: readonly string[]): Promise<Person[]> {
  const rows = await db
    .selectFrom("people")
    .select(personColumns)
    .where("id", "in", ids)
    .where("disabled_at", "is", null)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return rows.map(toPerson);
}

const personColumns = ["id", "display_name", "role", "locale", "timezone"] as const;

function toPerson(row: {
  id: string;
  display_name: string;
  role: Role;
  locale: string | null;
  timezone: string | null;
}): Person {
  return { id: row.id, displayName: row.display_name, role: row.role, locale: row.locale, timezone: row.timezone };
}

export async function getPerson(db: Db, id: string): Promise<Person | undefined> {
  const row = await db.selectFrom("people").select(personColumns).where("id", "=", id).executeTakeFirst();
  return row && toPerson(row);
}

export async function owners(db: Db): Promise<Person[]> {
  const rows = await db
    .selectFrom("people")
    .select(personColumns)
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .orderBy("created_at")
    .execute();
  return rows.map(toPerson);
}

export async function hasOwner(db: Db): Promise<boolean> {
  const row = await db.selectFrom("people").select("id").where("role", "=", "owner").limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function replaceOwnerCode(db: Db, codeHash: string): Promise<void> {
  await db
    .deleteFrom("claim_codes")
    .where("purpose", "=", "owner")
    .where("used_at", "is", null)
    .where("code_hash", "<>", codeHash)
    .execute();
  await db
    .insertInto("claim_codes")
    .values({ code_hash: codeHash, purpose: "owner", role: "owner" })
    .onConflict((conflict) => conflict.column("code_hash").doNothing())
    .execute();
}

export interface CodeOfPerson {
  readonly codeHash: string;
  readonly role: Role;
  readonly createdBy: string;
  readonly expiresAt: Date;
}

export async function addInvite(db: Db, invite: CodeOfPerson): Promise<void> {
  await db
    .insertInto("claim_codes")
    .values({
      code_hash: invite.codeHash,
      purpose: "invite",
      role: invite.role,
      created_by: invite.createdBy,
      expires_at: invite.expiresAt,
    })
    .execute();
  await audit(db, { personId: invite.createdBy, action: "invite", data: { role: invite.role } });
}

export interface LockedCode {
  readonly codeHash: string;
  readonly purpose: "owner" | "invite" | "link";
  readonly role: Role;
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
  readonly usedAt: Date | null;
}

/** Two people with the same code go one after the other, and so do two first owners with different ones. */
export async function lockCode(db: Db, codeHash: string): Promise<LockedCode | undefined> {
  const find = () =>
    db
      .selectFrom("claim_codes")
      .select(["code_hash as codeHash", "purpose", "role", "created_by as createdBy"])
      .select(["expires_at as expiresAt", "used_at as usedAt"])
      .where("code_hash", "=", codeHash)
      .forUpdate()
      .executeTakeFirst();
  const code = await find();
  if (code?.purpose === "owner") await sql`select pg_advisory_xact_lock(hashtextextended('owner', 0))`.execute(db);
  return code;
}

interface Joining {
  readonly person: Person;
  readonly identityId: string;
  readonly codeHash: string;
  readonly now: Date;
}

export async function join(db: Db, { person, identityId, codeHash, now }: Joining): Promise<void> {
  await db
    .insertInto("people")
    .values({ id: person.id, display_name: person.displayName, role: person.role, locale: person.locale })
    .execute();
  await db.updateTable("identities").set({ person_id: person.id }).where("id", "=", identityId).execute();
  await db
    .updateTable("claim_codes")
    .set({ used_by: person.id, used_at: now })
    .where("code_hash", "=", codeHash)
    .execute();
  await audit(db, { personId: person.id, action: "join", data: { role: person.role } });
}

export async function dmOf(db: Db, personId: string, connectionId?: string): Promise<PersonalChat | null> {
  const rows = await db
    .selectFrom("identities")
    .select(["connection_id", "dm_channel"])
    .where("person_id", "=", personId)
    .where("dm_channel", "is not", null)
    .orderBy("created_at", "desc")
    .execute();
  const row = rows.find((each) => each.connection_id === connectionId) ?? rows[0];
  if (!row || row.dm_channel === null) return null;
  return { connectionId: row.connection_id, address: { channel: row.dm_channel }, placeKind: "dm" };
}

export async function dmBeside(db: Db, personId: string, identityId: string): Promise<PersonalChat | null> {
  const row = await db
    .selectFrom("identities")
    .select(["connection_id", "dm_channel"])
    .where("person_id", "=", personId)
    .where("id", "<>", identityId)
    .where("dm_channel", "is not", null)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  if (!row || row.dm_channel === null) return null;
  return { connectionId: row.connection_id, address: { channel: row.dm_channel }, placeKind: "dm" };
}
