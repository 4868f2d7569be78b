import { request } from "node:http";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startHttp } from "../../src/http/index.ts";
import type { Person } from "../../src/people/index.ts";
import { calendarFile } from "../../src/routines/calendar-file.ts";
import {
  type Calendars,
  createCalendars,
  type Routine,
  type RoutinePlan,
  type Schedule,
} from "../../src/routines/index.ts";
import { newToken } from "../../src/shared/index.ts";
import { ada, person as author, dm, group, message, type Office, openOffice } from "../inbox/office.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const publicUrl = "https://shipmate.example:8443";
const ben = author("ben", "Ben");

let office: Office;
let http: Awaited<ReturnType<typeof startHttp>>;
let calendars: Calendars;
let logged = "";
let owner: Person;
let milo: string;
let adasChat: string;
let ops: string;

beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());

beforeEach(async () => {
  await office.reset();
  await office.claim();
  await office.open(group, "members");
  const [first] = await office.deps.people.owners(office.db);
  if (first === undefined) throw new Error("nobody owns it");
  owner = first;
  milo = await office.unit(async (unit) => (await office.deps.teammates.ensureDefault(unit)).id);
  adasChat = await placeOf(dm(ada).channel);
  ops = await placeOf(group.channel);
  logged = "";
  const write = (line: string) => {
    logged += line;
  };
  const log = pino({ level: "trace" }, { write });
  const address = () => ({ base: publicUrl, opensAnywhere: true });
  calendars = createCalendars({ routines: office.deps.routines, address, clock: office.clock });
  http = await startHttp({
    host: "127.0.0.1",
    port: 0,
    readiness: async () => [],
    forms: { open: async () => null, submit: async () => ({ kind: "over" }) },
    receiveHook: async () => ({ kind: "unknown" }),
    calendarFile: (token, teammate) => calendars.file(office.db, token, teammate),
    address,
    clock: office.clock,
    log,
  });
  return () => http.close();
});

async function placeOf(channel: string): Promise<string> {
  const query = office.db.selectFrom("places").select("id").where("channel", "=", channel);
  return (await query.executeTakeFirstOrThrow()).id;
}

interface Made {
  readonly schedule: Schedule;
  readonly by?: Person;
  readonly home?: string;
  readonly timezone?: string;
  readonly destinations?: readonly string[];
  readonly teammateId?: string;
}

async function make(name: string, made: Made): Promise<Routine> {
  const { by = owner, home = adasChat, timezone = "UTC", destinations = [], teammateId = milo } = made;
  const plan: RoutinePlan = {
    kind: "routine",
    name,
    instruction: "Look for what is new.",
    trigger: { kind: "schedule", schedule: made.schedule },
    timezone,
    destinations: destinations.map((placeId) => ({ placeId, thread: "", ownThread: false })),
    missed: "run_once",
    atLimit: "wait",
  };
  const routine = { ...plan, teammateId, home: { placeId: home, thread: "" } };
  const saved = await office.unit((unit) => office.deps.routines.create(unit, by, routine));
  if (saved.kind === "refused") throw new Error(`refused: ${JSON.stringify(saved.problem)}`);
  return saved.routine;
}

/** The path of a fresh address of somebody. */
async function address(of: Person): Promise<string> {
  const { url } = await office.unit((unit) => calendars.renew(unit, of.id));
  expect(url).toMatch(/^https:\/\/shipmate\.example:8443\/calendar\/[\w-]{22}\.ics$/);
  return new URL(url).pathname;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Not fetch, which sets Host itself. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { port: http.port, host: "127.0.0.1", path, headers };
    const asked = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    asked.on("error", reject);
    asked.end();
  });
}

type Entry = Readonly<Record<string, string>>;

