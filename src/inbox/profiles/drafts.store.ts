import { sql } from "kysely";
import type { Db } from "../../storage/index.ts";

export interface KeptDraft {
  readonly id: string;
  readonly sentence: string;
  readonly draft: unknown;
  /** Where its card is. */
  readonly card: unknown;
}

/** Keeps a draft for as long as it can be improved; those of yesterday go. */
export async function keepDraft(db: Db, { id, sentence, draft, card }: KeptDraft): Promise<void> {
  await sql`delete from teammate_drafts where created_at < now() - interval '1 day'`.execute(db);
  await db
    .insertInto("teammate_drafts")
    .values({ id, sentence, draft: JSON.stringify(draft), card: JSON.stringify(card) })
    .execute();
}

/** One that nobody touched yet. */
export async function openDraft(db: Db, id: string): Promise<KeptDraft | undefined> {
  return db
    .selectFrom("teammate_drafts")
    .select(["id", "sentence", "draft", "card"])
    .where("id", "=", id)
    .where("open", "=", true)
    .executeTakeFirst();
}

/** True for exactly one caller: nobody touches it twice, and nothing improves it afterwards. */
export async function closeDraft(db: Db, id: string): Promise<boolean> {
  const result = await db
    .updateTable("teammate_drafts")
    .set({ open: false })
    .where("id", "=", id)
    .where("open", "=", true)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
