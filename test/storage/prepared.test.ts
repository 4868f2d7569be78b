import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { preparing } from "../../src/storage/prepared.ts";
import type { Database } from "../../src/storage/tables.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let db: Kysely<Database>;

beforeEach(async () => {
  database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 1 });
  db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
});

afterEach(async () => {
  await db.destroy();
  await database.drop();
});

async function prepared(): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  return rows.map(({ statement }) => statement);
}

const namesLike = (name: string) =>
  sql<{ name: string }>`select name from teammates where name like ${name}`.execute(db);

test("a statement that comes again is prepared, and gives what it gave before", async () => {
  await namesLike("a%");
  expect(await prepared()).toEqual([]);
  await sql`insert into teammates (id, handle, name, title, job, autonomy, access, busy_mode)
    values (gen_random_uuid(), 'milo', 'Milo', '', '', 'ask_all', 'workspace', 'steer')`.execute(db);
  for (const [name, count] of [
    ["M%", 1],
    ["P%", 0],
    ["%o", 1],
  ] as const) {
    expect((await namesLike(name)).rows).toHaveLength(count);
  }
  expect(await prepared()).toEqual([expect.stringContaining("select name from teammates")]);
});

test("a transaction that fails leaves prepared statements usable", async () => {
  for (let time = 0; time < 3; time += 1) await namesLike("M%");
  const broken = db.transaction().execute(async (tx) => {
    await sql`select name from teammates where name like ${"M%"}`.execute(tx);
    await sql`select 1 / ${0}::int`.execute(tx);
  });
  await expect(broken).rejects.toThrow("division by zero");
  expect((await namesLike("M%")).rows).toEqual([]);
});

test("however many different statements come, only so many stay prepared on a connection", async () => {
  for (let number = 0; number < 400; number += 1) {
    for (let time = 0; time < 2; time += 1) await sql`select ${sql.lit(number)} + ${1}::int`.execute(db);
  }
  expect((await prepared()).length).toBeLessThanOrEqual(300);
});

test("a batch whose text differs with its size is not prepared", async () => {
  const values = sql.join(Array.from({ length: 50 }, (_, index) => sql`${index}::int`));
  for (let time = 0; time < 3; time += 1) await sql`select array[${values}]`.execute(db);
  expect(await prepared()).toEqual([]);
});