/** Reads a file as RFC 5545 says, and complains about whatever it does not allow. */
function parse(text: string): { calendar: Entry; events: Entry[] } {
  expect(text.endsWith("\r\n")).toBe(true);
  const lines = text.slice(0, -2).split("\r\n");
  for (const line of lines) {
    expect(line).not.toMatch(/[\r\n]/);
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line.isWellFormed()).toBe(true);
  }
  const unfolded = lines.reduce<string[]>((all, line) => {
    if (line.startsWith(" ")) all.push(`${all.pop() ?? ""}${line.slice(1)}`);
    else all.push(line);
    return all;
  }, []);
  const calendar: Record<string, string> = {};
  const events: Record<string, string>[] = [];
  let inside: Record<string, string> | undefined;
  for (const line of unfolded) {
    const [, name = "", value = ""] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
    expect(name, line).not.toBe("");
    if (line === "BEGIN:VEVENT") inside = {};
    else if (line === "END:VEVENT") {
      if (inside) events.push(inside);
      inside = undefined;
    } else {
      const target = inside ?? calendar;
      expect(Object.hasOwn(target, name) && !["BEGIN", "END"].includes(name), `${name} twice`).toBe(false);
      target[name] = value.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? "\n" : sign));
    }
  }
  expect(unfolded[0]).toBe("BEGIN:VCALENDAR");
  expect(unfolded.at(-1)).toBe("END:VCALENDAR");
  for (const needed of ["VERSION", "PRODID"]) expect(calendar).toHaveProperty(needed);
  for (const event of events) for (const needed of ["UID", "DTSTAMP", "DTSTART"]) expect(event).toHaveProperty(needed);
  expect(new Set(events.map(({ UID }) => UID)).size).toBe(events.length);
  return { calendar, events };
}

async function eventsFor(path: string): Promise<Entry[]> {
  const { status, text, headers } = await get(path);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/calendar; charset=utf-8");
  return parse(text).events;
}

function moment(text: string | undefined): Date {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? "") ?? [];
  const [year = 0, month = 0, ...rest] = parts.map(Number);
  return new Date(Date.UTC(year, month - 1, ...rest));
}

test("the next 30 days of a routine, in UTC, with who does it and where", async () => {
  await make("Open incidents", {
    schedule: { kind: "daily", at: "08:30" },
    timezone: "Asia/Tokyo",
    destinations: [ops],
  });
  const events = await eventsFor(await address(owner));
  expect(events).toHaveLength(30);
  const now = office.clock.now().getTime();
  for (const event of events) {
    expect(event).toMatchObject({ SUMMARY: "Open incidents", LOCATION: "Ops", DESCRIPTION: "Milo · Ops" });
    expect(event.DTSTART).toMatch(/T233000Z$/);
    expect(moment(event.DTSTART).getTime()).toBeGreaterThan(now);
    expect(moment(event.DTSTART).getTime()).toBeLessThanOrEqual(now + 30 * day);
  }
});

test("names with any sign come back as they were", () => {
  const texts = [
    "a,b;c\\d",
    "eins\nzwei",
    "“Größe” 🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢",
    "\\n stays \\,",
    "x".repeat(200),
    ":;BEGIN:VEVENT",
  ];
  const events = texts.map((text, index) => ({
    id: `${index}`,
    start: new Date(0),
    summary: text,
    description: text,
    location: text,
    changedAt: new Date(0),
  }));
  const parsed = parse(calendarFile("A, name", events));
  expect(parsed.calendar).toHaveProperty("X-WR-CALNAME", "A, name");
  expect(parsed.events.map(({ SUMMARY }) => SUMMARY)).toEqual(texts);
  expect(parsed.events.map(({ LOCATION }) => LOCATION)).toEqual(texts);
  const [odd] = parse(calendarFile("x", [{ ...(events[0] ?? never()), summary: "a\r\nb\u0000\u0007c\ud800" }])).events;
  expect(odd?.SUMMARY).toBe("a\nb  c\ufffd");
});

function never(): never {
  throw new Error("there is one");
}

