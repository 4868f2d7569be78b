import { beforeEach, expect, test } from "vitest";
import { createCalendarPage } from "../../../src/inbox/index.ts";
import { silentLog } from "../../../src/shared/index.ts";
import { createWebForms } from "../../../src/web-forms/index.ts";
import { command, dm, group, person } from "../office.ts";
import { claimed, lastCard, useOffice } from "../scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "members");
});

const { latest, labels, pressed } = lastCard(office);
const pages = createWebForms({
  address: () => ({ base: "https://shipmate.example", opensAnywhere: true }),
  clock: office.clock,
  log: silentLog,
});

async function lastPage(): Promise<string> {
  const rows = await office.db.selectFrom("posts").select("body").orderBy("seq").execute();
  const found = rows.map(({ body }) => /\/f\/([\w-]{22})/.exec(JSON.stringify(body))?.[1]);
  return found.findLast((token) => token !== undefined) ?? "";
}

function show(token: string) {
  return pages.submit(office.db, token, {}, { calendar_address: createCalendarPage(office.deps) });
}

async function shownAddress(): Promise<string> {
  const shown = await show(await lastPage());
  if (shown.kind !== "done") throw new Error(`it showed nothing: ${shown.kind}`);
  return shown.shown?.texts[0]?.text ?? "";
}

function reads(address: string): Promise<string | undefined> {
  return office.deps.calendars.file(office.db, /\/([\w-]{22})\.ics$/.exec(address)?.[1] ?? "");
}

test("it is off until somebody turns it on; then its address is shown once, and kept nowhere", async () => {
  await office.sink(command(ben, "routine", "calendar"));
  expect((await latest()).text).toContain("It is off");
  expect(await labels()).toEqual(["Turn on"]);
  await pressed("Turn on", ben);
  const page = await lastPage();
  const address = await shownAddress();
  expect(address).toMatch(/^https:\/\/shipmate\.example\/calendar\/[\w-]{22}\.ics$/);
  expect(await reads(address)).toContain("BEGIN:VCALENDAR");
  expect(await show(page)).toEqual({ kind: "over" });
  const tables = ["posts", "messages", "web_forms", "action_tokens", "calendar_feeds", "audit_log"] as const;
  const rows = await Promise.all(tables.map((table) => office.db.selectFrom(table).selectAll().execute()));
  expect(JSON.stringify(rows)).not.toContain(/([\w-]{22})\.ics$/.exec(address)?.[1]);
});

test("a new address ends the old one at once; turned off there is none", async () => {
  await office.sink(command(ben, "routine", "calendar"));
  await pressed("Turn on", ben);
  const first = await shownAddress();
  await office.sink(command(ben, "routine", "calendar"));
  expect(await labels()).toEqual(["New address", "Turn off"]);
  await pressed("New address", ben);
  expect(await reads(first)).toBeUndefined();
  const second = await shownAddress();
  expect(await reads(second)).toBeDefined();
  await office.sink(command(ben, "routine", "calendar"));
  expect(await pressed("Turn off", ben)).toBe("Off. The address it had shows nothing any more.");
  expect(await reads(second)).toBeUndefined();
  expect(await labels()).toEqual(["Turn on"]);
});

test("it is talked about in private only, and by members", async () => {
  await office.sink(command(ben, "routine", "calendar", { place: group }));
  expect((await latest()).buttons).toEqual([]);
  expect((await latest()).text).toContain("direct message");
  const guest = person("gus", "Gus");
  await office.hire(guest, "guest");
  await office.sink(command(guest, "routine", "calendar"));
  expect((await latest()).text).toBe("Routines are for members of the team.");
  expect((await latest()).channel).toBe(dm(guest).channel);
});
