import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { startHttp } from "../../src/http/index.ts";
import type { Person } from "../../src/people/index.ts";
import {
  createWebhooks,
  forgetReceipts,
  type Routine,
  type RoutinePlan,
  type WebhookCall,
  type WebhookFilter,
  type Webhooks,
} from "../../src/routines/index.ts";
import { newToken, openSeal } from "../../src/shared/index.ts";
import type { Database } from "../../src/storage/tables.ts";
import { wordsFor } from "../../src/words/index.ts";
import { type Office, openOffice } from "../inbox/office.ts";
import { freePort } from "../support/free-port.ts";
import { callHook, type HookCall } from "../support/hook-call.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const all: WebhookFilter = { types: [], fields: [] };

let office: Office;
let seal: Awaited<ReturnType<typeof openSeal>>;
let http: Awaited<ReturnType<typeof startHttp>>;
let webhooks: Webhooks;
let receive: Webhooks["receive"];
let logged = "";
let owner: Person;
let routine: Routine;
let url: string;
let secret: string;

beforeAll(async () => {
  office = await openOffice();
  const folder = await mkdtemp(join(tmpdir(), "hooks-"));
  seal = await openSeal(folder);
  return async () => {
    await rm(folder, { recursive: true, force: true });
  };
});
afterAll(() => office[Symbol.asyncDispose]());

beforeEach(async () => {
  await office.reset();
  await office.claim();
  const [first] = await office.deps.people.owners(office.db);
  if (first === undefined) throw new Error("nobody owns it");
  owner = first;
  logged = "";
  const write = (line: string) => {
    logged += line;
  };
  const log = pino({ level: "trace" }, { write });
  const address = () => ({ base: `http://127.0.0.1:${http.port}`, opensAnywhere: false });
  webhooks = createWebhooks({ routines: office.deps.routines, address, seal, clock: office.clock, log });
  receive = webhooks.receive;
  http = await startHttp({
    host: "127.0.0.1",
    port: 0,
    readiness: async () => [],
    forms: { open: async () => null, submit: async () => ({ kind: "over" }) },
    receiveHook: (call: WebhookCall) => receive(office.db, call),
    calendarFile: async () => undefined,
    address,
    clock: office.clock,
    log,
  });
  routine = await make("Deploys", all);
  ({ url, secret } = await renew(routine));
  return () => http.close();
});

async function make(name: string, filter: WebhookFilter): Promise<Routine> {
  const { teammates, routines } = office.deps;
  return office.unit(async (unit) => {
    const milo = await teammates.ensureDefault(unit);
    const place = await unit.db.selectFrom("places").select("id").executeTakeFirstOrThrow();
    const plan: RoutinePlan = {
      kind: "routine",
      name,
      instruction: "Say what was deployed.",
      trigger: { kind: "webhook", filter },
      timezone: "UTC",
      destinations: [],
      missed: "run_once",
      atLimit: "wait",
    };
    const home = { placeId: place.id, thread: "" };
    const saved = await routines.create(unit, owner, { ...plan, teammateId: milo.id, home });
    if (saved.kind === "refused") throw new Error(`refused: ${JSON.stringify(saved.problem)}`);
    return saved.routine;
  });
}

async function renew(of: Routine): Promise<{ url: string; secret: string }> {
  const made = await office.unit((unit) => webhooks.renew(unit, owner, of));
  const shown = made && (await webhooks.reveal(office.db, made));
  if (shown === undefined) throw new Error("the owner was shown no secret");
  return shown;
}

/** As the program that has the secret calls, unless told otherwise. */
function call(more: Partial<HookCall> = {}): Promise<Response> {
  return callHook({ url, secret, body: '{"text":"Hello"}', at: office.clock.now(), ...more });
}

async function read(response: Response): Promise<{ status: number; text: unknown }> {
  const body = (await response.json()) as { status?: unknown; error?: unknown };
  expect(Object.keys(body)).toEqual([response.ok ? "status" : "error"]);
  return { status: response.status, text: body.status ?? body.error };
}

function payloads(): Promise<(string | null)[]> {
  const query = office.db.selectFrom("routine_runs").select("payload").where("source", "=", "webhook");
  return query
    .orderBy("scheduled_for")
    .execute()
    .then((rows) => rows.map(({ payload }) => payload));
}

function receipts() {
  return office.db.selectFrom("webhook_receipts").select(["delivery_key", "outcome"]).orderBy("received_at").execute();
}