test("what is due every three minutes has one entry a day, which says how often", async () => {
  const anchor = new Date(Math.floor(office.clock.now().getTime() / day) * day).toISOString();
  await make("Watch", { schedule: { kind: "interval", everyMinutes: 3, anchor }, timezone: "Europe/Lisbon" });
  const events = await eventsFor(await address(owner));
  expect(events.length).toBeGreaterThanOrEqual(30);
  expect(events.length).toBeLessThanOrEqual(31);
  const counts = events.map(({ SUMMARY }) => Number(/^Watch · (\d+) times$/.exec(SUMMARY ?? "")?.[1] ?? 1));
  const total = (30 * day) / (3 * minute);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
  const whole = events[1];
  expect(whole?.SUMMARY).toBe("Watch · 480 times");
  expect(whole?.DESCRIPTION).toContain("Due 480 times");
  expect(moment(whole?.DTEND).getTime() - moment(whole?.DTSTART).getTime()).toBe(day - 3 * minute);
  const again = await eventsFor(await address(owner));
  expect(again.map(({ UID }) => UID)).toEqual(events.map(({ UID }) => UID));
});

test("beyond 5,000 entries the last one says that there is more", async () => {
  const schedule = { kind: "cron", expression: "0 */3 * * *" } as const;
  for (let nth = 0; nth < 21; nth += 1) await make(`Look ${nth}`, { schedule });
  const events = await eventsFor(await address(owner));
  expect(events).toHaveLength(5_000);
  expect(events.at(-1)).toMatchObject({ SUMMARY: "More routines are due" });
  const starts = events.map(({ DTSTART }) => DTSTART ?? "");
  expect(starts).toEqual(starts.toSorted());
});

test("managers see all; members their own and those of places where they have spoken; guests none; strangers nothing", async () => {
  const member = await office.hire(ben, "member");
  const manager = await office.hire(author("penny-fan", "Mo"), "manager");
  const guest = await office.hire(author("guest", "Gus"), "guest");
  await office.sink(message(ben, "hello"));
  await office.sink(message(ada, "hello", { place: group }));
  const bensChat = await placeOf(dm(ben).channel);
  const daily = { kind: "daily", at: "12:00" } as const;
  await make("Adas own", { schedule: daily });
  await make("In ops", { schedule: daily, home: ops });
  await make("Told to ops and Ada", { schedule: daily, destinations: [adasChat, ops] });
  await make("Bens own", { schedule: daily, by: member, home: bensChat });
  const names = async (of: Person) =>
    [...new Set((await eventsFor(await address(of))).map((each) => each.SUMMARY))].toSorted();
  expect(await names(member)).toEqual(["Bens own"]);
  await office.sink(message(ben, "hello", { place: group }));
  expect(await names(member)).toEqual(["Bens own", "In ops", "Told to ops and Ada"]);
  const told = (await eventsFor(await address(member))).find(({ SUMMARY }) => SUMMARY === "Told to ops and Ada");
  expect(told?.LOCATION).toBe("Ops");
  expect(await names(manager)).toEqual(["Adas own", "Bens own", "In ops", "Told to ops and Ada"]);
  await office.open(group, "owner");
  expect(await names(member)).toEqual(["Bens own"]);
  expect((await get(await address(guest))).status).toBe(404);
  const path = await address(member);
  await office.db.updateTable("people").set({ disabled_at: office.clock.now() }).where("id", "=", member.id).execute();
  expect((await get(path)).status).toBe(404);
});

test("only what will run: nothing paused, deleted, over, called from outside or of a colleague who is away", async () => {
  const { routines } = office.deps;
  const daily = { kind: "daily", at: "12:00" } as const;
  const paused = await make("Paused", { schedule: daily });
  await make("Runs", { schedule: daily });
  await office.unit((unit) => routines.pause(unit, owner, paused.id));
  const path = await address(owner);
  expect(new Set((await eventsFor(path)).map(({ SUMMARY }) => SUMMARY))).toEqual(new Set(["Runs"]));
  await office.db.updateTable("teammates").set({ hidden_at: office.clock.now() }).execute();
  expect(await eventsFor(path)).toEqual([]);
});

