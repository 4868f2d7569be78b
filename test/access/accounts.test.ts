import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  cover,
  markUnusable,
  markUsable,
  prefer,
  readAccounts,
  saveKeySource,
  saveSignedIn,
} from "../../src/access/accounts.store.ts";
import { whoPays } from "../../src/access/accounts.ts";
import { createKeys, type Keys } from "../../src/access/keys.ts";
import { newId, openSeal, silentLog } from "../../src/shared/index.ts";
import { type Db, inTransaction, openStorage, type Storage, type Unit } from "../../src/storage/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const start = new Date("2026-01-05T12:00:00Z");
const minute = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const written = "sk-from-the-page-0123456789ab";

let database: TestDatabase;
let storage: Storage;
let db: Db;
let folder: string;
let keys: Keys;
let ada: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accounts-"));
  database = await createTestDatabase();
  storage = await openStorage({ home: folder, databaseUrl: database.url }, silentLog);
  db = storage.db;
  keys = createKeys({ seal: await openSeal(folder), clock: { now: () => start } });
  ada = newId();
  await db.insertInto("people").values({ id: ada, display_name: "Ada", role: "owner" }).execute();
});

beforeEach(async () => {
  await db.deleteFrom("accounts").execute();
});

afterAll(async () => {
  await storage.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const unit = <T>(work: (unit: Unit) => Promise<T>) => inTransaction(db, silentLog, work);
const setKey = () => unit((each) => keys.set(each, written, ada));
const fail = (runId: string, now = start, resetsAt: Date | null = minute(60)) =>
  markUnusable(db, "plan", { state: "limited", resetsAt, runId, now, blockedSince: new Date(now.getTime() - 600_000) });

async function pays(now = start): Promise<string> {
  const paying = whoPays(await readAccounts(db), { now });
  return paying.kind === "pays" ? paying.account.kind : paying.kind;
}

describe("a limit", () => {
  beforeEach(() => saveSignedIn(db, true, "plus", start));

  it("is news for the one run that meets it first, also where its end is written twice", async () => {
    expect(await fail("first")).toBe(true);
    expect(await fail("second")).toBe(false);
    expect(await fail("first")).toBe(true);
    expect(await fail("third", minute(61), minute(120))).toBe(true);
  });

  it("outlives a start and a look at who is signed in, and ends with signing out", async () => {
    await fail("first");
    await saveSignedIn(db, true, "plus", minute(1));
    expect(await pays(minute(1))).toBe("blocked");
    await saveSignedIn(db, false, null, minute(2));
    await saveSignedIn(db, true, "pro", minute(3));
    expect(await pays(minute(3))).toBe("plan");
  });

  it("is covered by the key only this time", async () => {
    await saveKeySource(db, "environment", start);
    await fail("first");
    expect(await cover(db, "plan")).toBe(true);
    expect(await cover(db, "plan")).toBe(false);
    expect(await pays()).toBe("api_key");
    expect(await pays(minute(61))).toBe("plan");
    await fail("second", minute(61), minute(120));
    expect(await pays(minute(62))).toBe("blocked");
    await markUsable(db, "plan", minute(63));
    expect(await pays(minute(63))).toBe("plan");
  });
});

describe("a key", () => {
  it("that was set in the chat goes before that of the environment, sealed, and gives way to it when forgotten", async () => {
    await saveKeySource(db, "environment", start);
    expect(await setKey()).toBeNull();
    const { key } = await readAccounts(db);
    expect(key).toMatchObject({ source: "form", state: "ready" });
    expect(key?.secret?.toString("latin1")).not.toContain(written);
    expect(key && keys.read(key)).toBe(written);
    await saveKeySource(db, "environment", minute(1));
    expect((await readAccounts(db)).key).toMatchObject({ source: "form" });
    expect(await unit((each) => keys.forget(each, ada))).toBe(true);
    expect((await readAccounts(db)).key).toMatchObject({ source: "environment", secret: null });
    expect(await unit((each) => keys.forget(each, ada))).toBe(false);
    await saveKeySource(db, null, minute(2));
    expect(await pays(minute(2))).toBe("nobody");
  });

  it("has the shape of one, and cannot be read with another data folder's seal", async () => {
    for (const odd of ["", "hello", "sk-short", `${written} and more`]) {
      expect(await unit((each) => keys.set(each, odd, ada))).toBe("not_a_key");
    }
    await setKey();
    const { key } = await readAccounts(db);
    const elsewhere = await mkdtemp(join(tmpdir(), "accounts-"));
    const others = createKeys({ seal: await openSeal(elsewhere), clock: { now: () => start } });
    expect(key && others.read(key)).toBeUndefined();
    await rm(elsewhere, { recursive: true, force: true });
  });

  it("is chosen until it is gone", async () => {
    await saveSignedIn(db, true, "plus", start);
    await setKey();
    await prefer(db, "api_key");
    expect(await pays()).toBe("api_key");
    await unit((each) => keys.forget(each, ada));
    expect(await pays()).toBe("plan");
    await setKey();
    expect(await pays()).toBe("plan");
    await prefer(db, null);
    expect(await pays()).toBe("plan");
  });

  it("may have been mended with a start, where it was turned away", async () => {
    await saveKeySource(db, "environment", start);
    const seen = { state: "invalid", resetsAt: null, runId: "run", now: start, blockedSince: minute(-10) } as const;
    await markUnusable(db, "api_key", seen);
    expect(await pays(minute(1))).toBe("blocked");
    await saveKeySource(db, "environment", minute(1));
    expect(await pays(minute(1))).toBe("api_key");
  });
});
