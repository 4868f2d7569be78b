import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { BreakpointSpec } from "../support/breakpoint.ts";
import { type Office, openOffice, underWay, type Visit, type WriteOutcome } from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

/** The regular look comes every quarter of a minute; that a queue forgot it is found out after a while. */
const patience = { timeout: 120_000, interval: 100 };
const soonMs = 1_000;

/** A routine of Ada's, made here and not by Shipmate: it is due in a second, and again an hour later. */
async function make(id: string): Promise<string> {
  const due = new Date(Date.now() + soonMs);
  const trigger = { kind: "schedule", schedule: { kind: "interval", everyMinutes: 60, anchor: due.toISOString() } };
  const [made] = await office.world.query(
    `with home as (
        select p.id as place_id, i.person_id, (select id from teammates limit 1) as teammate_id
        from places p join identities i on i.dm_channel = p.channel and i.connection_id = p.connection_id
        join people on people.id = i.person_id where people.role = 'owner' limit 1),
      made as (
        insert into routines (id, teammate_id, kind, name, instruction, trigger, timezone, place_id, missed_policy, limit_policy,
          next_due_at, created_by)
        select gen_random_uuid(), teammate_id, 'routine', 'Tide ' || $1::text, 'question ' || $1::text, $2::jsonb, 'UTC', place_id,
          'run_once', 'wait', $3, person_id from home
        returning id, place_id, teammate_id),
      lane as (
        insert into conversations (id, place_id, teammate_id, kind, routine_id)
        select gen_random_uuid(), place_id, teammate_id, 'routine', id from made)
    select id from made`,
    [id, JSON.stringify(trigger), due],
  );
  return String(made?.id);
}

/** It ran once: one row, one turn, one report, and the next time is an hour away. */
async function expectOneRun(visit: Visit, routineId: () => string): Promise<void> {
  const { world, venue } = office;
  const reports = () =>
    world.telegram.chat(world.telegram.ada).fromBot.filter(({ text }) => text.includes(`The answer to ${visit.id}.`));
  await vi.waitFor(() => expect(reports()).toHaveLength(1), patience);
  await vi.waitFor(async () => expect(await underWay(venue)).toEqual([]), patience);
  const rows = await world.query(
    `select rr.skipped_because as skipped, d.status, r.next_due_at - rr.scheduled_for = interval '1 hour' as goes_on
      from routine_runs rr join routines r on r.id = rr.routine_id left join deliveries d on d.id = rr.delivery_id
      where r.id = $1`,
    [routineId()],
  );
  expect(rows).toEqual([{ skipped: null, status: "completed", goes_on: true }]);
  expect([reports().length, visit.turns()]).toEqual([1, 1]);
}

describe("killed when a routine is due", () => {
  const points: readonly (readonly [string, BreakpointSpec, WriteOutcome])[] = [
    ["before its run is written down", { table: "routine_runs", on: "insert" }, "lost"],
    [
      "between its run and its delivery",
      { table: "deliveries", on: "insert", when: "new.trigger = 'routine'" },
      "lost",
    ],
    [
      "before the next time is written down",
      { table: "routines", on: "update", when: "new.next_due_at > old.next_due_at" },
      "lost",
    ],
    ["before anybody was woken", { table: "routine_runs", on: "insert", at: "commit" }, "committed"],
  ];
  it.each(points)("F-51 %s: it runs once", { timeout: 120_000 }, async (_, spec, outcome) => {
    const visit = await office.visit();
    let routine = "";
    const ask = async () => {
      routine = await make(visit.id);
    };
    await office.killAt(spec, ask, outcome);
    await office.restart();
    await expectOneRun(visit, () => routine);
  });
});

describe("a routine that is due", () => {
  it("F-51 runs once, where the queue was lost while nobody was there", { timeout: 120_000 }, async () => {
    const visit = await office.visit();
    await office.kill();
    const routine = await make(visit.id);
    await office.world.query("drop schema bullmq cascade");
    await office.restart();
    await expectOneRun(visit, () => routine);
  });

  it("F-51 runs once, where the queue is emptied meanwhile", { timeout: 240_000 }, async () => {
    const visit = await office.visit();
    const tables = await office.world.query("select tablename from pg_tables where schemaname = 'bullmq'");
    const names = tables.map((table) => `bullmq.${table.tablename}`).filter((name) => !name.includes("migration"));
    await office.world.query(`truncate ${names.join(", ")} cascade`);
    const routine = await make(visit.id);
    await expectOneRun(visit, () => routine);
  });
});
