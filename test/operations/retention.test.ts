import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { forgetOld } from "../../src/app/retention.ts";
import { silentLog } from "../../src/shared/index.ts";
import { ada, command, group, message } from "../inbox/office.ts";
import { claimed, useOffice } from "../inbox/scene.ts";

const day = 24 * 60 * 60_000;
const office = await useOffice(claimed);

const forget = (cardFolder = "/nowhere") =>
  forgetOld({ db: office.db, cardFolder, clock: office.clock, log: silentLog });

async function counts() {
  const { rows } = await sql<{ events: number; posts: number; tokens: number; messages: number }>`
    select (select count(*)::int from inbound_events) as events, (select count(*)::int from posts) as posts,
      (select count(*)::int from action_tokens) as tokens, (select count(*)::int from messages) as messages`.execute(
    office.db,
  );
  return rows[0];
}

test("what has done its work is deleted after 30 days, and messages stay", async () => {
  await office.sink(message(ada, "hello"));
  await office.sink(command(ada, "help"));
  await sql`update posts set status = 'sent', platform_message_id = id::text`.execute(office.db);
  await sql`update action_tokens set used_at = created_at`.execute(office.db);
  const before = await counts();
  office.clock.pass(29 * day);
  await forget();
  expect(await counts()).toEqual(before);

  office.clock.pass(2 * day);
  await forget();
  expect(await counts()).toEqual({ events: 0, posts: 0, tokens: 0, messages: 1 });
});

test("what is not finished stays, however old", async () => {
  await office.sink(command(ada, "help"));
  const before = await counts();
  office.clock.pass(60 * day);
  await forget();
  expect(await counts()).toEqual({ ...before, events: 0 });
});

test("a post stays while something newer changes it", async () => {
  await office.sink(command(ada, "help"));
  await sql`update posts set status = 'sent', platform_message_id = id::text`.execute(office.db);
  const [old] = await office.db.selectFrom("posts").selectAll().orderBy("seq", "desc").limit(1).execute();
  if (old === undefined) throw new Error("nothing was posted");
  office.clock.pass(31 * day);
  await office.unit((unit) =>
    office.deps.outbox.enqueue(unit, {
      op: "remove",
      target: { postId: old.id },
      to: { connectionId: old.connection_id, address: { channel: old.channel }, placeKind: old.place_kind },
      purpose: "notice",
      lane: "late",
      dedupKey: "late",
    }),
  );
  await forget();
  const left = await office.db.selectFrom("posts").select("id").where("id", "=", old.id).execute();
  expect(left).toHaveLength(1);
});

test("the details of old cards are deleted, newer ones stay", async () => {
  const folder = join(import.meta.dirname, "../../.shipmate-test", `cards-${process.pid}`);
  await mkdir(folder, { recursive: true });
  for (const [name, age] of [
    ["old.diff", 31],
    ["new.diff", 1],
  ] as const) {
    await writeFile(join(folder, name), "x");
    const at = new Date(office.clock.now().getTime() - age * day);
    await utimes(join(folder, name), at, at);
  }
  await forget(folder);
  expect(await readdir(folder)).toEqual(["new.diff"]);
});

test("what was said around us is deleted after 30 days", async () => {
  await office.open(group, "everyone");
  await office.sink(message(ada, "lunch?", { place: group, addressed: "ambient" }));
  const seen = () => office.db.selectFrom("seen_messages").select("text").execute();
  expect(await seen()).toEqual([{ text: "lunch?" }]);
  office.clock.pass(31 * day);
  await forget();
  expect(await seen()).toEqual([]);
});

test("pages that nobody can fill in any more are deleted", async () => {
  await office.claim();
  const { id } = await office.db.selectFrom("people").select("id").executeTakeFirstOrThrow();
  const expiresAt = new Date(office.clock.now().getTime() + day);
  const fields = [{ name: "answer", label: "Answer", secret: true, long: false }];
  await office.unit((unit) =>
    office.deps.webForms.issue(unit, {
      purpose: "question",
      personId: id,
      title: "Milo asks",
      intro: "",
      fields,
      payload: {},
      expiresAt,
    }),
  );
  const pages = () => office.db.selectFrom("web_forms").select("purpose").execute();
  office.clock.pass(20 * day);
  await forget();
  expect(await pages()).toHaveLength(1);
  office.clock.pass(20 * day);
  await forget();
  expect(await pages()).toEqual([]);
});