test("a signed call is one run with what was sent, and the caller learns nothing of it", async () => {
  const body = '{ "text": "Größe: 5 \\u20ac", "secret": "sk-aaaaaaaaaaaaaaaaaaaaaaaa" }';
  const response = await call({ body });
  expect(await response.clone().text()).toBe('{"status":"accepted"}');
  expect(response.status).toBe(202);
  expect(await payloads()).toEqual([body]);
  expect((await office.deliveries()).map(({ status }) => status)).toEqual(["queued"]);
  const shown = await webhooks.get(office.db, routine.id);
  expect(shown?.calledAt).not.toBeNull();
});

test("text is taken as it is", async () => {
  expect((await call({ body: "disk full", contentType: "text/plain; charset=utf-8" })).status).toBe(202);
  expect(await payloads()).toEqual(["disk full"]);
});

test("what comes again under the same id runs once, also when it comes ten times at the same moment", async () => {
  const at = office.clock.now();
  const many = await Promise.all(Array.from({ length: 10 }, () => call({ delivery: "one", at })));
  const statuses = many.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(9).fill(200), 202]);
  expect(await read(await call({ delivery: "one" }))).toEqual({ status: 200, text: "already received" });
  expect(await payloads()).toHaveLength(1);
  expect(await office.deliveries()).toHaveLength(1);
});

test("different calls at the same moment are a run each", async () => {
  const at = office.clock.now();
  const many = await Promise.all(Array.from({ length: 8 }, (_, index) => call({ body: `${index}`, at })));
  expect(many.map(({ status }) => status)).toEqual(Array(8).fill(202));
  expect((await payloads()).toSorted()).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
  expect(await office.deliveries()).toHaveLength(8);
});

const good = { "shipmate-timestamp": "1", "shipmate-delivery": "1", "shipmate-signature": "1" };
type Refusal = readonly [what: string, status: number, more: (at: Date) => Partial<HookCall>];
const refusals: readonly Refusal[] = [
  ["another secret", 401, () => ({ secret: "another" })],
  ["a signature of something else", 401, () => ({ headers: { "shipmate-signature": `v1=${"0".repeat(64)}` } })],
  ["a delivery that was not signed", 401, () => ({ headers: { "shipmate-delivery": "other" } })],
  [
    "a timestamp that was not signed",
    401,
    (at) => ({ headers: { "shipmate-timestamp": `${Math.floor(+at / 1000) + 1}` } }),
  ],
  ["a call from 6 minutes ago", 401, (at) => ({ at: new Date(at.getTime() - 6 * minute) })],
  ["a call from in 6 minutes", 401, (at) => ({ at: new Date(at.getTime() + 6 * minute) })],
  ...Object.keys(good).map((name): Refusal => [`no ${name}`, 400, () => ({ headers: { [name]: undefined } })]),
  ["a timestamp in words", 400, () => ({ headers: { "shipmate-timestamp": "now" } })],
  ["a delivery of 201 characters", 400, () => ({ delivery: "x".repeat(201) })],
  ["a signature of another kind", 400, () => ({ headers: { "shipmate-signature": `v2=${"0".repeat(64)}` } })],
  ["what is no JSON", 400, () => ({ body: "{" })],
  ["what is no UTF-8", 400, () => ({ body: new Uint8Array([0x22, 0xff, 0x22]) })],
  ["text with a NUL", 400, () => ({ body: "a\0b", contentType: "text/plain" })],
  ["a form", 415, () => ({ contentType: "application/x-www-form-urlencoded" })],
];

test.each(refusals)(
  "%s is refused with %i, and keeps the same call from nothing later",
  async (_what, status, more) => {
    const refused = await call({ delivery: "mine", ...more(office.clock.now()) });
    expect((await read(refused)).status).toBe(status);
    expect(await payloads()).toEqual([]);
    expect(await receipts()).toEqual([]);
    expect((await call({ delivery: "mine" })).status).toBe(202);
  },
);

test("five minutes in either direction are well", async () => {
  const now = Math.floor(office.clock.now().getTime() / 1000) * 1000;
  for (const at of [now - 4.9 * minute, now + 5 * minute]) expect((await call({ at: new Date(at) })).status).toBe(202);
});

test("an address that never was, of a deleted routine, and of one with a schedule now: all the same", async () => {
  const unknown = await read(await call({ url: `${new URL(url).origin}/hooks/${newToken()}` }));
  expect(unknown.status).toBe(404);
  expect(await read(await call({ url: `${new URL(url).origin}/hooks/short` }))).toEqual(unknown);
  const trigger = { kind: "schedule", schedule: { kind: "daily", at: "09:00" } } as const;
  await office.unit((unit) => office.deps.routines.update(unit, owner, routine.id, { trigger }));
  expect(await read(await call())).toEqual(unknown);
  const other = await make("Alarms", all);
  const given = await renew(other);
  expect((await call(given)).status).toBe(202);
  await office.unit((unit) => office.deps.routines.remove(unit, owner, other.id));
  expect(await read(await call(given))).toEqual(unknown);
});

