import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import type { MessageEvent } from "../../src/chat/index.ts";
import { forgetSeen } from "../../src/inbox/index.ts";
import { ada, dm, group, message, person } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await office.open(group, "members");
});

const passer = person("passer-by", "Passer");

function talk(text: string, more: Partial<MessageEvent> = {}): MessageEvent {
  return message(passer, text, { place: group, addressed: "ambient", ...more });
}

async function seen() {
  return office.db
    .selectFrom("seen_messages")
    .select(["platform_message_id as id", "author_name as name", "text", "thread", "sent_at as sentAt"])
    .orderBy("sent_at")
    .execute();
}

function edit(messageId: string, text: string, editedAt = new Date()) {
  return { kind: "edit", key: `edit:${text}`, place: group, author: passer, messageId, text, editedAt } as const;
}

function deletion(messageId: string) {
  return { kind: "deletion", key: `deletion:${messageId}`, place: group, messageId } as const;
}

test("talk in an opened place is kept with its author, its thread and its time, and not as a message for us", async () => {
  const event = talk("lunch?", { place: { ...group, thread: "t1" } });
  await office.sink(event);
  expect(await seen()).toEqual([
    { id: event.messageId, name: "Passer", text: "lunch?", thread: "t1", sentAt: event.sentAt },
  ]);
  expect(await office.messages()).toEqual([]);
});

test("talk in a place that nobody opened is not kept, nor is anything said in a direct message", async () => {
  await office.open(group, "closed");
  await office.sink(talk("lunch?"));
  await office.sink(talk("lunch?", { place: { ...group, channel: "never-heard-of" } }));
  await office.sink(message(ada, "hello", { addressed: "ambient", place: dm(ada) }));
  await office.sink(message(ada, "hello"));
  expect(await seen()).toEqual([]);
});

test("what bots say, what addresses us, and what has no words is not kept", async () => {
  await office.sink(talk("beep", { author: { ...passer, isBot: true } }));
  await office.sink(message(ada, "look at this", { place: group }));
  await office.sink(talk(" ", { files: [{ id: "f", name: "f", kind: "photo" }] }));
  expect(await seen()).toEqual([]);
});

test("a long text is cut, and what a database cannot store is taken out", async () => {
  await office.sink(talk(`a\u0000b${"x".repeat(1_496)}🙂🙂`));
  expect((await seen())[0]?.text).toBe(`ab${"x".repeat(1_496)}🙂`);
  await office.sink(talk(`y${"🙂".repeat(1_000)}`, { sentAt: new Date(Date.now() + 1_000) }));
  expect((await seen())[1]?.text).toBe(`y${"🙂".repeat(749)}`);
});

test("the same talk on two ways is kept once", async () => {
  const event = talk("lunch?");
  await office.sink(event);
  await office.sink({ ...event, key: "another way" });
  expect(await seen()).toHaveLength(1);
});

test("an edit changes our copy, a deletion takes it away, and neither makes its author known to us", async () => {
  const event = talk("lunch at 12?");
  await office.sink(event);
  const change = edit(event.messageId, `lunch at 1?${"x".repeat(2_000)}`);
  await office.sink(change);
  expect((await seen())[0]?.text).toBe(`lunch at 1?${"x".repeat(1_489)}`);
  expect(await office.outcome(change.key)).toBe("not_addressed");
  const removal = deletion(event.messageId);
  await office.sink(removal);
  expect(await seen()).toEqual([]);
  expect(await office.outcome(removal.key)).toBe("not_addressed");
  await office.sink(deletion("unknown"));
  expect(await office.outcome("deletion:unknown")).toBe("unknown_message");
  const names = await office.db.selectFrom("identities").select("display_name").execute();
  expect(names).toEqual([{ display_name: "Ada" }]);
});

test("an edit in another place with the same message id changes nothing here", async () => {
  const event = talk("lunch?");
  await office.sink(event);
  const elsewhere = { ...group, channel: "group-2" };
  await office.open(elsewhere, "members");
  await office.sink({ ...edit(event.messageId, "dinner?"), place: elsewhere });
  await office.sink({ ...deletion(event.messageId), place: elsewhere });
  expect((await seen())[0]?.text).toBe("lunch?");
});

async function see(placeId: string, count: number, secondsAgo: number): Promise<void> {
  await sql`insert into seen_messages (place_id, platform_message_id, author_name, text, sent_at)
    select ${placeId}, ${secondsAgo}::text || '-' || n, 'Ben', 'x', now() - make_interval(secs => ${secondsAgo} + n)
    from generate_series(1, ${count}) n`.execute(office.db);
}

test("what was seen more than a month ago is forgotten, so much at a time", async () => {
  const { id } = await office.db
    .selectFrom("places")
    .select("id")
    .where("kind", "=", "group")
    .executeTakeFirstOrThrow();
  const month = 30 * 24 * 3_600;
  await see(id, 5, month + 1);
  await see(id, 3, 60);
  const before = new Date(Date.now() - month * 1_000);
  expect(await forgetSeen(office.db, before, 4)).toBe(4);
  expect(await forgetSeen(office.db, before, 4)).toBe(1);
  expect(await forgetSeen(office.db, before, 4)).toBe(0);
  expect(await seen()).toHaveLength(3);
});

test("each place keeps the newest 2,000", async () => {
  await office.open({ ...group, channel: "group-2" }, "members");
  const places = await office.db.selectFrom("places").select("id").where("kind", "=", "group").execute();
  for (const { id } of places) await see(id, 2_010, 60);
  const before = new Date(0);
  expect(await forgetSeen(office.db, before, 15)).toBe(15);
  expect(await forgetSeen(office.db, before, 1_000)).toBe(5);
  expect(await forgetSeen(office.db, before, 1_000)).toBe(0);
  const oldest = await office.db
    .selectFrom("seen_messages")
    .select((eb) => ["place_id", eb.fn.countAll<string>().as("count")])
    .where("platform_message_id", "=", "60-2000")
    .groupBy("place_id")
    .execute();
  expect(oldest).toHaveLength(2);
  // What is old and what is too much count together.
  const [place] = places;
  await see(place?.id ?? "", 10, 0);
  await see(places[1]?.id ?? "", 10, 24 * 3_600);
  expect(await forgetSeen(office.db, new Date(Date.now() - 24 * 3_600_000), 10)).toBe(10);
});
