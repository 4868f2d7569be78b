import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import type { CodeOfPerson } from "./people.store.ts";
import type { Person } from "./person.ts";

/** The one live link code of a person. */
export async function replaceLinkCode(db: Db, code: CodeOfPerson): Promise<void> {
  await db
    .deleteFrom("claim_codes")
    .where("purpose", "=", "link")
    .where("created_by", "=", code.createdBy)
    .where("used_at", "is", null)
    .execute();
  await db
    .insertInto("claim_codes")
    .values({
      code_hash: code.codeHash,
      purpose: "link",
      role: code.role,
      created_by: code.createdBy,
      expires_at: code.expiresAt,
    })
    .execute();
}

export async function isLinkCode(db: Db, codeHash: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom("claim_codes")
    .select("code_hash")
    .where("code_hash", "=", codeHash)
    .where("purpose", "=", "link")
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an account is somebody's, disabled or not. */
export async function belongsToSomebody(db: Db, identityId: string): Promise<boolean> {
  const row = await db.selectFrom("identities").select("person_id").where("id", "=", identityId).executeTakeFirst();
  return row !== undefined && row.person_id !== null;
}

interface Assignment {
  readonly identityId: string;
  readonly personId: string;
  readonly codeHash: string;
  readonly now: Date;
}

export async function assign(db: Db, { identityId, personId, codeHash, now }: Assignment): Promise<void> {
  await db.updateTable("identities").set({ person_id: personId }).where("id", "=", identityId).execute();
  await db
    .updateTable("claim_codes")
    .set({ used_by: personId, used_at: now })
    .where("code_hash", "=", codeHash)
    .execute();
}

export async function savePerson(db: Db, { id, role, locale, timezone }: Person): Promise<void> {
  await db.updateTable("people").set({ role, locale, timezone }).where("id", "=", id).execute();
}

/** What somebody asked for, is asked for, wrote and may press. What was decided and logged keeps the name it was done under. */
export async function moveEverything(db: Db, from: string, to: string): Promise<void> {
  await db.updateTable("identities").set({ person_id: to }).where("person_id", "=", from).execute();
  await db.updateTable("messages").set({ person_id: to }).where("person_id", "=", from).execute();
  await db.updateTable("deliveries").set({ requester_person_id: to }).where("requester_person_id", "=", from).execute();
  await db.updateTable("runs").set({ requester_person_id: to }).where("requester_person_id", "=", from).execute();
  await db.updateTable("attention").set({ requester_person_id: to }).where("requester_person_id", "=", from).execute();
  await db.updateTable("action_tokens").set({ person_id: to }).where("person_id", "=", from).execute();
  await db.updateTable("reply_forms").set({ person_id: to }).where("person_id", "=", from).execute();
  await db.updateTable("approval_rules").set({ created_by: to }).where("created_by", "=", from).execute();
  await db.updateTable("routines").set({ created_by: to }).where("created_by", "=", from).execute();
  await db.updateTable("routine_drafts").set({ person_id: to }).where("person_id", "=", from).execute();
  await sql`
    update calendar_feeds set person_id = ${to} where person_id = ${from}
      and not exists (select 1 from calendar_feeds kept where kept.person_id = ${to})`.execute(db);
  await moveMemories(db, from, to);
  await sql`
    insert into teammate_greetings (teammate_id, person_id)
    select teammate_id, ${to} from teammate_greetings where person_id = ${from} on conflict do nothing`.execute(db);
}

/** What teammates remember for one of two people is for the one they became; what both had, once. */
async function moveMemories(db: Db, from: string, to: string): Promise<void> {
  await sql`
    delete from memories theirs using memories kept
    where theirs.person_id = ${from} and kept.person_id = ${to} and kept.teammate_id = theirs.teammate_id
      and lower(kept.text) = lower(theirs.text)`.execute(db);
  await db.updateTable("memories").set({ person_id: to }).where("person_id", "=", from).execute();
  await db.updateTable("memory_pending").set({ person_id: to }).where("person_id", "=", from).execute();
}

/** Their open codes lead nowhere from then on. */
export async function disable(db: Db, personId: string, now: Date): Promise<void> {
  await db.updateTable("people").set({ disabled_at: now }).where("id", "=", personId).execute();
}