test("64 KiB are taken, and of what is longer not even the end is waited for", async () => {
  const text = "x".repeat(64 * 1024);
  expect((await call({ body: text, contentType: "text/plain" })).status).toBe(202);
  expect(await payloads()).toEqual([text]);
  expect(await read(await call({ body: `${text}y`, contentType: "text/plain" }))).toMatchObject({ status: 413 });
  expect(await answerToEndless()).toContain(" 413 ");
  expect(await payloads()).toHaveLength(1);
});

/** Sends a body in parts that never ends; resolves with what came back. */
async function answerToEndless(): Promise<string> {
  const { port, pathname } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  const names = Object.keys(good).map((name) => `${name}: 1\r\n`);
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n${names.join("")}`);
  socket.write("transfer-encoding: chunked\r\n\r\n");
  const part = `2000\r\n${"x".repeat(0x2000)}\r\n`;
  const more = () => {
    while (!socket.destroyed && socket.write(part)) if (socket.bytesWritten > 64 * 1024 * 1024) return;
  };
  socket.on("drain", more);
  more();
  return new Promise((resolve) => socket.once("data", (data) => resolve(data.toString())));
}

test("only what its filters let through runs; the rest is noted and not asked for again", async () => {
  const filter: WebhookFilter = {
    types: ["deploy", "rollback"],
    fields: [
      { pointer: "/app/na~1me~0", equals: "site" },
      { pointer: "/steps/1/ok", equals: true },
      { pointer: "/count", equals: 2 },
      { pointer: "/error", equals: null },
    ],
  };
  const given = await renew(await make("Filtered", filter));
  const fits = { type: "deploy", app: { "na/me~": "site" }, steps: [{}, { ok: true }], count: 2, error: null };
  const send = (body: object, more: Partial<HookCall> = {}) => call({ ...given, body: JSON.stringify(body), ...more });
  const misfits = [
    { ...fits, type: "test" },
    { ...fits, type: undefined },
    { ...fits, app: { "na/me~": "docs" } },
    { ...fits, app: null },
    { ...fits, steps: [{}] },
    { ...fits, count: "2" },
    { ...fits, error: undefined },
  ];
  for (const misfit of misfits) expect(await read(await send(misfit))).toEqual({ status: 200, text: "filtered" });
  const header = { headers: { "shipmate-event": "test" } };
  expect((await read(await send(fits, { delivery: "x", ...header }))).text).toBe("filtered");
  expect(await read(await send(fits, { delivery: "x" }))).toEqual({ status: 200, text: "already received" });
  expect((await read(await call({ ...given, body: "deploy", contentType: "text/plain" }))).text).toBe("filtered");
  expect(await payloads()).toEqual([]);
  expect((await send(fits)).status).toBe(202);
  expect((await send({ ...fits, type: "x" }, { headers: { "shipmate-event": "rollback" } })).status).toBe(202);
  expect((await receipts()).map(({ outcome }) => outcome)).toEqual([...Array(9).fill("filtered"), "run", "run"]);
});

test("more than 30 calls a minute are told when to come again, and are taken then", async () => {
  for (let count = 0; count < 30; count += 1) {
    expect((await call({ delivery: `${count}` })).status).toBe(202);
    office.clock.pass(1_000);
  }
  const refused = await call({ delivery: "30" });
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(30);
  // What is known already does not count.
  expect((await call({ delivery: "3" })).status).toBe(200);
  office.clock.pass(seconds * 1_000);
  expect((await call({ delivery: "30" })).status).toBe(202);
});

test("at most 64 wait, and what is too much is not noted", async () => {
  for (let count = 0; count < 64; count += 1) {
    expect((await call({ delivery: `${count}` })).status).toBe(202);
    office.clock.pass(3_000);
  }
  const refused = await call({ delivery: "64" });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(await payloads()).toHaveLength(64);
  await office.db.updateTable("deliveries").set({ status: "completed" }).where("status", "=", "queued").execute();
  expect((await call({ delivery: "64" })).status).toBe(202);
});

test("a paused routine and one whose colleague is away say so, and take the same call later", async () => {
  const { routines } = office.deps;
  await office.unit((unit) => routines.pause(unit, owner, routine.id));
  expect(await read(await call({ delivery: "a" }))).toEqual({ status: 409, text: "This routine is paused." });
  await office.unit((unit) => routines.resume(unit, owner, routine.id));
  expect((await call({ delivery: "a" })).status).toBe(202);
  const away = (at: Date | null) => office.db.updateTable("teammates").set({ hidden_at: at }).execute();
  await away(office.clock.now());
  expect((await call({ delivery: "b" })).status).toBe(409);
  await away(null);
  expect((await call({ delivery: "b" })).status).toBe(202);
});

test("a new secret ends the old one at once; the address stays", async () => {
  const old = await office.unit((unit) => webhooks.renew(unit, owner, routine));
  office.clock.pass(1);
  const renewed = await renew(routine);
  expect(renewed.url).toBe(url);
  expect(renewed.secret).not.toBe(secret);
  expect((await call()).status).toBe(401);
  expect((await call(renewed)).status).toBe(202);
  expect(old && (await webhooks.reveal(office.db, old))).toBeUndefined();
});

test("no secret is readable in the database, nor one that was sealed with another key usable", async () => {
  const row = await office.db.selectFrom("webhooks").selectAll().executeTakeFirstOrThrow();
  expect(row.secret.includes(secret)).toBe(false);
  await office.db
    .updateTable("webhooks")
    .set({ secret: Buffer.alloc(60) })
    .execute();
  expect((await call()).status).toBe(401);
  expect(logged).toContain("it needs a new one");
});

test("without its database it asks to be called again, and nothing is lost", async () => {
  const pool = new Pool({ host: "127.0.0.1", port: await freePort() });
  const away = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => away.destroy());
  receive = (_db, made) => webhooks.receive(away, made);
  const refused = await call({ delivery: "a" });
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("30");
  receive = webhooks.receive;
  expect((await call({ delivery: "a" })).status).toBe(202);
});

test("who guesses is slowed down; who has the secret is heard from the same address", async () => {
  const newcomer = await renew(await make("Alarms", all));
  expect((await call()).status).toBe(202);
  for (let guess = 0; guess < 20; guess += 1) expect((await call({ secret: "guess" })).status).toBe(401);
  const slowed = await call(newcomer);
  expect(slowed.status).toBe(429);
  expect(slowed.headers.get("retry-after")).toBe("60");
  expect((await call()).status).toBe(202);
  office.clock.pass(minute);
  expect((await call(newcomer)).status).toBe(202);
});

test("the log names routine and teammate, and neither what was sent nor the address nor the secret", async () => {
  await call({ body: '"what was sent"' });
  await call({ body: "what was sent" });
  receive = async () => {
    throw new Error(`failed with what was sent to ${url}`);
  };
  expect((await call()).status).toBe(500);
  expect(logged).toContain('"routine":"Deploys","teammate":"Milo"');
  expect(logged).toContain("could not be taken");
  const id = url.split("/").at(-1) ?? "";
  for (const kept of ["what was sent", id, secret]) expect(logged).not.toContain(kept);
});

test("only a POST does anything", async () => {
  const look = await fetch(url);
  expect(look.status).toBe(405);
  expect(look.headers.get("allow")).toBe("POST");
});

test("there are 64 of them at most, over all teammates", async () => {
  const { teammates, routines } = office.deps;
  const penny = await office.unit((unit) =>
    teammates.create(unit, owner, { name: "Penny", title: "Books", job: "Keeps the books." }),
  );
  if (penny.kind === "refused") throw new Error("Penny was refused");
  for (let count = 1; count < 64; count += 1) await make(`Call ${count}`, all);
  await office.db
    .updateTable("routines")
    .set({ teammate_id: penny.teammate.id })
    .where("name", "<>", "Deploys")
    .execute();
  await expect(make("One more", all)).rejects.toThrow('{"kind":"too_many","limit":64}');
  await office.unit((unit) => routines.remove(unit, owner, routine.id));
  expect((await make("One more", all)).name).toBe("One more");
});

test("receipts are kept for seven days", async () => {
  await call({ delivery: "old" });
  const soon = new Date(office.clock.now().getTime() - 7 * day);
  expect(await forgetReceipts(office.db, soon, 10)).toBe(0);
  office.clock.pass(7 * day + minute);
  await call({ delivery: "new" });
  const before = new Date(office.clock.now().getTime() - 7 * day);
  expect(await forgetReceipts(office.db, before, 10)).toBe(1);
  expect((await receipts()).map((each) => each.delivery_key)).toEqual(["new"]);
});

test("the lines on the page that shows the secret make a call that is taken", async () => {
  const script = wordsFor(undefined).outside.webhook.page.script(url, secret);
  const { stdout } = await promisify(execFile)("bash", ["-c", script]);
  expect(stdout).toBe('{"status":"accepted"}');
  expect(await payloads()).toEqual(['{"type":"test","text":"Hello from the terminal"}']);
});

test("is heard again at once where the clock was set back", async () => {
  for (let nth = 0; nth < 30; nth += 1) await call({ delivery: `before-${nth}` });
  expect((await call()).status).toBe(429);
  office.clock.pass(-60 * minute);
  expect((await call()).status).toBe(202);
});
