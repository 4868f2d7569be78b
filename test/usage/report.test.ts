import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/shared/index.ts";
import type { Database } from "../../src/storage/index.ts";
import { originOf, spanOf, tokensOf, usageReport } from "../../src/usage/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let db: Kysely<Database>;
const [milo, penny, ada, ben] = [newId(), newId(), newId(), newId()];
const now = new Date("2026-11-30T15:10:00Z");

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: database.url, max: 2 }) }),
  });
  const common = { title: "helper", job: "Help.", autonomy: "ask_consequential", access: "workspace" } as const;
  await db
    .insertInto("teammates")
    .values([
      { id: milo, handle: "milo", name: "Milo", ...common, busy_mode: "steer" },
      { id: penny, handle: "penny", name: "Penny", ...common, busy_mode: "steer" },
    ])
    .execute();
  await db
    .insertInto("people")
    .values([
      { id: ada, display_name: "Ada", role: "owner" },
      { id: ben, display_name: "Ben", role: "member" },
    ])
    .execute();
});

beforeEach(async () => {
  await db.deleteFrom("usage_ledger").execute();
});

afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

interface Used {
  readonly teammate?: string;
  readonly person?: string | null;
  readonly payer?: string;
  readonly at?: string;
  readonly input?: number;
  readonly output?: number;
}

async function use({ teammate = milo, person = ada, payer = "plan", at = now.toISOString(), ...more }: Used) {
  await db
    .insertInto("usage_ledger")
    .values({
      id: newId(),
      teammate_id: teammate,
      person_id: person,
      auth_mode: payer,
      input_tokens: more.input ?? 100,
      cached_input_tokens: 60,
      output_tokens: more.output ?? 10,
      reasoning_tokens: 5,
      created_at: new Date(at),
    })
    .execute();
}

const week = spanOf("week", now, "Europe/Lisbon");

describe("what was used", () => {
  it("is added up by teammate and person, plan and key apart, the most used first", async () => {
    await use({});
    await use({ teammate: penny, person: ben, input: 1_000 });
    await use({ teammate: penny, payer: "api_key", input: 50 });
    await use({ teammate: milo, person: null });
    const report = await usageReport(db, week, null);
    expect(report.total).toEqual({
      plan: { runs: 3, input: 1_200, cachedInput: 180, output: 30 },
      key: { runs: 1, input: 50, cachedInput: 60, output: 10 },
    });
    expect(report.teammates.map((line) => [line.name, tokensOf(line), line.key.input])).toEqual([
      ["Penny", 1_070, 50],
      ["Milo", 220, 0],
    ]);
    expect(report.people.map((line) => [line.name, tokensOf(line)])).toEqual([
      ["Ben", 1_010],
      ["Ada", 170],
      [null, 110],
    ]);
  });

  it("is one person's own where it is asked so", async () => {
    await use({});
    await use({ person: ben, teammate: penny });
    const report = await usageReport(db, week, ben);
    expect(report.teammates.map(({ name }) => name)).toEqual(["Penny"]);
    expect(report.total.plan.runs).toBe(1);
  });

  it("falls on the day it had in the zone of whoever asks, and ends with the time that is asked for", async () => {
    await use({ at: "2026-11-23T23:59:00Z" });
    await use({ at: "2026-11-24T00:00:00Z", input: 1 });
    await use({ at: "2026-11-29T23:59:59Z", input: 2 });
    await use({ at: "2026-11-30T00:00:00Z", input: 3 });
    await use({ at: "2026-11-30T15:11:00Z" });
    const { steps, total } = await usageReport(db, week, null);
    expect(steps.map(({ plan }) => plan.input)).toEqual([1, 0, 0, 0, 0, 2, 3]);
    expect(total.plan.input).toBe(6);
  });

  it("keeps two people of the same name apart, and who left in the sum", async () => {
    const otherBen = newId();
    await db.insertInto("people").values({ id: otherBen, display_name: "Ben", role: "member" }).execute();
    await db.updateTable("people").set({ disabled_at: now }).where("id", "=", otherBen).execute();
    await use({ person: ben });
    await use({ person: otherBen });
    expect((await usageReport(db, week, null)).people.map(({ name }) => name)).toEqual(["Ben", "Ben"]);
  });

  it("is nothing where nothing was", async () => {
    const report = await usageReport(db, week, null);
    expect(report).toMatchObject({ teammates: [], people: [], total: { plan: { runs: 0 }, key: { runs: 0 } } });
    expect(report.steps).toHaveLength(7);
  });

  it("is found by the time, however much there is of other times", async () => {
    await sql`
      insert into usage_ledger (id, teammate_id, person_id, auth_mode, input_tokens, cached_input_tokens, output_tokens,
        reasoning_tokens, created_at)
      select gen_random_uuid(), ${milo}, ${ada}, 'plan', 1, 0, 0, 0, timestamptz '2026-11-30' - n * interval '1 hour'
      from generate_series(1, 20000) n`.execute(db);
    await sql`analyze usage_ledger`.execute(db);
    expect((await usageReport(db, spanOf("month", now, null), null)).total.plan.runs).toBe(29 * 24);
    const { rows } = await sql<{ "QUERY PLAN": string }>`
      explain select sum(input_tokens) from usage_ledger where created_at >= ${week.from} and created_at <= ${week.to}`.execute(
      db,
    );
    expect(JSON.stringify(rows)).toContain("usage_ledger_recent");
  });
});

it.each([
  ["message", "user"],
  ["approval_decision", "user"],
  ["retry", "user"],
  ["routine", "routine"],
  ["teammate", "teammate"],
  ["webhook", "api"],
])("a run that exists because of a %s counts as the %s's", (trigger, origin) => {
  expect(originOf(trigger)).toBe(origin);
});
