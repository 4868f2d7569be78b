import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../storage/index.ts";
import type { NewWebForm, OpenForm, WebFormPurpose } from "./types.ts";

const purposes = z.enum([
  "question",
  "api_key",
  "mcp_secret",
  "webhook_secret",
  "calendar_address",
]) satisfies z.ZodType<WebFormPurpose>;
const contents = z.object({
  page: z.object({
    title: z.string(),
    intro: z.string(),
    fields: z.array(z.object({ name: z.string(), label: z.string(), secret: z.boolean(), long: z.boolean() })),
    button: z.string().optional(),
  }),
  data: z.unknown(),
});

export interface StoredForm {
  readonly purpose: WebFormPurpose;
  readonly personId: string;
  readonly page: OpenForm;
  readonly payload: unknown;
}

export async function insertForm(db: Db, hash: string, form: NewWebForm, now: Date): Promise<void> {
  const { purpose, personId, title, intro, fields, button, payload, expiresAt } = form;
  await db
    .insertInto("web_forms")
    .values({
      token_hash: hash,
      purpose,
      payload: JSON.stringify({ page: { title, intro, fields, button }, data: payload }),
      person_id: personId,
      expires_at: expiresAt,
      created_at: now,
    })
    .execute();
}

/** A page that can still be filled in, by somebody who still belongs here; `lock` holds it until the transaction ends. */
export async function findForm(db: Db, hash: string, now: Date, lock: boolean): Promise<StoredForm | null> {
  const row = await db
    .selectFrom("web_forms as f")
    .innerJoin("people as p", "p.id", "f.person_id")
    .select(["f.purpose", "f.person_id", "f.payload"])
    .where("f.token_hash", "=", hash)
    .where("f.used_at", "is", null)
    .where("f.expires_at", ">", now)
    .where("p.disabled_at", "is", null)
    .$if(lock, (query) => query.forUpdate("f"))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { page, data } = contents.parse(row.payload);
  return { purpose: purposes.parse(row.purpose), personId: row.person_id, page, payload: data };
}

export async function useForm(db: Db, hash: string, now: Date): Promise<void> {
  await db.updateTable("web_forms").set({ used_at: now }).where("token_hash", "=", hash).execute();
}

/** Deletes pages that nobody can fill in since then. At most `limit`; how many it were. */
export async function forgetForms(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from web_forms where token_hash in (
      select token_hash from web_forms where expires_at < ${before} or used_at < ${before} limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
