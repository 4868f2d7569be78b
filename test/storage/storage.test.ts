import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { newId, silentLog } from "../../src/shared/index.ts";
import { openStorage } from "../../src/storage/index.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));

async function makeHome(): Promise<string> {
  await mkdir(scratch, { recursive: true });
  const home = await mkdtemp(`${scratch}storage-`);
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  return home;
}

test("everything works on an empty folder, and again after a restart", async () => {
  const home = await makeHome();
  for (let start = 1; start <= 2; start++) {
    const storage = await openStorage({ home }, silentLog);
    await storage.ping();
    let woken = 0;
    await storage.queues.work("mailbox", async () => void woken++);
    await storage.queues.add("mailbox", { conversationId: newId() });
    await expect.poll(() => woken).toBe(1);
    const lease = await storage.leases.acquire({ key: "computer:here", holder: `start ${start}`, ttlMs: 60_000 });
    expect(lease.status).toBe("held");
    if (lease.status === "held") await lease.release();
    await storage.close();
  }
});

test("closing waits for the handler that is at work with the database", async () => {
  const home = await makeHome();
  const storage = await openStorage({ home }, silentLog);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const seen: unknown[] = [];
  await storage.queues.work("mailbox", async () => {
    seen.push("started");
    await gate;
    seen.push(await storage.db.selectFrom("leases").selectAll().execute());
  });
  await storage.queues.add("mailbox", { conversationId: newId() });
  await expect.poll(() => seen).toEqual(["started"]);
  const closed = storage.close();
  open();
  await closed;
  expect(seen).toEqual(["started", []]);
});

test("a database that does not answer is told in a sentence", async () => {
  const home = await makeHome();
  const opening = openStorage({ home, databaseUrl: "postgres://ada:secret-of-ada@127.0.0.1:1/shipmate" }, silentLog);
  await expect(opening).rejects.toThrow(/The database does not answer .* correct DATABASE_URL/);
  await expect(opening).rejects.not.toThrow(/secret-of-ada/);
});

test("when a later step fails, what was opened is closed again", async () => {
  const home = await makeHome();
  await expect(openStorage({ home, redisUrl: "redis://127.0.0.1:1" }, silentLog)).rejects.toThrow(
    /Redis does not answer/,
  );
  await using storage = await openStorage({ home }, silentLog);
  await expect(storage.ping()).resolves.toBeUndefined();
});
