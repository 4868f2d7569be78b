import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { wireRoutines } from "../../src/app/routines.ts";
import { createMailbox } from "../../src/mailbox/index.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { createPeople } from "../../src/people/index.ts";
import { createPlaces, ensureConnection, setConnectionState } from "../../src/places/index.ts";
import { createRunControl } from "../../src/runs/index.ts";
import { newId, silentLog } from "../../src/shared/index.ts";
import { type Db, inTransaction, openStorage, type Storage } from "../../src/storage/index.ts";
import { createTeammates } from "../../src/teammates/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { canStartRedis, startRedis, type TestRedis } from "../support/redis.ts";
import { plan, scheduled } from "./scene.ts";

describe.each(["postgres", "redis"] as const)("with the queue on %s", (backend) => {
  describe.skipIf(backend === "redis" && !canStartRedis())("", () => {
    let database: TestDatabase;
    let redis: TestRedis | undefined;
    let home: string;

    beforeAll(async () => {
      database = await createTestDatabase();
      if (backend === "redis") redis = await startRedis();
      home = await mkdtemp(join(tmpdir(), "waking-"));
    });
    afterAll(async () => {
      await redis?.[Symbol.asyncDispose]();
      await database.drop();
      await rm(home, { recursive: true, force: true });
    });

    async function open() {
      const storage = await openStorage({ home, databaseUrl: database.url, redisUrl: redis?.url }, silentLog);
      onTestFinished(() => storage.close());
      return { storage, ...rooms(storage) };
    }

    test("a wake-up leads to a run when it is due, in a process that did not make it, and the run wakes its lane", async () => {
      const maker = await open();
      const worker = await open();
      const { db, queues } = worker.storage;
      const lanes: string[] = [];
      await queues.work("mailbox", async ({ conversationId }) => void lanes.push(conversationId));
      await queues.work("clock", async ({ task }) => {
        if (task === "routines") await worker.routines.tick(db);
      });
      const routine = await make(maker.storage, maker.routines, new Date(Date.now() + 1_500));
      await expect
        .poll(() => worker.routines.runs(db, routine.id, 10), { timeout: 20_000 })
        .toMatchObject([{ status: "queued", scheduledFor: routine.nextDueAt, late: false }]);
      await expect.poll(() => lanes, { timeout: 20_000 }).toContain(routine.conversationId);
      expect((await maker.routines.get(db, routine.id))?.nextDueAt?.getTime()).toBe(
        (routine.nextDueAt?.getTime() ?? 0) + 60 * 60_000,
      );
    });
  });
});

function rooms({ db, queues }: Storage) {
  const clock = { now: () => new Date() };
  const log = silentLog;
  const people = createPeople({ clock });
  const places = createPlaces({ clock });
  const outbox = createOutbox({
    db,
    adapters: { get: () => undefined },
    queues,
    people,
    setConnectionState,
    clock,
    log,
  });
  const mailbox = createMailbox({ db, log, clock, queues, outbox });
  const runs = createRunControl({ queues, mailbox, clock });
  return { routines: wireRoutines({ queues, mailbox, runs, outbox, people, places, clock, log }) };
}

/** A routine that is due at a moment, and every hour from then on. */
async function make({ db }: Storage, routines: ReturnType<typeof rooms>["routines"], due: Date) {
  const { ada, milo, placeId } = await inTransaction(db, silentLog, async (unit) => {
    const teammate = await createTeammates().ensureDefault(unit);
    const connection = await ensureConnection(unit, { platform: "stand-in", botId: newId(), name: "Shipmate" });
    const person = { id: newId(), displayName: "Ada", role: "owner", locale: null, timezone: null } as const;
    await insertPerson(unit.db, person.id);
    const place = { channel: "dm-ada", kind: "dm" } as const;
    const { id } = await createPlaces({ clock: { now: () => new Date() } }).ensure(unit, connection.id, place);
    return { ada: person, milo: teammate, placeId: id };
  });
  const trigger = scheduled({ kind: "interval", everyMinutes: 60, anchor: due.toISOString() });
  const wanted = { ...plan(milo, { placeId, thread: "" }), trigger };
  const saved = await inTransaction(db, silentLog, (unit) => routines.create(unit, ada, wanted));
  if (saved.kind === "refused") throw new Error(JSON.stringify(saved.problem));
  return saved.routine;
}

async function insertPerson(db: Db, id: string): Promise<void> {
  await db.insertInto("people").values({ id, display_name: "Ada", role: "owner" }).execute();
}
