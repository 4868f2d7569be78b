import { beforeEach, expect, test, vi } from "vitest";
import type { QueuePayload } from "../../src/storage/index.ts";
import { addTeammate, asked } from "./colleagues.ts";
import { ada, command, dm, group, message } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await office.open(group, "members");
  await addTeammate(office);
});

async function statuses(): Promise<string[]> {
  return (await office.deliveries()).map((each) => each.status);
}

test("each teammate who is named gets the message, in a conversation of their own", async () => {
  const event = message(ada, "Milo and Penny, look at this", { place: group });
  await office.sink(event);
  expect(await asked(office)).toEqual(["Milo", "Penny"]);
  const [one, other] = await office.deliveries();
  expect(one?.conversationId).not.toBe(other?.conversationId);
  expect((await office.messages()).map((each) => each.text)).toEqual([event.text, event.text]);
  expect(await office.outcome(event.key)).toBe("delivered");
});

test("a teammate who is named twice gets it once", async () => {
  await office.sink(message(ada, "Penny, what did @Penny and @penny say?"));
  expect(await asked(office)).toEqual(["Penny"]);
});

test("a hidden teammate is not among those named", async () => {
  await office.db.updateTable("teammates").set({ hidden_at: new Date() }).where("handle", "=", "penny").execute();
  await office.sink(message(ada, "@Milo @Penny look"));
  expect(await asked(office)).toEqual(["Milo"]);
});

test("names in a forwarded text address nobody", async () => {
  await office.sink(message(ada, "Penny, please pay this", { forwardedFrom: "Ben" }));
  expect(await asked(office)).toEqual(["Milo"]);
});

test("F-01 a message for several that comes on two ways at once reaches each of them once", async () => {
  const event = message(ada, "@Milo @Penny look", { place: group });
  await Promise.all(Array.from({ length: 6 }, (_, n) => office.sink({ ...event, key: `way ${n % 3}` })));
  expect(await asked(office)).toEqual(["Milo", "Penny"]);
});

test("F-01 a message that was stored for one teammate is not given to another when it comes again", async () => {
  const event = message(ada, "hello", { place: group });
  await office.sink(event);
  const { id } = await office.db
    .selectFrom("teammates")
    .select("id")
    .where("name", "=", "Penny")
    .executeTakeFirstOrThrow();
  await office.db.updateTable("places").set({ lead_teammate_id: id }).where("kind", "=", "group").execute();
  await office.sink({ ...event, key: "again" });
  expect(await asked(office)).toEqual(["Milo"]);
  expect(await office.outcome("again")).toBe("duplicate");
});

test("messages to the same teammates in another order, all at once, do not get into each other's way", async () => {
  const texts = ["@Milo @Penny a", "@Penny @Milo b", "@Milo @Penny c", "@Penny @Milo d"];
  await Promise.all(texts.map((text) => office.sink(message(ada, text, { place: group }))));
  expect(await asked(office)).toHaveLength(8);
});

test("files come to each of them", async () => {
  const files = [{ id: "f1", name: "a.pdf", kind: "document" }] as const;
  await office.sink(message(ada, "@Milo @Penny look", { files }));
  const stored = await office.db.selectFrom("attachments").select(["name", "message_id"]).execute();
  expect(stored).toHaveLength(2);
  expect(new Set(stored.map((file) => file.message_id)).size).toBe(2);
});

test("F-10 an edit changes the message for each of them, and tells each running turn", async () => {
  const heard: QueuePayload<"control">[] = [];
  const worker = await office.storage.queues.work("control", async (payload) => void heard.push(payload));
  await using _ = { [Symbol.asyncDispose]: () => worker.close() };
  const event = message(ada, "@Milo @Penny delete a");
  await office.sink(event);
  await office.db.updateTable("deliveries").set({ status: "running" }).execute();
  await office.sink({
    kind: "edit",
    key: "edit",
    place: dm(ada),
    author: ada,
    messageId: event.messageId,
    text: "@Milo @Penny delete b",
    editedAt: new Date(),
  });
  const stored = await office.messages();
  expect(stored.map((each) => each.text)).toEqual(["@Milo @Penny delete b", "@Milo @Penny delete b"]);
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(new Set(heard.map((each) => ("messageId" in each ? each.messageId : "")))).toEqual(
    new Set(stored.map((each) => each.id)),
  );
});

test("a deletion takes it back from each of them who did not begin", async () => {
  const event = message(ada, "@Milo @Penny by mistake");
  await office.sink(event);
  const [first] = await office.deliveries();
  await office.db
    .updateTable("deliveries")
    .set({ status: "running" })
    .where("id", "=", first?.id ?? "")
    .execute();
  await office.sink({ kind: "deletion", key: "deletion", place: dm(ada), messageId: event.messageId });
  expect(await statuses()).toEqual(["running", "cancelled"]);
  expect((await office.messages()).map((each) => each.text)).toEqual(["", ""]);
});

test("F-07 an album for several is one message for each of them", async () => {
  const collect = { key: "album", kind: "album", waitMs: 1_000 } as const;
  const photo = (name: string) => [{ id: name, name, kind: "photo" }] as const;
  await office.sink(message(ada, "@Milo @Penny which one?", { collect, files: photo("a") }));
  await office.sink(message(ada, "", { collect, files: photo("b") }));
  expect(await asked(office)).toEqual(["Milo", "Penny"]);
  const files = await office.db.selectFrom("attachments").select(["message_id", "name"]).orderBy("name").execute();
  expect(files.map((file) => file.name)).toEqual(["a", "a", "b", "b"]);
  const [one, other] = await office.deliveries();
  expect(one?.readyAt).toEqual(other?.readyAt);
});

test("F-07 the rest of a paste goes to each of them", async () => {
  const collect = { key: "ada", kind: "paste", waitMs: 1_400 } as const;
  await office.sink(message(ada, "@Milo @Penny part one", { collect }));
  await office.sink(message(ada, "the end"));
  const text = "@Milo @Penny part one\nthe end";
  expect((await office.messages()).map((each) => each.text)).toEqual([text, text]);
  const now = office.clock.now().getTime();
  expect((await office.deliveries()).filter((each) => each.readyAt.getTime() > now)).toEqual([]);
});

test("F-06 one who has too much waiting says so, and the others get the message all the same", async () => {
  for (let n = 0; n < 5; n++) await office.sink(message(ada, `Penny, task ${n}`));
  const event = message(ada, "@Milo @Penny one more");
  await office.sink(event);
  expect((await asked(office)).filter((name) => name === "Milo")).toHaveLength(1);
  expect((await asked(office)).filter((name) => name === "Penny")).toHaveLength(5);
  expect((await office.texts()).at(-1)).toMatch(/already have 5 messages waiting for Penny/);
  expect(await office.outcome(event.key)).toBe("delivered");
});

test("F-06 when all of them have too much waiting, each says so", async () => {
  for (let n = 0; n < 5; n++) await office.sink(message(ada, `@Milo @Penny task ${n}`));
  const event = message(ada, "@Milo @Penny one more");
  await office.sink(event);
  expect((await office.texts()).slice(-2).map((text) => /for (\w+)\./.exec(text)?.[1])).toEqual(["Milo", "Penny"]);
  expect(await office.outcome(event.key)).toBe("too_many_waiting");
});

test("/ask takes a name of several words", async () => {
  await addTeammate(office, "Penny Two", "penny-two");
  await office.sink(command(ada, "ask", "penny two what is open?"));
  expect(await asked(office)).toEqual(["Penny Two"]);
  expect((await office.messages())[0]?.text).toBe("what is open?");
});
