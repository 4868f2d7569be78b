import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { ada, command, dm, group, message, type Office, openOffice } from "./office.ts";

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office[Symbol.asyncDispose]());
beforeEach(async () => {
  await office.reset();
  await office.claim();
  await office.open(group, "members");
  await office.db
    .insertInto("teammates")
    .values({
      id: newId(),
      handle: "penny",
      name: "Penny",
      title: "Bookkeeper",
      job: "Keeps the books.",
      autonomy: "ask_consequential",
      access: "workspace",
      busy_mode: "steer",
    })
    .execute();
});

async function answers(): Promise<string[]> {
  const rows = await office.db
    .selectFrom("deliveries as d")
    .innerJoin("teammates as t", "t.id", "d.teammate_id")
    .select("t.name")
    .orderBy("d.queue_order")
    .execute();
  return rows.map((row) => row.name);
}

async function penny(): Promise<string> {
  const row = await office.db
    .selectFrom("teammates")
    .select("id")
    .where("handle", "=", "penny")
    .executeTakeFirstOrThrow();
  return row.id;
}

test("without any sign the first teammate answers", async () => {
  await office.sink(message(ada, "hello"));
  expect(await answers()).toEqual(["Milo"]);
});

test("a place's lead answers there", async () => {
  await office.db
    .updateTable("places")
    .set({ lead_teammate_id: await penny() })
    .where("kind", "=", "group")
    .execute();
  await office.sink(message(ada, "hello", { place: group }));
  await office.sink(message(ada, "hello"));
  expect(await answers()).toEqual(["Penny", "Milo"]);
});

test("a name at the start chooses the teammate, with a colon, a comma or an at sign", async () => {
  await office.sink(message(ada, "Penny: what is open?"));
  await office.sink(message(ada, "penny, what is open?"));
  await office.sink(message(ada, "@Penny what is open?"));
  expect(await answers()).toEqual(["Penny", "Penny", "Penny"]);
});

test("a word with a comma that is nobody's name addresses nobody", async () => {
  await office.sink(message(ada, "Thanks, that helped"));
  expect(await answers()).toEqual(["Milo"]);
});

test("/ask NAME addresses that teammate with the rest of the line", async () => {
  await office.sink(command(ada, "ask", "penny what is\nopen?"));
  expect(await answers()).toEqual(["Penny"]);
  expect((await office.messages())[0]?.text).toBe("what is\nopen?");
});

test("/ask with an unknown name says whom one can ask", async () => {
  await office.sink(command(ada, "ask", "nobody do it"));
  expect(await answers()).toEqual([]);
  expect((await office.texts()).at(-1)).toBe("There is no nobody here. You can ask Milo or Penny.");
});

test("a reply to a teammate's message goes to that teammate", async () => {
  await office.sink(message(ada, "Penny: hello"));
  const [delivery] = await office.deliveries();
  await office.db
    .insertInto("posts")
    .values({
      id: newId(),
      connection_id: office.connectionId,
      channel: dm(ada).channel,
      place_kind: "dm",
      conversation_id: delivery?.conversationId ?? "",
      lane: "x",
      purpose: "answer",
      op: "post",
      body: "{}",
      platform_message_id: "p1",
      status: "sent",
      dedup_key: "x",
    })
    .execute();
  await office.sink(message(ada, "and now?", { quote: { messageId: "p1", fromUs: true } }));
  expect(await answers()).toEqual(["Penny", "Penny"]);
});

test("a thread stays with the teammate that works in it", async () => {
  const place = { ...group, thread: "t1" };
  await office.sink(message(ada, "Penny: hello", { place }));
  await office.sink(message(ada, "go on", { place }));
  await office.sink(message(ada, "hello", { place: group }));
  expect(await answers()).toEqual(["Penny", "Penny", "Milo"]);
});

test("a hidden teammate answers no more", async () => {
  const place = { ...group, thread: "t1" };
  await office.sink(message(ada, "Penny: hello", { place }));
  await office.db.updateTable("teammates").set({ hidden_at: new Date() }).where("handle", "=", "penny").execute();
  await office.sink(message(ada, "go on", { place }));
  expect(await answers()).toEqual(["Penny", "Milo"]);
});

test("the same teammate has one conversation per thread and place", async () => {
  await office.sink(message(ada, "one", { place: group }));
  await office.sink(message(ada, "two", { place: group }));
  await office.sink(message(ada, "three", { place: { ...group, thread: "t1" } }));
  await office.sink(message(ada, "four"));
  const conversations = (await office.deliveries()).map((each) => each.conversationId);
  expect(conversations[0]).toBe(conversations[1]);
  expect(new Set(conversations).size).toBe(3);
});
