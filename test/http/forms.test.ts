import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startHttp } from "../../src/http/index.ts";
import { newId, newToken, silentLog } from "../../src/shared/index.ts";
import { inTransaction, openStorage, type Storage } from "../../src/storage/index.ts";
import { createWebForms, type FilledForm, forgetForms, type WebFormHandlers } from "../../src/web-forms/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const minute = 60_000;
let database: TestDatabase;
let storage: Storage;
let home: string;
let personId: string;
let http: Awaited<ReturnType<typeof startHttp>>;
let base: string;
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
const taken: FilledForm[] = [];
let answer: Awaited<ReturnType<NonNullable<WebFormHandlers["question"]>>>;
let slow: Promise<void> | undefined;
let entered = 0;

const handlers: WebFormHandlers = {
  question: async (_unit, filled) => {
    entered += 1;
    await slow;
    taken.push(filled);
    return answer;
  },
};

beforeAll(async () => {
  database = await createTestDatabase();
  home = await mkdtemp(join(tmpdir(), "forms-"));
  storage = await openStorage({ home, databaseUrl: database.url }, silentLog);
});
afterAll(async () => {
  await storage.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const forms = createWebForms({ address: () => ({ base, opensAnywhere: true }), clock, log: silentLog });

beforeEach(async () => {
  ahead = 0;
  taken.length = 0;
  answer = { kind: "done", text: "Milo has it." };
  slow = undefined;
  personId = newId();
  await storage.db.insertInto("people").values({ id: personId, display_name: "Ada", role: "owner" }).execute();
  http = await startHttp({
    host: "127.0.0.1",
    port: 0,
    readiness: async () => [],
    forms: {
      open: (token) => forms.open(storage.db, token),
      submit: (token, values) => forms.submit(storage.db, token, values, handlers),
    },
    receiveHook: async () => ({ kind: "unknown" }),
    calendarFile: async () => undefined,
    address: () => ({ base }),
    clock,
    log: silentLog,
  });
  base = `http://127.0.0.1:${http.port}`;
  return () => http.close();
});

async function issue(title = "The <portal> password"): Promise<string> {
  const fields = [{ name: "value", label: "Password", secret: true, long: false }];
  const expiresAt = new Date(clock.now().getTime() + 10 * minute);
  const form = { purpose: "question", personId, title, intro: "Milo needs it.", fields, payload: { n: 1 }, expiresAt };
  const { url } = await inTransaction(storage.db, silentLog, (unit) =>
    forms.issue(unit, { ...form, purpose: "question" }),
  );
  return url;
}

function send(url: string, values: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams(values), headers });
}

test("a page is shown as often as somebody looks, and taken once", async () => {
  const url = await issue();
  for (let look = 0; look < 3; look += 1) {
    const page = await fetch(url);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain("The &lt;portal&gt; password");
    expect(html).toContain('type="password"');
  }
  const first = await send(url, { value: "  hunter22  ", other: "not asked for" });
  expect(first.status).toBe(200);
  expect(await first.text()).toContain("Milo has it.");
  expect(taken).toEqual([{ payload: { n: 1 }, personId, values: { value: "hunter22" } }]);
  expect((await send(url, { value: "again" })).status).toBe(404);
  expect((await fetch(url)).status).toBe(404);
  expect(taken).toHaveLength(1);
});

test("of two who send at the same time one counts", async () => {
  const url = await issue();
  let go = () => {};
  slow = new Promise((resolve) => {
    go = resolve;
  });
  entered = 0;
  const both = [send(url, { value: "one" }), send(url, { value: "two" })];
  // Until the second one stands behind the first, or beside it.
  await expect.poll(async () => entered + (await waitingForLocks()), { timeout: 10_000 }).toBe(2);
  go();
  const statuses = (await Promise.all(both)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 404]);
  expect(taken).toHaveLength(1);
});

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    storage.db,
  );
  return Number(rows[0]?.count);
}

test("unknown, used up, run out, and of somebody who left: all the same page", async () => {
  const used = await issue();
  await send(used, { value: "x" });
  const unknown = await fetch(`${base}/f/${newToken()}`);
  const expected = await unknown.text();
  expect(unknown.status).toBe(404);
  expect(await (await fetch(used)).text()).toBe(expected);
  const old = await issue();
  ahead = 11 * minute;
  expect(await (await fetch(old)).text()).toBe(expected);
  expect(await (await send(old, { value: "late" })).text()).toBe(expected);
  ahead = 0;
  const left = await issue();
  await storage.db.updateTable("people").set({ disabled_at: clock.now() }).where("id", "=", personId).execute();
  expect(await (await fetch(left)).text()).toBe(expected);
  expect(taken.map(({ values }) => values.value)).toEqual(["x"]);
});

test("what will not do is said, and uses nothing up", async () => {
  const url = await issue();
  const empty = await send(url, { value: "  " });
  expect(empty.status).toBe(422);
  expect(await empty.text()).toContain("Please fill in every field.");
  answer = { kind: "invalid", text: "That is no password." };
  const wrong = await send(url, { value: "x<y" });
  expect(wrong.status).toBe(422);
  const html = await wrong.text();
  expect(html).toContain("That is no password.");
  // What was written is nowhere in the page that asks again.
  expect(html).not.toContain("x&lt;y");
  answer = { kind: "done", text: "Thanks." };
  expect((await send(url, { value: "right" })).status).toBe(200);
});

test("what it was about may be over by then", async () => {
  const url = await issue();
  answer = { kind: "over" };
  expect((await send(url, { value: "x" })).status).toBe(404);
  expect((await fetch(url)).status).toBe(404);
});

test("no other page may send it, nothing may load, frame, keep or find it", async () => {
  const url = await issue();
  expect((await send(url, { value: "x" }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await send(url, { value: "x" }, { origin: "https://evil.example" })).status).toBe(403);
  expect(taken).toEqual([]);
  const { headers } = await fetch(url);
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
  );
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-robots-tag")).toContain("noindex");
  expect((await send(url, { value: "x" }, { "sec-fetch-site": "same-origin", origin: "null" })).status).toBe(200);
});

test("more than 64 KB is not read", async () => {
  const url = await issue();
  expect((await send(url, { value: "x".repeat(70_000) })).status).toBe(413);
  expect((await fetch(url)).status).toBe(200);
});

test("whoever guesses has to wait a minute after twenty wrong ones", async () => {
  const url = await issue();
  for (let guess = 0; guess < 20; guess += 1) expect((await fetch(`${base}/f/${newToken()}`)).status).toBe(404);
  expect((await fetch(url)).status).toBe(429);
  ahead = 61_000;
  expect((await fetch(url)).status).toBe(200);
});

test("only a hash of its address is stored, and old pages are deleted", async () => {
  const url = await issue();
  const token = url.split("/").at(-1) ?? "";
  const rows = await storage.db.selectFrom("web_forms").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
  const later = new Date(clock.now().getTime() + 60 * minute);
  expect(await forgetForms(storage.db, later, 1_000)).toBe(rows.length);
  expect((await fetch(url)).status).toBe(404);
});
