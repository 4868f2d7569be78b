import { expect, onTestFinished, test } from "vitest";
import { readAccounts } from "../../src/access/accounts.store.ts";
import { isThere } from "../../src/access/accounts.ts";
import { type AccountWatch, createAccountWatch } from "../../src/access/index.ts";
import { createConnection, webSocketTransport } from "../../src/codex/index.ts";
import { silentLog, systemClock } from "../../src/shared/index.ts";
import { type Db, openStorage } from "../../src/storage/index.ts";
import { startFakeAppServer } from "../fakes/app-server/index.ts";
import { createTestDatabase } from "../support/database.ts";

async function watching(unknown: readonly string[]): Promise<{ readonly db: Db; readonly watch: AccountWatch }> {
  const database = await createTestDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const storage = await openStorage({ home: "/nowhere", databaseUrl: database.url }, silentLog);
  onTestFinished(storage.close);
  const codex = await startFakeAppServer({ unknown });
  onTestFinished(codex.close);
  const open = webSocketTransport(async () => ({ url: codex.url, token: undefined }));
  const connection = createConnection({ open, version: "0.1.0", log: silentLog });
  onTestFinished(() => connection.close());
  await connection.ready();
  const settings = { endpoint: undefined, apiKey: undefined, remote: true, model: "gpt-5.5" };
  const watch = createAccountWatch({ db: storage.db, log: silentLog, clock: systemClock, connection, settings });
  onTestFinished(watch.stop);
  await watch.start();
  return { db: storage.db, watch };
}

test("a Codex that is too old to say who is signed in is tried, and not taken for one without an account", async () => {
  const { db, watch } = await watching(["account/read", "model/list", "config/read"]);
  expect(isThere((await readAccounts(db)).plan)).toBe(true);
  await expect.poll(() => watch.usual()).toEqual({ model: "gpt-5.5", effort: undefined });
});

test("a Codex that says nobody is signed in has no account", async () => {
  const { db } = await watching([]);
  expect(isThere((await readAccounts(db)).plan)).toBe(false);
});
