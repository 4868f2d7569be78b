import { expect, test } from "vitest";
import { knownPlaces } from "../../src/places/index.ts";
import { newId } from "../../src/shared/index.ts";
import { ada, dm, group, message } from "../inbox/office.ts";
import { claimed, useOffice } from "../inbox/scene.ts";

const minute = 60_000;
const fence = 24 * 60 * minute;
const office = await useOffice(claimed);

const known = async () => knownPlaces(office.db, office.connectionId, fence);
const minutesAgo = (date: Date | undefined) => Math.round((Date.now() - (date?.getTime() ?? 0)) / minute);

/** Everything that arrived so far arrived that much earlier. */
async function age(minutes: number): Promise<void> {
  await office.db
    .updateTable("inbound_events")
    .set((eb) => ({ received_at: eb.val(new Date(Date.now() - minutes * minute)) }))
    .execute();
}

test("catching up begins a little before the last event from each place", async () => {
  await office.open(group, "everyone");
  await age(90);
  await office.sink(message(ada, "just talking", { place: group, addressed: "ambient" }));
  const places = await known();
  expect(places.map(({ channel, kind }) => [channel, kind])).toEqual([
    [group.channel, "group"],
    [dm(ada).channel, "dm"],
  ]);
  expect(places.map(({ since }) => minutesAgo(since))).toEqual([1, 91]);
});

test("F-03 nobody looks back further than what would still be answered", async () => {
  await age(10 * 24 * 60);
  expect((await known()).map(({ since }) => minutesAgo(since))).toEqual([24 * 60]);
});

test("threads that were used lately are looked through as well, old ones are not", async () => {
  await office.open(group, "everyone");
  for (const thread of ["t-old", "t-1", "t-2"]) {
    await office.sink(message(ada, `in ${thread}`, { place: { ...group, thread } }));
  }
  await office.db
    .updateTable("messages")
    .set({ created_at: new Date(Date.now() - 8 * 24 * 60 * minute) })
    .where("thread", "=", "t-old")
    .execute();
  const place = (await known()).find(({ channel }) => channel === group.channel);
  expect([...(place?.threads ?? [])].sort()).toEqual(["t-1", "t-2"]);
});

test("places we were removed from, and those of other bots, are none of its business", async () => {
  await office.open(group, "everyone");
  await office.db.updateTable("places").set({ archived_at: new Date() }).where("channel", "=", group.channel).execute();
  expect((await known()).map(({ channel }) => channel)).toEqual([dm(ada).channel]);
  expect(await knownPlaces(office.db, "00000000-0000-7000-8000-000000000000", fence)).toEqual([]);
});

test("threads in which a routine reported are looked through, and those beneath its reports where there are such", async () => {
  await office.open(group, "everyone");
  for (const [messageId, thread] of [
    ["r-1", null],
    ["r-2", "t-own"],
  ] as const) {
    await reportIn(group.channel, messageId, thread);
  }
  const threads = async (threadsBeneath: boolean) => {
    const places = await knownPlaces(office.db, office.connectionId, fence, threadsBeneath);
    return [...(places.find(({ channel }) => channel === group.channel)?.threads ?? [])].sort();
  };
  expect(await threads(false)).toEqual(["t-own"]);
  expect(await threads(true)).toEqual(["r-1", "t-own"]);
});

async function reportIn(channel: string, messageId: string, thread: string | null): Promise<void> {
  const find = office.db.selectFrom("places").select("id").where("channel", "=", channel);
  const place = await find.executeTakeFirstOrThrow();
  const teammate = await office.db.selectFrom("teammates").select("id").executeTakeFirstOrThrow();
  const [routineId, runId, postId] = [newId(), newId(), newId()];
  const rest = { kind: "routine", instruction: "Look.", trigger: "{}", timezone: "UTC" } as const;
  const policies = { missed_policy: "run_once", limit_policy: "wait" } as const;
  const of = { teammate_id: teammate.id, place_id: place.id, name: messageId };
  await office.db
    .insertInto("routines")
    .values({ id: routineId, ...of, ...rest, ...policies })
    .execute();
  const due = { source: "manual", scheduled_for: new Date(), trigger_revision: 1 } as const;
  await office.db
    .insertInto("routine_runs")
    .values({ id: runId, routine_id: routineId, ...due })
    .execute();
  const to = { connection_id: office.connectionId, channel, thread, place_kind: "group", lane: "x" } as const;
  const sent = { status: "sent", platform_message_id: messageId, sent_at: new Date() } as const;
  await office.db
    .insertInto("posts")
    .values({ id: postId, ...to, ...sent, purpose: "answer", op: "post", body: "{}", dedup_key: messageId })
    .execute();
  await office.db
    .insertInto("routine_reports")
    .values({ routine_run_id: runId, place_id: place.id, thread: thread ?? "", post_id: postId })
    .execute();
}
