import { sql } from "kysely";
import { z } from "zod";
import type { Db, Unit } from "../storage/index.ts";

const backupShape = z.object({ model: z.string().min(1).max(100), payer: z.enum(["plan", "api_key"]).nullish() });
/** A model that answers where the usual one cannot, and who has to pay for it where that is said. */
export type Backup = z.infer<typeof backupShape>;

export const leaveCauses = ["usage_limit", "overloaded", "unreachable", "model_not_found", "key_rejected"] as const;
export type LeaveCause = (typeof leaveCauses)[number];

const leftShape = z.object({
  /** The model it would usually use; null for Codex's own choice. */
  from: z.string().nullable(),
  to: backupShape,
  cause: z.enum(leaveCauses),
  /** When it goes back by itself; null where nothing says when the trouble is over, and then it stays. */
  until: z.coerce.date().nullable(),
  /** Whether anybody was told. */
  told: z.boolean(),
});
/** That a teammate left its model, and why. */
export type ModelLeft = z.infer<typeof leftShape>;

export interface Backups {
  /** In the order in which they are tried. */
  readonly list: readonly Backup[];
  readonly left: ModelLeft | null;
}

export const mostBackups = 3;

export async function readBackups(db: Db, teammateId: string): Promise<Backups> {
  const row = await db
    .selectFrom("teammates")
    .select(["backup_models", "model_left"])
    .where("id", "=", teammateId)
    .executeTakeFirst();
  return backupsIn(row);
}

export function backupsIn(row: { readonly backup_models: unknown; readonly model_left: unknown } | undefined): Backups {
  return {
    list: z.array(backupShape).parse(row?.backup_models ?? []),
    left: leftShape.nullable().parse(row?.model_left ?? null),
  };
}

/** Changes the list under a lock: two who add at once both count. */
export async function changeBackups(
  unit: Unit,
  teammateId: string,
  change: (list: readonly Backup[]) => readonly Backup[],
): Promise<void> {
  await unit.db.selectFrom("teammates").select("id").where("id", "=", teammateId).forUpdate().execute();
  const { list } = await readBackups(unit.db, teammateId);
  await unit.db
    .updateTable("teammates")
    .set({ backup_models: JSON.stringify(change(list).slice(0, mostBackups)) })
    .where("id", "=", teammateId)
    .execute();
}

/** Notes that a teammate left its model; null that it is back. */
export async function saveLeft(db: Db, teammateId: string, left: ModelLeft | null): Promise<void> {
  await db
    .updateTable("teammates")
    .set({ model_left: left === null ? null : JSON.stringify(left) })
    .where("id", "=", teammateId)
    .execute();
}

/** True for the one run that is to tell of it. */
export async function takeTelling(db: Db, teammateId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update teammates set model_left = jsonb_set(model_left, '{told}', 'true')
    where id = ${teammateId} and model_left ->> 'told' = 'false'`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export function isSameBackup(one: Backup, other: Backup): boolean {
  return one.model === other.model && (one.payer ?? null) === (other.payer ?? null);
}
