import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { TestProject } from "vitest/node";
import { silentLog } from "../../src/shared/index.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/postgres.ts";
import { createQueues } from "../../src/storage/queues.ts";
import type { Database } from "../../src/storage/tables.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The cluster of this run, by its maintenance database. */
    readonly clusterUrl: string;
    readonly templateDatabase: string;
  }
}

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));
const templateDatabase = "template_shipmate";

/** One PostgreSQL for the whole run, with one migrated database that every test database is copied from. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(scratch, { recursive: true });
  const home = await mkdtemp(`${scratch}cluster-`);
  // Nothing here has to survive a power cut, and several test files share the connections.
  const settings = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "300" };
  const database = await openDatabase({ home, settings, log: silentLog });
  const clusterUrl = withDatabase(database.url, "postgres");
  const admin = new Pool({ connectionString: clusterUrl, max: 1 });
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  await fill(withDatabase(database.url, templateDatabase));
  project.provide("clusterUrl", clusterUrl);
  project.provide("templateDatabase", templateDatabase);
  return async () => {
    await database.close();
    await rm(home, { recursive: true, force: true });
  };
}

async function fill(url: string): Promise<void> {
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
  });
  await migrate(db);
  await db.destroy();
  const queues = await createQueues({ databaseUrl: url, log: silentLog });
  await queues.close();
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
