import { beforeEach, expect, test } from "vitest";
import type { RoutinePlan } from "../../../src/routines/index.ts";
import { proposeRoutine } from "../../../src/runs/routine-proposal.ts";
import { loadContext } from "../../../src/runs/run-context.store.ts";
import { silentLog } from "../../../src/shared/index.ts";
import { wordsFor } from "../../../src/words/index.ts";
import { startRun } from "../colleagues.ts";
import { ada, group, message, person, press } from "../office.ts";
import { claimed, lastCard, useOffice } from "../scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const { latest, labels, pressed } = lastCard(office);

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "members");
});

const plan: RoutinePlan = {
  kind: "routine",
  name: "Open incidents",
  instruction: "Post the open incidents.",
  trigger: { kind: "schedule", schedule: { kind: "weekdays", at: "08:30" } },
  timezone: "Europe/Lisbon",
  destinations: [],
  missed: "run_once",
  atLimit: "wait",
};

/** A turn of Ben's in the group, in which a teammate proposes. */
async function turn() {
  await office.sink(message(ben, "every morning the incidents, please", { place: group }));
  const runId = await startRun(office);
  const context = await loadContext(office.db, runId);
  if (!context) throw new Error("no run");
  const run = { context, words: wordsFor(null) };
  const deps = { ...office.deps, log: silentLog };
  return (callId: string, draft: RoutinePlan = plan, routineId?: string) =>
    proposeRoutine(deps, run, { callId, draft, routineId });
}

const names = async () =>
  (await office.db.selectFrom("routines").select("name").where("deleted_at", "is", null).execute()).map(
    ({ name }) => name,
  );

test("what a teammate proposes is a card in the conversation, made real by whoever asked", async () => {
  const propose = await turn();
  await propose("call-1");
  expect((await latest()).text).toContain("**Open incidents** → here · weekdays 08:30 (Lisbon)");
  expect(await latest()).toMatchObject({ channel: group.channel, purpose: "card" });
  expect(await labels()).toEqual(["Create", "Change", "Cancel"]);
  expect(await names()).toEqual([]);
  await pressed("Create", ben, { place: group });
  expect(await names()).toEqual(["Open incidents"]);
  const home = await office.db
    .selectFrom("routines as r")
    .innerJoin("places as p", "p.id", "r.place_id")
    .innerJoin("people as by", "by.id", "r.created_by")
    .select(["p.channel", "by.display_name as by"])
    .executeTakeFirst();
  expect(home).toEqual({ channel: group.channel, by: "Ben" });
});

test("the same call again shows no second card", async () => {
  const propose = await turn();
  await propose("call-1");
  const before = (await office.posts()).length;
  await propose("call-1");
  expect(await office.posts()).toHaveLength(before);
});

test("what is proposed anew takes the place of the card before, which says so", async () => {
  const propose = await turn();
  await propose("call-1");
  const first = await latest();
  await propose("call-2", { ...plan, trigger: { kind: "schedule", schedule: { kind: "daily", at: "07:00" } } });
  const posts = await office.posts();
  expect(posts.at(-2)).toMatchObject({ op: "edit", text: "There is a newer card for this below.", buttons: [] });
  expect(posts.at(-1)?.text).toContain("every day 07:00");
  const stale = first.buttons.find(({ label }) => label === "Create")?.token ?? "";
  await office.sink(press(ben, stale, { place: group }));
  expect(await names()).toEqual([]);
});

test("two different routines stand side by side", async () => {
  const propose = await turn();
  await propose("call-1");
  await propose("call-2", { ...plan, name: "Backups" });
  expect((await office.posts()).filter(({ op }) => op === "edit")).toEqual([]);
});

test("a change of a routine is saved, or leaves it as it was", async () => {
  const propose = await turn();
  await propose("call-1");
  await pressed("Create", ben, { place: group });
  const { id } = await office.db.selectFrom("routines").select("id").executeTakeFirstOrThrow();
  await propose("call-2", { ...plan, name: "Incidents" }, id);
  expect(await labels()).toEqual(["Save", "Change", "Cancel"]);
  await pressed("Cancel", ben, { place: group });
  expect(await names()).toEqual(["Open incidents"]);
  await propose("call-3", { ...plan, name: "Incidents" }, id);
  await pressed("Save", ben, { place: group });
  expect(await names()).toEqual(["Incidents"]);
});

test("nobody below a manager makes what somebody else was offered", async () => {
  const cleo = person("cleo", "Cleo");
  await office.hire(cleo, "member");
  const propose = await turn();
  await propose("call-1");
  expect(await pressed("Create", cleo, { place: group })).toContain("Only Ben or a manager");
  expect(await names()).toEqual([]);
  await pressed("Create", ada, { place: group });
  expect(await names()).toEqual(["Open incidents"]);
});
