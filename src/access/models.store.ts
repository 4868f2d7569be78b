import { z } from "zod";
import type { Db } from "../storage/index.ts";

/** A model that the computer's Codex offers, as it last said. */
export interface ListedModel {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** How much it may think, from little to much. */
  readonly efforts: readonly string[];
  readonly defaultEffort: string | null;
  readonly isDefault: boolean;
}

const effortList = z.array(z.string());

/** The models there are, in Codex's own order; those whose id or name has the words in it where a query is given. */
export async function listModels(db: Db, query = ""): Promise<ListedModel[]> {
  const rows = await db
    .selectFrom("models")
    .select(["id", "name", "description", "efforts", "default_effort as defaultEffort", "is_default as isDefault"])
    .orderBy("position")
    .execute();
  const wanted = query.trim().toLowerCase();
  return rows
    .filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted))
    .map((row) => ({ ...row, efforts: effortList.parse(row.efforts) }));
}

/** Puts what Codex offers now in the place of what it offered before. */
export async function replaceModels(db: Db, models: readonly ListedModel[], now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom("models").execute();
    if (models.length === 0) return;
    await tx
      .insertInto("models")
      .values(
        models.map(({ id, name, description, efforts, defaultEffort, isDefault }, position) => ({
          id,
          position,
          name,
          description,
          efforts: JSON.stringify(efforts),
          default_effort: defaultEffort,
          is_default: isDefault,
          seen_at: now,
        })),
      )
      .execute();
  });
}
