import type { Db } from "../storage/index.ts";
import type { InstructionChange, OwnInstructions } from "./instructions.ts";

export async function get(db: Db, teammateId: string): Promise<OwnInstructions | undefined> {
  return teammate(db, teammateId).executeTakeFirst();
}

/** Held until the end of the transaction. */
export async function lock(db: Db, teammateId: string): Promise<OwnInstructions | undefined> {
  return teammate(db, teammateId).where("hidden_at", "is", null).forUpdate().executeTakeFirst();
}

function teammate(db: Db, teammateId: string) {
  return db
    .selectFrom("teammates")
    .select(["instructions as text", "instructions_written as written"])
    .where("id", "=", teammateId);
}

export async function setText(db: Db, teammateId: string, text: string): Promise<void> {
  await db.updateTable("teammates").set({ instructions: text }).where("id", "=", teammateId).execute();
}

export async function setWritten(db: Db, teammateId: string, written: string): Promise<void> {
  await db.updateTable("teammates").set({ instructions_written: written }).where("id", "=", teammateId).execute();
}

interface NewChange {
  readonly id: string;
  readonly teammateId: string;
  readonly runId: string;
  readonly before: string;
  readonly after: string;
  readonly now: Date;
  /** It never counted: there is nothing to undo. */
  readonly wasDropped: boolean;
}

export async function addChange(db: Db, change: NewChange): Promise<void> {
  const { id, teammateId, runId, before, after, now, wasDropped } = change;
  await db
    .insertInto("instruction_changes")
    .values({
      id,
      teammate_id: teammateId,
      run_id: runId,
      before,
      after,
      created_at: now,
      undone_at: wasDropped ? now : null,
    })
    .execute();
}

export async function getChange(db: Db, id: string): Promise<InstructionChange | undefined> {
  return db
    .selectFrom("instruction_changes as c")
    .innerJoin("teammates as t", "t.id", "c.teammate_id")
    .leftJoin("people as p", "p.id", "c.undone_by")
    .select(["c.id", "c.teammate_id as teammateId", "t.name as teammateName", "c.before", "c.after"])
    .select(["c.undone_at as undoneAt", "p.display_name as undoneBy"])
    .where("c.id", "=", id)
    .executeTakeFirst();
}

export async function markUndone(db: Db, id: string, personId: string, now: Date): Promise<void> {
  await db
    .updateTable("instruction_changes")
    .set({ undone_by: personId, undone_at: now })
    .where("id", "=", id)
    .execute();
}