test("one teammate alone, by name or handle", async () => {
  const saved = await office.unit((unit) =>
    office.deps.teammates.create(unit, owner, { name: "Penny Lane", title: "Books", job: "Keeps the books." }),
  );
  if (saved.kind === "refused") throw new Error("Penny was refused");
  const daily = { kind: "daily", at: "12:00" } as const;
  await make("Milos", { schedule: daily });
  await make("Pennys", { schedule: daily, teammateId: saved.teammate.id });
  const path = await address(owner);
  const names = async (query: string) => [
    ...new Set((await eventsFor(`${path}?agent=${query}`)).map((e) => e.SUMMARY)),
  ];
  expect(await names("Penny%20Lane")).toEqual(["Pennys"]);
  expect(await names(saved.teammate.handle)).toEqual(["Pennys"]);
  expect(await names("MILO")).toEqual(["Milos"]);
  expect(await names("nobody")).toEqual([]);
});

test("a page in a browser and a foreign host are turned away before the address is looked at", async () => {
  const path = await address(owner);
  const unknown = `/calendar/${newToken()}.ics`;
  for (const each of [path, unknown]) {
    for (const origin of ["https://elsewhere.example", publicUrl, "null"])
      expect((await get(each, { origin })).status).toBe(403);
    for (const host of ["elsewhere.example", "127.0.0.1.elsewhere.example", "elsewhere-localhost", "10.0.0.5"]) {
      expect((await get(each, { host })).status).toBe(403);
    }
  }
  const hosts = ["127.0.0.1", "localhost:8787", "[::1]:8787", "shipmate.example:8443", "shipmate.example"];
  for (const host of hosts) expect((await get(path, { host })).status).toBe(200);
});

test("a wrong address, one that was renewed and one that was turned off all say the same", async () => {
  const expected = await get(`/calendar/${newToken()}.ics`);
  expect(expected.status).toBe(404);
  const old = await address(owner);
  const path = await address(owner);
  const same = async (wrong: string) => {
    const { status, text } = await get(wrong);
    expect({ status, text }).toEqual({ status: 404, text: expected.text });
  };
  await same(old);
  await same("/calendar/short");
  expect((await get(path)).status).toBe(200);
  expect((await get(path.replace(/\.ics$/, ""))).status).toBe(200);
  expect(await office.unit((unit) => calendars.turnOff(unit, owner.id))).toBe(true);
  await same(path);
  expect(await calendars.isOn(office.db, owner.id)).toBe(false);
});

test("who guesses is slowed down", async () => {
  const path = await address(owner);
  for (let guess = 0; guess < 20; guess += 1) expect((await get(`/calendar/${newToken()}`)).status).toBe(404);
  const slowed = await get(path);
  expect(slowed.status).toBe(429);
  expect(slowed.headers["retry-after"]).toBe("60");
  office.clock.pass(minute);
  expect((await get(path)).status).toBe(200);
});

test("what did not change is not sent again, and no cache between keeps it", async () => {
  await make("Daily", { schedule: { kind: "daily", at: "12:00" } });
  const path = await address(owner);
  const first = await get(path);
  const tag = String(first.headers.etag);
  expect(first.headers["cache-control"]).toBe("private, no-cache");
  const second = await get(path, { "if-none-match": `"other", ${tag}` });
  expect({ status: second.status, text: second.text }).toEqual({ status: 304, text: "" });
  await make("Another", { schedule: { kind: "daily", at: "13:00" } });
  expect((await get(path, { "if-none-match": tag })).status).toBe(200);
});

test("neither the database nor the log has the address", async () => {
  const path = await address(owner);
  const token = /([\w-]{22})\.ics$/.exec(path)?.[1] ?? "";
  await get(path);
  await get(`/calendar/${newToken()}`);
  const rows = await office.db.selectFrom("calendar_feeds").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
  await office.db.schema.alterTable("calendar_feeds").renameTo("calendar_feeds_gone").execute();
  try {
    expect((await get(path)).status).toBe(500);
  } finally {
    await office.db.schema.alterTable("calendar_feeds_gone").renameTo("calendar_feeds").execute();
  }
  expect(logged).toContain("a calendar could not be shown");
  expect(logged).not.toContain(token);
});
