import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { migrate } from "../../src/storage/migrate.ts";
import type { Database } from "../../src/storage/tables.ts";
import { createTestDatabase } from "../support/database.ts";

async function open() {
  const database = await createTestDatabase();
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: database.url }) }),
  });
  return {
    db,
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await database.drop();
    },
  };
}

test("an up-to-date database is left as it is", async () => {
  await using opened = await open();
  const ledger = () => sql<{ timestamp: string }>`select * from kysely_migration order by name`.execute(opened.db);
  const before = (await ledger()).rows;
  expect(before.length).toBeGreaterThan(0);
  await migrate(opened.db);
  expect((await ledger()).rows).toEqual(before);
});

test("several processes may migrate an empty database at once", async () => {
  await using opened = await open();
  await sql`drop schema public cascade`.execute(opened.db);
  await sql`create schema public`.execute(opened.db);
  await Promise.all([migrate(opened.db), migrate(opened.db), migrate(opened.db)]);
  expect(await opened.db.selectFrom("leases").selectAll().execute()).toEqual([]);
});

test("F-63 a database that a newer Shipmate changed is refused in a sentence", async () => {
  await using opened = await open();
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2099')`.execute(opened.db);
  await expect(migrate(opened.db)).rejects.toThrow(/already changed by a newer Shipmate \(9999-from-the-future\)/);
});
