import { expect, test } from "vitest";
import { startRun } from "./colleagues.ts";
import { ada, command, dm, group, message, person } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

const ben = person("ben", "Ben");

async function statuses(): Promise<string[]> {
  return (await office.deliveries()).map((each) => each.status);
}

for (const word of ["stop", "Stop", "CANCEL", " stop! ", "cancel."]) {
  test(`F-16 "${word}" alone stops what its author asked for, past every queue`, async () => {
    await office.sink(message(ada, "build it"));
    const runId = await startRun(office);
    await office.sink(message(ada, "and then this"));
    const event = message(ada, word);
    await office.sink(event);
    expect(await office.stops()).toEqual([{ runId, by: "Ada" }]);
    expect(await statuses()).toEqual(["running", "cancelled"]);
    expect(await office.outcome(event.key)).toBe("handled");
    expect((await office.texts()).at(-1)).toBe("Stopping. 1 waiting message cancelled.");
  });
}

test("a sentence with the word in it is work", async () => {
  await office.sink(message(ada, "stop the server"));
  await office.sink(message(ada, "cancel", { files: [{ id: "f", name: "f", kind: "document" }] }));
  expect(await statuses()).toEqual(["queued", "queued"]);
});

test("the word stops nobody else's work", async () => {
  await office.open(group, "members");
  await office.hire(ben, "member");
  await office.sink(message(ada, "build it", { place: group }));
  await startRun(office);
  await office.sink(message(ada, "then test it", { place: group }));
  const event = message(ben, "stop", { place: group });
  await office.sink(event);
  expect(await office.stops()).toEqual([]);
  expect(await statuses()).toEqual(["running", "queued"]);
  expect(await office.outcome(event.key)).toBe("nothing_to_stop");
});

test("the word stops nothing in another thread", async () => {
  await office.sink(message(ada, "build it", { place: { ...dm(ada), thread: "7" } }));
  await startRun(office);
  await office.sink(message(ada, "stop"));
  expect(await office.stops()).toEqual([]);
});

test("in a group the word works without a mention, for the one who asked", async () => {
  await office.open(group, "members");
  await office.sink(message(ada, "build it", { place: group }));
  const runId = await startRun(office);
  await office.sink(message(ada, "stop", { place: group, addressed: "ambient" }));
  expect(await office.stops()).toEqual([{ runId, by: "Ada" }]);
});

test("in a group the word without a mention is mere talk when nothing runs", async () => {
  await office.open(group, "members");
  const before = (await office.posts()).length;
  const event = message(ada, "stop", { place: group, addressed: "ambient" });
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("not_addressed");
  expect(await office.posts()).toHaveLength(before);
});

test("a passer-by who says the word is not remembered for it", async () => {
  await office.open(group, "everyone");
  const event = message(person("passer-by", "Passer"), "stop", { place: group, addressed: "ambient" });
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("not_addressed");
  const names = await office.db.selectFrom("identities").select("display_name").execute();
  expect(names).toEqual([{ display_name: "Ada" }]);
});

test("/stop does the same, and says so when there is nothing", async () => {
  await office.sink(command(ada, "stop"));
  expect((await office.texts()).at(-1)).toBe("Nothing you asked for is running here.");
  await office.sink(message(ada, "build it"));
  const runId = await startRun(office);
  await office.sink(command(ada, "stop"));
  expect(await office.stops()).toEqual([{ runId, by: "Ada" }]);
});

test("the stop control of a native draft stops the run it shows", async () => {
  await office.sink(message(ada, "build it"));
  const runId = await startRun(office);
  const { draft_id } = await office.db
    .insertInto("live_views")
    .values({ run_id: runId, connection_id: office.connectionId, channel: dm(ada).channel })
    .returning("draft_id")
    .executeTakeFirstOrThrow();
  await office.sink({ kind: "stop", key: "draft stop", place: dm(ada), author: ada, draftId: draft_id });
  expect(await office.stops()).toEqual([{ runId, by: "Ada" }]);
});

test("a stop control of a draft we do not know leaves a reason", async () => {
  await office.sink({ kind: "stop", key: "draft stop", place: dm(ada), author: ada, draftId: 999_999 });
  expect(await office.outcome("draft stop")).toBe("nothing_to_stop");
});

test("a stop word that reaches us a day late stops nothing", async () => {
  await office.open(group, "members");
  await office.sink(message(ada, "build it", { place: group }));
  await startRun(office);
  const sentAt = new Date(Date.now() - 25 * 3_600_000);
  await office.sink(message(ada, "stop", { place: group, addressed: "ambient", sentAt }));
  expect(await office.stops()).toEqual([]);
});

test("/stop where a platform takes no commands in threads stops what its giver asked for in every thread of the place", async () => {
  await office.open(group, "members");
  await office.hire(ben, "member");
  const runs = [];
  for (const thread of ["t1", "t2"]) {
    await office.sink(message(ada, "build it", { place: { ...group, thread } }));
    runs.push(await startRun(office));
  }
  await office.sink(message(ada, "then test it", { place: { ...group, thread: "t2" } }));
  await office.sink(message(ben, "build mine", { place: { ...group, thread: "t3" } }));
  await startRun(office);
  await office.sink(message(ada, "build it elsewhere"));
  await startRun(office);
  const place = group;
  await office.sink(command(ada, "stop", "", { place }));
  expect(await office.stops()).toEqual([]);
  await office.sink(command(ada, "stop", "", { place, wholePlace: true }));
  expect((await office.stops()).toSorted((one, other) => one.runId.localeCompare(other.runId))).toEqual(
    runs.toSorted().map((runId) => ({ runId, by: "Ada" })),
  );
  expect((await statuses()).filter((status) => status === "cancelled")).toHaveLength(1);
  expect((await office.texts()).at(-1)).toBe("Stopping. 1 waiting message cancelled.");
});
