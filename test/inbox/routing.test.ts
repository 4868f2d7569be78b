import { beforeEach, expect, test } from "vitest";
import { addPost, addTeammate, asked } from "./colleagues.ts";
import { ada, command, dm, group, message } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await office.open(group, "members");
  await addTeammate(office);
});

const answers = () => asked(office);

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
  const conversationId = delivery?.conversationId ?? "";
  await addPost(office, { channel: dm(ada).channel, messageId: "p1", conversationId });
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

test("the same teammate has one conversation per thread and place", async () => {
  await office.sink(message(ada, "one", { place: group }));
  await office.sink(message(ada, "two", { place: group }));
  await office.sink(message(ada, "three", { place: { ...group, thread: "t1" } }));
  await office.sink(message(ada, "four"));
  const conversations = (await office.deliveries()).map((each) => each.conversationId);
  expect(conversations[0]).toBe(conversations[1]);
  expect(new Set(conversations).size).toBe(3);
});

test("in a thread where several teammates spoke the latest one answers, and not one who is hidden by now", async () => {
  const place = { ...group, thread: "t1" };
  await office.sink(message(ada, "@Milo @Penny hello", { place }));
  await office.sink(message(ada, "Milo, you first", { place }));
  await office.sink(message(ada, "go on", { place }));
  await office.sink(message(ada, "Penny, and you?", { place }));
  await office.sink(message(ada, "go on", { place }));
  expect(await answers()).toEqual(["Milo", "Penny", "Milo", "Milo", "Penny", "Penny"]);
  await addTeammate(office, "Penny Two", "penny-two");
  await office.db
    .updateTable("places")
    .set({ lead_teammate_id: (await office.deps.teammates.byHandle(office.db, "penny-two"))?.id ?? null })
    .execute();
  await office.db.updateTable("teammates").set({ hidden_at: new Date() }).where("handle", "=", "penny").execute();
  await office.sink(message(ada, "go on", { place }));
  expect((await answers()).at(-1)).toBe("Milo");
});

test("a bot that is one teammate's own is always that teammate, whoever is named, replied to or leads", async () => {
  const place = { ...group, thread: "t1" };
  await office.sink(message(ada, "Milo, hello", { place }));
  const [delivery] = await office.deliveries();
  const conversationId = delivery?.conversationId ?? "";
  await addPost(office, { channel: group.channel, messageId: "p1", conversationId });
  await office.db.updateTable("connections").set({ teammate_handle: "penny" }).execute();
  await office.sink(message(ada, "Milo: and now?", { place, quote: { messageId: "p1", fromUs: true } }));
  await office.sink(command(ada, "ask", "milo what is open?"));
  expect(await answers()).toEqual(["Milo", "Penny", "Penny"]);
});

test("a bot whose teammate is not there is answered by whoever would answer otherwise", async () => {
  await office.db.updateTable("connections").set({ teammate_handle: "nobody" }).execute();
  await office.sink(message(ada, "hello"));
  expect(await answers()).toEqual(["Milo"]);
});

test("an empty mention is answered in the name of whoever would have got it", async () => {
  await office.db
    .updateTable("places")
    .set({ lead_teammate_id: await penny() })
    .execute();
  await office.sink(message(ada, "", { place: group }));
  expect((await office.texts()).at(-1)).toMatch(/Penny gets to it/);
});
