import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import type { Difference } from "./change.ts";
import type { Memory, MemoryScope } from "./memory.ts";

const columns = ["id", "teammate_id", "place_id", "person_id", "text", "pinned", "revision", "updated_at"] as const;

export interface MemoryRow {
  readonly id: string;
  readonly teammate_id: string;
  readonly place_id: string | null;
  readonly person_id: string | null;
  readonly text: string;
  readonly pinned: boolean;
  readonly revision: number;
  readonly updated_at: Date;
}

export function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    teammateId: row.teammate_id,
    scope: toScope(row),
    text: row.text,
    pinned: row.pinned,
    revision: row.revision,
    updatedAt: row.updated_at,
  };
}

export function toScope(row: { readonly place_id: string | null; readonly person_id: string | null }): MemoryScope {
  if (row.place_id !== null) return { kind: "place", placeId: row.place_id };
  return row.person_id === null ? { kind: "everywhere" } : { kind: "person", personId: row.person_id };
}

export function scopeColumns(scope: MemoryScope) {
  return {
    place_id: scope.kind === "place" ? scope.placeId : null,
    person_id: scope.kind === "person" ? scope.personId : null,
  };
}

/** Everything a teammate remembers, for whomever, the oldest first. */
export async function allOf(db: Db, teammateId: string): Promise<readonly Memory[]> {
  const rows = await db
    .selectFrom("memories")
    .select(columns)
    .where("teammate_id", "=", teammateId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toMemory);
}

export interface TeammateState {
  readonly generation: number;
  readonly epoch: number;
}

/** Holds a teammate's memory until the end of the transaction: one change of it after the other. */
export async function hold(db: Db, teammateId: string): Promise<TeammateState | undefined> {
  return db
    .selectFrom("teammates")
    .select(["memory_generation as generation", "memory_epoch as epoch"])
    .where("id", "=", teammateId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function generationOf(db: Db, teammateId: string): Promise<number> {
  const { generation } = await db
    .selectFrom("teammates")
    .select("memory_generation as generation")
    .where("id", "=", teammateId)
    .executeTakeFirstOrThrow();
  return generation;
}

/** Where new memories come from. */
export interface Origin {
  readonly origin: "manual" | "turn" | "import";
  readonly runId?: string | undefined;
  readonly by: string | null;
}

/** Writes a difference down. Hold the teammate first. */
export async function write(
  db: Db,
  teammateId: string,
  { added, changed, forgotten, outdates }: Difference,
  { origin, runId, by }: Origin,
  now: Date,
): Promise<void> {
  if (forgotten.length > 0) {
    const ids = forgotten.map(({ id }) => id);
    await db.deleteFrom("memories").where("id", "in", ids).execute();
  }
  for (const { id, text, pinned, scope, revision, updatedAt } of changed) {
    const change = { text, pinned, revision, updated_at: updatedAt, ...scopeColumns(scope) };
    await db.updateTable("memories").set(change).where("id", "=", id).execute();
  }
  if (added.length > 0) {
    const rows = added.map(({ id, text, pinned, scope, revision, updatedAt }) => ({
      id,
      teammate_id: teammateId,
      ...scopeColumns(scope),
      text,
      pinned,
      revision,
      origin,
      source_run_id: runId ?? null,
      created_by: by,
      created_at: now,
      updated_at: updatedAt,
    }));
    await db.insertInto("memories").values(rows).execute();
  }
  if (outdates) await grow(db, teammateId, now);
}

async function grow(db: Db, teammateId: string, now: Date): Promise<void> {
  await db
    .updateTable("teammates")
    .set({ memory_generation: sql`memory_generation + 1`, memory_changed_at: now })
    .where("id", "=", teammateId)
    .execute();
}

/** How many there were. What turns that run now want to remember is dropped, too. */
export async function removeAll(db: Db, teammateId: string, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("memories")
    .where("teammate_id", "=", teammateId)
    .executeTakeFirstOrThrow();
  await db.updateTable("teammates").set({ memory_epoch: sql`memory_epoch + 1` }).where("id", "=", teammateId).execute();
  await grow(db, teammateId, now);
  return Number(numDeletedRows);
}

/** True for whoever comes first. */
export async function markImported(db: Db, teammateId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("teammates")
    .set({ memory_imported_at: now })
    .where("id", "=", teammateId)
    .where("memory_imported_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
