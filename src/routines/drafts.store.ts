import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import { type DraftPlace, draftPlaceSchema, draftSchema, type KeptDraft, type RoutineDraft } from "./drafts.ts";

export interface NewDraft extends Omit<KeptDraft, "status"> {
  readonly byTeammate: boolean;
  /** Of the call that proposes it. */
  readonly callKey?: string | undefined;
}

/** False where the same call was kept before. Drafts of weeks ago go: their buttons ended long since. */
export async function keepDraft(db: Db, kept: NewDraft): Promise<boolean> {
  await sql`delete from routine_drafts where created_at < now() - interval '30 days'`.execute(db);
  const { id, teammateId, routineId, personId, draft, byTeammate, callKey } = kept;
  const result = await db
    .insertInto("routine_drafts")
    .values({
      id,
      teammate_id: teammateId,
      routine_id: routineId,
      person_id: personId,
      by_teammate: byTeammate,
      draft: JSON.stringify(draft),
      call_key: callKey ?? null,
    })
    .onConflict((conflict) => conflict.column("call_key").doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function noteDraftPlace(db: Db, id: string, place: DraftPlace): Promise<void> {
  await db
    .updateTable("routine_drafts")
    .set({ card: JSON.stringify(place) })
    .where("id", "=", id)
    .execute();
}

/** Held until the end of the transaction: two presses go one after the other. */
export async function holdDraft(db: Db, id: string): Promise<KeptDraft | undefined> {
  const row = await drafts(db).where("id", "=", id).forUpdate().executeTakeFirst();
  return row && { ...row, draft: draftSchema.parse(row.draft) };
}

export async function findDraft(db: Db, id: string): Promise<KeptDraft | undefined> {
  const row = await drafts(db).where("id", "=", id).executeTakeFirst();
  return row && { ...row, draft: draftSchema.parse(row.draft) };
}

function drafts(db: Db) {
  return db
    .selectFrom("routine_drafts")
    .select(["id", "draft", "status"])
    .select(["teammate_id as teammateId", "routine_id as routineId", "person_id as personId"]);
}

export async function changeDraft(
  db: Db,
  id: string,
  change: { readonly draft: RoutineDraft; readonly teammateId: string },
): Promise<void> {
  await db
    .updateTable("routine_drafts")
    .set({ draft: JSON.stringify(change.draft), teammate_id: change.teammateId })
    .where("id", "=", id)
    .where("status", "=", "open")
    .execute();
}

/** True for exactly one caller. */
export async function closeDraft(db: Db, id: string, status: "done" | "cancelled"): Promise<boolean> {
  const result = await db
    .updateTable("routine_drafts")
    .set({ status })
    .where("id", "=", id)
    .where("status", "=", "open")
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends what a teammate proposed to the same person before: of the same routine, or a new one of the same name. Gives where those cards are. */
export async function replaceProposals(
  db: Db,
  { id, teammateId, personId, routineId, draft }: KeptDraft,
): Promise<DraftPlace[]> {
  const ended = await db
    .updateTable("routine_drafts")
    .set({ status: "cancelled" })
    .where("id", "<>", id)
    .where("status", "=", "open")
    .where("by_teammate", "=", true)
    .where("teammate_id", "=", teammateId)
    .where("person_id", "=", personId)
    .where((where) =>
      routineId === null
        ? where.and([where("routine_id", "is", null), sql<boolean>`lower(draft ->> 'name') = lower(${draft.name})`])
        : where("routine_id", "=", routineId),
    )
    .returning("card")
    .execute();
  return ended.flatMap(({ card }) => (card === null ? [] : [draftPlaceSchema.parse(card)]));
}
