import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import { expectSettled, type Office, openOffice } from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

it("F-02 a message that could not be stored because the disk was full is answered once when there is room again", async () => {
  const { world } = office;
  await world.query(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await world.query("create trigger full_disk before insert on messages for each row execute function refuse()");
  const visit = await office.visit();
  visit.ask();
  await office.shipmate.says(/could not be stored/);
  expect(world.telegram.pendingUpdates()).toHaveLength(1);

  await world.query("drop trigger full_disk on messages");
  await visit.hears(visit.answer);
  await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
});

it("F-14 answers everybody exactly once while the connections to the database are cut again and again", async () => {
  for (let round = 0; round < 3; round += 1) {
    const visit = await office.visit();
    visit.ask();
    const heard = visit.hears(visit.answer);
    let waiting = true;
    const done = () => {
      waiting = false;
    };
    heard.then(done, done);
    // At most a few times a message: whoever is cut off at every step gets nowhere.
    for (let cut = 0; waiting && cut < 5; cut += 1) await cutConnections();
    await heard;
    await expectSettled(visit, { says: [visit.answer], turns: 1, sign: "done" });
  }
});

it("F-14 goes on without a restart after the database was away for longer than any lease", async () => {
  const thinking = gate();
  const before = await office.visit(() => [waitFor(thinking), say("Thought through.")]);
  const meanwhile = await office.visit();
  before.ask();
  await thinking.reached;
  await setReachable(false);
  await office.shipmate.says(/the lease of a connection was lost/, 40_000);
  thinking.open();
  meanwhile.ask();
  await setReachable(true);

  await before.hears(/^Thought through\./);
  await meanwhile.hears(meanwhile.answer);
  await expectSettled(meanwhile, { says: [meanwhile.answer], turns: 1, sign: "done" });
  const leases = () => office.world.query("select key from leases where expires_at > now() order by key");
  await expect
    .poll(leases, { timeout: 10_000 })
    .toEqual([{ key: "computer:main" }, { key: expect.stringMatching(/^connection:/) }]);
});

async function cutConnections(): Promise<void> {
  await onCluster((name) => [
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and backend_type = 'client backend'`,
  ]);
}

async function setReachable(reachable: boolean): Promise<void> {
  await onCluster((name) => [`alter database ${name} allow_connections ${reachable}`]);
  if (!reachable) await cutConnections();
}

async function onCluster(statements: (database: string) => readonly string[]): Promise<void> {
  const url = new URL(office.world.databaseUrl);
  const database = url.pathname.slice(1);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const statement of statements(database)) await client.query(statement);
  } finally {
    await client.end();
  }
}
