import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
// biome-ignore lint/style/noRestrictedImports: the migrations are a folder of the project, not a room above; only this file reads them.
import { migrations } from "../../migrations/index.ts";
import { StorageError } from "./storage-error.ts";
import type { Database } from "./tables.ts";

/**
 * Brings the tables up to date, forward only; safe when several processes start at once.
 * @throws StorageError when a newer Shipmate has already changed this database.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await refuseNewer(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results.find((result) => result.status === "Error");
  throw new StorageError(
    `The database could not be brought up to date${failed === undefined ? "" : ` (step ${failed.migrationName})`}. It was left as it was: ${error instanceof Error ? error.message : error}`,
    { cause: error },
  );
}

async function refuseNewer(db: Kysely<Database>): Promise<void> {
  const { rows: tables } = await sql<{
    ledger: string | null;
  }>`select to_regclass('kysely_migration')::text as ledger`.execute(db);
  if (tables[0]?.ledger == null) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const unknown = rows.map((row) => row.name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new StorageError(
    `This database was already changed by a newer Shipmate (${unknown.join(", ")}). Start that version again, or restore a backup made before the upgrade.`,
  );
}
