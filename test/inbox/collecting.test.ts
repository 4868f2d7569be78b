import { expect, test } from "vitest";
import type { Collect, MessageEvent } from "../../src/chat/index.ts";
import { ada, group, message, person } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

const album: Collect = { key: "album-1", kind: "album", waitMs: 1_000 };
const paste: Collect = { key: "ada", kind: "paste", waitMs: 1_400 };

function photo(name: string, more: Partial<MessageEvent> = {}): MessageEvent {
  return message(ada, "", { files: [{ id: name, name, kind: "photo" }], collect: album, ...more });
}

async function files(): Promise<string[]> {
  const rows = await office.db.selectFrom("attachments").select("name").orderBy("position").execute();
  return rows.map((row) => row.name);
}

/** As if a worker had taken it up. */
async function startAll(): Promise<void> {
  await office.db.updateTable("deliveries").set({ status: "running" }).execute();
}

test("F-07 the photos of an album and its caption become one message", async () => {
  const second = photo("b.jpg", { text: "Which one?" });
  await office.sink(photo("a.jpg"));
  await office.sink(second);
  await office.sink(photo("c.jpg"));
  expect(await office.deliveries()).toHaveLength(1);
  expect(await files()).toEqual(["a.jpg", "b.jpg", "c.jpg"]);
  expect((await office.messages()).map((each) => each.text)).toEqual(["Which one?"]);
  expect(await office.outcome(second.key)).toBe("merged");
});

test("F-07 an album that arrives all at once is still one message", async () => {
  const names = Array.from({ length: 10 }, (_, n) => `${n}.jpg`);
  await Promise.all(names.map((name) => office.sink(photo(name))));
  expect(await office.messages()).toHaveLength(1);
  expect((await files()).toSorted()).toEqual(names);
});

test("F-01 a photo of an album that comes twice is there once", async () => {
  const event = photo("a.jpg");
  await Promise.all([office.sink(event), office.sink(event)]);
  await office.sink(event);
  expect(await files()).toEqual(["a.jpg"]);
});

test("F-07 each part pushes the start out by the waiting time", async () => {
  await office.sink(photo("a.jpg"));
  const [first] = await office.deliveries();
  expect(first?.readyAt.getTime()).toBeGreaterThan(office.clock.now().getTime());
  office.clock.pass(700);
  await office.sink(photo("b.jpg"));
  const [second] = await office.deliveries();
  expect((second?.readyAt.getTime() ?? 0) - (first?.readyAt.getTime() ?? 0)).toBeGreaterThanOrEqual(700);
});

test("F-07 a photo that comes when the work has begun is a message of its own", async () => {
  await office.sink(photo("a.jpg"));
  await startAll();
  await office.sink(photo("b.jpg"));
  expect(await office.deliveries()).toHaveLength(2);
});

test("two albums stay two messages", async () => {
  await office.sink(photo("a.jpg"));
  await office.sink(photo("b.jpg", { collect: { ...album, key: "album-2" } }));
  expect(await office.messages()).toHaveLength(2);
});

test("F-07 a paste that the client cut in three is one message again, and ready with its last part", async () => {
  await office.sink(message(ada, "part one", { collect: paste }));
  await office.sink(message(ada, "part two", { collect: paste }));
  await office.sink(message(ada, "the end"));
  expect((await office.messages()).map((each) => each.text)).toEqual(["part one\npart two\nthe end"]);
  const [delivery] = await office.deliveries();
  expect(delivery?.readyAt.getTime()).toBeLessThanOrEqual(office.clock.now().getTime());
});

test("F-07 what somebody writes later is a message of its own", async () => {
  await office.sink(message(ada, "part one", { collect: paste }));
  office.clock.pass(1_500);
  await office.sink(message(ada, "something else", { sentAt: office.clock.now() }));
  expect(await office.messages()).toHaveLength(2);
});

test("F-07 what somebody else writes meanwhile is theirs", async () => {
  await office.open(group, "everyone");
  await office.sink(message(ada, "part one", { collect: paste, place: group }));
  await office.sink(message(person("ben", "Ben"), "hello", { place: group }));
  expect((await office.messages()).map((each) => each.authorName)).toEqual(["Ada", "Ben"]);
});

test("F-07 a message that completes a paste ends it: the next one stands alone", async () => {
  await office.sink(message(ada, "part one", { collect: paste }));
  await office.sink(message(ada, "the end"));
  await office.sink(message(ada, "another thing"));
  expect((await office.messages()).map((each) => each.text)).toEqual(["part one\nthe end", "another thing"]);
});

test("F-07 later messages of the same person stand behind the album in line", async () => {
  await office.sink(photo("a.jpg"));
  await office.sink(message(ada, "look at these"));
  await office.sink(photo("b.jpg"));
  const texts = await office.db
    .selectFrom("deliveries as d")
    .innerJoin("messages as m", "m.id", "d.message_id")
    .select("m.text")
    .orderBy("d.queue_order")
    .execute();
  expect(texts.map((row) => row.text)).toEqual(["", "look at these"]);
  expect(await files()).toEqual(["a.jpg", "b.jpg"]);
});

test("a forwarded message keeps the name of who wrote it first", async () => {
  await office.sink(message(ada, "the plan", { forwardedFrom: "Somebody Else" }));
  const rows = await office.db.selectFrom("messages").select(["author_name", "forwarded_from"]).execute();
  expect(rows).toEqual([{ author_name: "Ada", forwarded_from: "Somebody Else" }]);
});

test("F-07 in a group only the first photo carries our name, and the others belong to it all the same", async () => {
  await office.open(group, "members");
  await office.sink(photo("a.jpg", { place: group, text: "Which one?" }));
  await office.sink(photo("b.jpg", { place: group, addressed: "ambient" }));
  expect(await office.messages()).toHaveLength(1);
  expect(await files()).toEqual(["a.jpg", "b.jpg"]);
});

test("F-07 in a group the rest of a paste belongs to its first part", async () => {
  await office.open(group, "members");
  await office.sink(message(ada, "part one", { place: group, collect: paste }));
  await office.sink(message(person("ben", "Ben"), "nice weather", { place: group, addressed: "ambient" }));
  await office.sink(message(ada, "the end", { place: group, addressed: "ambient" }));
  await office.sink(message(ada, "lunch?", { place: group, addressed: "ambient" }));
  expect((await office.messages()).map((each) => each.text)).toEqual(["part one\nthe end"]);
});

test("an album in a group that never mentions us is mere talk", async () => {
  await office.open(group, "members");
  await office.sink(photo("a.jpg", { place: group, addressed: "ambient" }));
  await office.sink(photo("b.jpg", { place: group, addressed: "ambient" }));
  expect(await office.messages()).toHaveLength(0);
});
