import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { nameThisProcess, silentLog } from "../../src/shared/index.ts";
import { createLeases, type Lease, type LeaseRefusal, type Leases } from "../../src/storage/leases.ts";
import type { Database } from "../../src/storage/tables.ts";
import { createTestDatabase } from "../support/database.ts";

const nameItself = fileURLToPath(new URL("name-itself.ts", import.meta.url));

async function openLeases() {
  const database = await createTestDatabase();
  const connect = () => {
    const pool = new Pool({ connectionString: database.url });
    pool.on("error", () => {});
    return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  };
  // Two processes, each with connections of its own.
  const [one, other] = [connect(), connect()];
  onTestFinished(async () => {
    await other.destroy();
    if (!gone.one) await one.destroy();
    await database.drop();
  });
  const gone = { one: false };
  return {
    db: other,
    one: createLeases({ db: one, log: silentLog }),
    other: createLeases({ db: other, log: silentLog }),
    /** The first process can no longer reach the database, as if it were dead or cut off. */
    cutOne: async () => {
      gone.one = true;
      await one.destroy();
    },
  };
}

function held(result: Lease | LeaseRefusal): Lease {
  if (result.status !== "held") throw new Error(`not held: ${result.heldBy}`);
  return result;
}

// Long where the test is not about time, so that a slow machine changes nothing.
const poller = { key: "poller:telegram", ttlMs: 60_000 };
const brief = { ...poller, ttlMs: 600 };

test("one holder at a time, and the other learns who it is and until when", async () => {
  const { one, other } = await openLeases();
  await using first = held(await one.acquire({ ...poller, holder: "one" }));
  expect(first.valid()).toBe(true);
  const refused = await other.acquire({ ...poller, holder: "other" });
  expect(refused).toMatchObject({ status: "taken", heldBy: "one" });
  if (refused.status === "taken") expect(refused.until.getTime()).toBeGreaterThan(Date.now());
});

test("F-61 of many who ask at once exactly one gets it", async () => {
  const { one, other } = await openLeases();
  const ask = (leases: Leases, holder: string) => leases.acquire({ ...poller, holder });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? one : other, `holder ${index}`)),
  );
  const winners = results.filter((result) => result.status === "held");
  expect(winners).toHaveLength(1);
  for (const winner of winners) await winner.release();
});

test("a lease lasts as long as it is renewed", async () => {
  const { one, other, db } = await openLeases();
  await using first = held(await one.acquire({ ...poller, ttlMs: 3000, holder: "one" }));
  const expiry = async () => {
    const row = await db
      .selectFrom("leases")
      .select("expires_at")
      .where("key", "=", poller.key)
      .executeTakeFirstOrThrow();
    return row.expires_at.getTime();
  };
  const firstExpiry = await expiry();
  // Later than the first promise would have lasted, it still holds.
  await expect.poll(expiry, { timeout: 20_000 }).toBeGreaterThan(firstExpiry + 3000);
  expect(first.valid()).toBe(true);
  expect((await other.acquire({ ...poller, holder: "other" })).status).toBe("taken");
});

test("a released lease is free at once, and its number grows", async () => {
  const { one, other } = await openLeases();
  const first = held(await one.acquire({ ...poller, holder: "one" }));
  await first.release();
  expect(first.valid()).toBe(false);
  await using second = held(await other.acquire({ ...poller, holder: "other" }));
  expect(second.epoch).toBe(first.epoch + 1n);
});

test("a holder that died is followed by another after the time ran out", async () => {
  const { one, other, cutOne } = await openLeases();
  const first = held(await one.acquire({ ...brief, holder: "one" }));
  await cutOne();
  await expect
    .poll(async () => (await other.acquire({ ...poller, holder: "other" })).status, { timeout: 20_000 })
    .toBe("held");
  // Never two at a time: the first one stopped believing before the second one began.
  expect(first.valid()).toBe(false);
});

test("a holder that is cut off from the database learns that it lost the lease", async () => {
  const { one, cutOne } = await openLeases();
  let lost = 0;
  const first = held(await one.acquire({ ...brief, holder: "one", onLost: () => lost++ }));
  await cutOne();
  await expect.poll(() => lost, { timeout: 20_000 }).toBe(1);
  expect(first.valid()).toBe(false);
});

test("a holder whose lease was taken learns it at the next renewal", async () => {
  const { one, db } = await openLeases();
  let lost = 0;
  held(await one.acquire({ ...poller, ttlMs: 3000, holder: "one", onLost: () => lost++ }));
  await db.updateTable("leases").set({ holder: "other", epoch: "99" }).where("key", "=", poller.key).execute();
  await expect.poll(() => lost, { timeout: 20_000 }).toBe(1);
});

test("releasing late does not take the lease away from its new holder", async () => {
  const { one, other, db } = await openLeases();
  const first = held(await one.acquire({ ...poller, holder: "one" }));
  await db
    .updateTable("leases")
    .set({ expires_at: new Date(0) })
    .where("key", "=", poller.key)
    .execute();
  await using second = held(await other.acquire({ ...poller, holder: "other" }));
  await first.release();
  expect(second.valid()).toBe(true);
  expect((await one.acquire({ ...poller, holder: "one" })).status).toBe("taken");
});

test("the same holder may ask again", async () => {
  const { one } = await openLeases();
  await using first = held(await one.acquire({ ...poller, holder: "one" }));
  await using again = held(await one.acquire({ ...poller, holder: "one" }));
  expect(again.epoch).toBeGreaterThan(first.epoch);
});

test("F-21 the lease of a process that was killed is free at once; that of one that lives, or of another machine, is not", async () => {
  const { one } = await openLeases();
  const child = spawn(process.execPath, [nameItself], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const holder = line.toString().trim();
  held(await one.acquire({ ...poller, holder }));
  const here = nameThisProcess();
  expect(await one.acquire({ ...poller, holder: here })).toMatchObject({ status: "taken", heldBy: holder });

  child.kill("SIGKILL");
  await once(child, "exit");
  await using taken = held(await one.acquire({ ...poller, holder: here }));
  expect(taken.epoch).toBe(2n);

  const [readable, , ...rest] = holder.split("#");
  const elsewhere = [readable, "another machine", ...rest].join("#");
  held(await one.acquire({ ...poller, key: "poller:elsewhere", holder: elsewhere }));
  expect((await one.acquire({ ...poller, key: "poller:elsewhere", holder: here })).status).toBe("taken");
});
