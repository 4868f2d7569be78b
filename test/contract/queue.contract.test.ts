import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newId, silentLog } from "../../src/shared/index.ts";
import type { Queues } from "../../src/storage/queue.ts";
import { createQueues } from "../../src/storage/queues.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { canStartRedis, startRedis, type TestRedis } from "../support/redis.ts";

/** Something a handler waits for and a test opens. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

describe.each(["postgres", "redis"] as const)("the queues on %s", (backend) => {
  describe.skipIf(backend === "redis" && !canStartRedis())("", () => {
    let database: TestDatabase;
    let redis: TestRedis | undefined;

    beforeAll(async () => {
      database = await createTestDatabase();
      if (backend === "redis") redis = await startRedis();
    });
    afterAll(async () => {
      await redis?.[Symbol.asyncDispose]();
      await database.drop();
    });

    async function open(takeover?: { lockMs: number; checkMs: number }): Promise<Queues> {
      const queues = await createQueues({
        databaseUrl: database.url,
        redisUrl: redis?.url,
        takeover,
        log: silentLog,
      });
      onTestFinished(() => queues.close());
      return queues;
    }

    // Each test has a line of its own, so that nothing is left over from the one before.
    const wakeUp = () => ({ conversationId: newId() });

    test("a job reaches the handler with its payload", async () => {
      const queues = await open();
      const scope = newId();
      const seen: unknown[] = [];
      await queues.work("mailbox", async (payload, job) => void seen.push({ payload, attempt: job.attempt }), {
        scope,
      });
      const payload = wakeUp();
      await queues.add("mailbox", payload, { scope });
      await expect.poll(() => seen).toEqual([{ payload, attempt: 1 }]);
      expect(queues.backend).toBe(backend);
    });

    test("a job added before anybody works is not lost", async () => {
      const scope = newId();
      await (await open()).add("mailbox", wakeUp(), { scope });
      const queues = await open();
      let seen = 0;
      await queues.work("mailbox", async () => void seen++, { scope });
      await expect.poll(() => seen).toBe(1);
    });

    test("lines of one queue do not mix", async () => {
      const queues = await open();
      const [one, other] = [newId(), newId()];
      const seen: string[] = [];
      await queues.work("outbox", async () => void seen.push("one"), { scope: one });
      await queues.work("outbox", async () => void seen.push("other"), { scope: other });
      await queues.add("outbox", { connectionId: newId() }, { scope: other });
      await expect.poll(() => seen).toEqual(["other"]);
      await queues.add("outbox", { connectionId: newId() }, { scope: one });
      await expect.poll(() => seen).toEqual(["other", "one"]);
    });

    test("many wake-ups for the same thing become one while it waits", async () => {
      const queues = await open();
      const scope = newId();
      for (let i = 0; i < 20; i++) await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane:1" });
      await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane:2" });
      const seen: string[] = [];
      await queues.work("mailbox", async (payload) => void seen.push(payload.conversationId), { scope });
      const last = wakeUp();
      await expect.poll(() => seen.length).toBe(2);
      await queues.add("mailbox", last, { scope });
      await expect.poll(() => seen.at(-1)).toBe(last.conversationId);
      expect(seen).toHaveLength(3);
    });

    test("a wake-up that comes while its job runs leads to exactly one more run", async () => {
      const queues = await open();
      const scope = newId();
      const first = gate();
      let runs = 0;
      await queues.work(
        "mailbox",
        async () => {
          runs++;
          if (runs === 1) await first.passed;
        },
        { scope, concurrency: 4 },
      );
      await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane" });
      await expect.poll(() => runs).toBe(1);
      for (let i = 0; i < 5; i++) await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane" });
      // The same lane does not run twice at a time.
      expect(runs).toBe(1);
      first.open();
      await expect.poll(() => runs).toBe(2);
      await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane" });
      await expect.poll(() => runs).toBe(3);
    });

    test("no wake-up is swallowed when adds race with finishing handlers", async () => {
      const queues = await open();
      const scope = newId();
      // The rule every room relies on: what was written before `add` is seen by some run.
      let written = 0;
      let handled = 0;
      await queues.work(
        "mailbox",
        async () => {
          const seen = written;
          await new Promise((resolve) => setImmediate(resolve));
          handled = Math.max(handled, seen);
        },
        { scope, concurrency: 2 },
      );
      for (let round = 1; round <= 150; round++) {
        written = round;
        await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane" });
        if (round % 10 === 0) await expect.poll(() => handled, { interval: 2, timeout: 10_000 }).toBe(round);
      }
    });

    test("a delayed job waits, and does not hold back one that is due now", async () => {
      const queues = await open();
      const scope = newId();
      const seen: string[] = [];
      await queues.work("mailbox", async (payload) => void seen.push(payload.conversationId), { scope });
      const [late, soon, now] = [wakeUp(), wakeUp(), wakeUp()];
      const began = Date.now();
      await queues.add("mailbox", late, { scope, dedupe: "lane", delayMs: 3_600_000 });
      await queues.add("mailbox", soon, { scope, dedupe: "lane", delayMs: 400 });
      await queues.add("mailbox", now, { scope, dedupe: "lane" });
      await expect.poll(() => seen).toEqual([now.conversationId]);
      await expect.poll(() => seen, { timeout: 20_000 }).toEqual([now.conversationId, soon.conversationId]);
      expect(Date.now() - began).toBeGreaterThanOrEqual(400);
    });

    test("a delayed job can put itself off once more", async () => {
      const queues = await open();
      const scope = newId();
      let seen = 0;
      const again = { scope, dedupe: "lane" };
      await queues.work(
        "mailbox",
        async (payload) => {
          seen += 1;
          if (seen < 20) await queues.add("mailbox", payload, { ...again, delayMs: 1 });
        },
        { scope },
      );
      await queues.add("mailbox", wakeUp(), { ...again, delayMs: 1 });
      await expect.poll(() => seen, { timeout: 30_000 }).toBe(20);
    });

    test("a failing handler gets the job again, and the next wake-up is a new job", async () => {
      const queues = await open();
      const scope = newId();
      const attempts: number[] = [];
      await queues.work(
        "mailbox",
        async (_payload, { attempt }) => {
          attempts.push(attempt);
          if (attempts.length < 3) throw new Error("not yet");
        },
        { scope },
      );
      await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane" });
      await expect.poll(() => attempts, { timeout: 10_000 }).toEqual([1, 2, 3]);
      await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane" });
      await expect.poll(() => attempts).toEqual([1, 2, 3, 1]);
    });

    test("a wake-up while a failed job pauses starts it at once", async () => {
      const queues = await open();
      const scope = newId();
      const order: string[] = [];
      const [lane, marker] = [wakeUp(), wakeUp()];
      let failures = 0;
      await queues.work(
        "mailbox",
        async ({ conversationId }) => {
          if (conversationId === lane.conversationId && failures < 5) {
            failures++;
            throw new Error("not yet");
          }
          order.push(conversationId);
        },
        { scope },
      );
      await queues.add("mailbox", lane, { scope, dedupe: "lane" });
      await expect.poll(() => failures, { timeout: 20_000 }).toBe(5);
      // The pause before the last try is 3.2 s; the marker comes due in the middle of it.
      await queues.add("mailbox", marker, { scope, delayMs: 1500 });
      await queues.add("mailbox", lane, { scope, dedupe: "lane" });
      await expect.poll(() => order, { timeout: 20_000 }).toEqual([lane.conversationId, marker.conversationId]);
    });

    test("a job that fails to the end does not block the next wake-up", async () => {
      const queues = await open();
      const scope = newId();
      let healthy = false;
      let failed = 0;
      let handled = 0;
      await queues.work(
        "mailbox",
        async () => {
          if (!healthy) {
            failed++;
            throw new Error("broken");
          }
          handled++;
        },
        { scope },
      );
      await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane" });
      // Six tries, one after another; then the job is gone.
      await expect.poll(() => failed, { timeout: 30_000 }).toBe(6);
      healthy = true;
      await queues.add("mailbox", wakeUp(), { scope, dedupe: "lane" });
      await expect.poll(() => handled, { timeout: 20_000 }).toBeGreaterThan(0);
    });

    test("a payload of another release is dropped and does not stop the line", async () => {
      const queues = await open();
      const scope = newId();
      const seen: unknown[] = [];
      await queues.work("mailbox", async (payload) => void seen.push(payload), { scope });
      // What an older release may have left: TypeScript would not let us add it today.
      await queues.add("mailbox", JSON.parse('{"lane":7}'), { scope });
      const payload = wakeUp();
      await queues.add("mailbox", payload, { scope });
      await expect.poll(() => seen).toEqual([payload]);
    });

    test("something regular happens again and again, once for all who asked", async () => {
      const [one, other] = [await open(), await open()];
      const scope = newId();
      const seen: string[] = [];
      for (const queues of [one, other]) await queues.every("clock", "tick:tock", 300, { task: "sweep" }, { scope });
      await one.work("clock", async ({ task }) => void seen.push(task), { scope });
      const began = Date.now();
      await expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
      expect(new Set(seen)).toEqual(new Set(["sweep"]));
      // Two schedules would have needed half of this.
      expect(Date.now() - began).toBeGreaterThanOrEqual(600);
    });

    test("closing waits for the active handler and starts no other", async () => {
      const queues = await open();
      const scope = newId();
      const first = gate();
      let started = 0;
      let finished = 0;
      const worker = await queues.work(
        "mailbox",
        async () => {
          started++;
          await first.passed;
          finished++;
        },
        { scope },
      );
      await queues.add("mailbox", wakeUp(), { scope });
      await queues.add("mailbox", wakeUp(), { scope });
      await expect.poll(() => started).toBe(1);
      const closed = worker.close().then(() => finished);
      first.open();
      expect(await closed).toBe(1);
      expect(started).toBe(1);
    });

    test("the job of a killed process is taken over", async () => {
      const queues = await open({ lockMs: 1000, checkMs: 500 });
      const script = fileURLToPath(new URL("queue-worker.ts", import.meta.url));
      const victim = spawn(process.execPath, [script, database.url, redis?.url ?? ""], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void victim.kill("SIGKILL"));
      let output = "";
      victim.stdout.on("data", (chunk) => {
        output += String(chunk);
      });
      await expect.poll(() => output, { timeout: 30_000 }).toContain("listening");
      const payload = wakeUp();
      await queues.add("mailbox", payload, { dedupe: "lane" });
      await expect.poll(() => output).toContain("taken");
      victim.kill("SIGKILL");
      const seen: unknown[] = [];
      await queues.work("mailbox", async (taken) => void seen.push(taken));
      await expect.poll(() => seen, { timeout: 30_000 }).toEqual([payload]);
    });

    test("a lost connection recovers", async () => {
      const queues = await open();
      const scope = newId();
      const seen: string[] = [];
      await queues.work("mailbox", async (payload) => void seen.push(payload.conversationId), { scope });
      await queues.add("mailbox", wakeUp(), { scope });
      await expect.poll(() => seen.length).toBe(1);
      if (redis === undefined) await cutConnections(database.url);
      else await redis.restart();
      const payload = wakeUp();
      // The first add may meet the broken connection; its caller hears of it and the sweeper adds again.
      await expect
        .poll(
          () =>
            queues.add("mailbox", payload, { scope, dedupe: "lane" }).then(
              () => true,
              () => false,
            ),
          { timeout: 30_000 },
        )
        .toBe(true);
      await expect.poll(() => seen, { timeout: 30_000 }).toContain(payload.conversationId);
    });

    test("many workers share few connections and do not starve each other", async () => {
      const queues = await open();
      const seen = new Set<string>();
      const scopes = Array.from({ length: 12 }, () => newId());
      for (const scope of scopes) await queues.work("outbox", async () => void seen.add(scope), { scope });
      await Promise.all(scopes.map((scope) => queues.add("outbox", { connectionId: newId() }, { scope })));
      await expect.poll(() => seen.size, { timeout: 20_000 }).toBe(scopes.length);
      if (redis !== undefined) return;
      await expect.poll(() => countConnections(database.url), { timeout: 20_000 }).toBeLessThanOrEqual(12 + 4);
    });

    test("ping answers", async () => {
      const queues = await open();
      await expect(queues.ping()).resolves.toBeUndefined();
    });
  });
});

test("an unreachable Redis is told in a sentence", async () => {
  const opening = createQueues({ databaseUrl: "postgres://nowhere", redisUrl: "redis://127.0.0.1:1", log: silentLog });
  await expect(opening).rejects.toThrow(/Redis does not answer at REDIS_URL .* remove REDIS_URL/);
});

async function ask(url: string, question: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

const others = "datname = current_database() and pid <> pg_backend_pid()";

async function cutConnections(url: string): Promise<void> {
  await ask(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
}

async function countConnections(url: string): Promise<number> {
  const [row] = await ask(url, `select count(*)::int as open from pg_stat_activity where ${others}`);
  return row.open;
}
