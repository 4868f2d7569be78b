import { beforeEach, expect, test } from "vitest";
import { ensureConversation, saidAround } from "../../src/places/index.ts";
import { newId } from "../../src/shared/index.ts";
import { group } from "../inbox/office.ts";
import { useOffice } from "../inbox/scene.ts";

const minute = 60_000;
const now = new Date("2026-10-31T09:00:00Z");

const office = await useOffice();
let placeId: string;
let milo: string;
let penny: string;
beforeEach(async () => {
  placeId = (await office.unit((unit) => office.deps.places.ensure(unit, office.connectionId, group))).id;
  milo = (await office.unit((unit) => office.deps.teammates.ensureDefault(unit))).id;
  penny = newId();
  await office.db
    .insertInto("teammates")
    .values({
      id: penny,
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

async function conversation(teammateId: string, thread = "", place = placeId): Promise<string> {
  const wanted = { placeId: place, teammateId, thread, kind: "channel" } as const;
  return (await office.unit((unit) => ensureConversation(unit, wanted))).id;
}

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * minute);

/** A line of talk in the place that was merely seen. */
async function overhear(name: string, text: string, minutes: number, thread = "", id = newId()): Promise<void> {
  const said = { author_name: name, text, sent_at: minutesAgo(minutes), thread };
  await office.db
    .insertInto("seen_messages")
    .values({ place_id: placeId, platform_message_id: id, ...said })
    .execute();
}

interface Told {
  readonly teammateId?: string;
  readonly thread?: string;
  readonly id?: string;
  readonly deleted?: boolean;
}

/** What a person told a teammate. */
async function tell(name: string, text: string, minutes: number, told: Told = {}): Promise<string> {
  const { teammateId = milo, thread = "", id = newId(), deleted = false } = told;
  const messageId = newId();
  await office.db
    .insertInto("messages")
    .values({
      id: messageId,
      conversation_id: await conversation(teammateId, thread),
      place_id: placeId,
      thread,
      author: "person",
      author_name: name,
      text,
      platform_message_id: id,
      sent_at: minutesAgo(minutes),
      deleted_at: deleted ? now : null,
    })
    .execute();
  return messageId;
}

async function answer(teammateId: string, text: string, minutes: number, thread = ""): Promise<void> {
  const conversationId = await conversation(teammateId, thread);
  await office.db
    .insertInto("messages")
    .values({
      id: newId(),
      conversation_id: conversationId,
      place_id: placeId,
      thread,
      author: "teammate",
      author_name: teammateId === milo ? "Milo" : "Penny",
      teammate_id: teammateId,
      text,
      sent_at: minutesAgo(minutes),
    })
    .execute();
}

/** What Milo is told was said around him. */
async function around(more: { thread?: string; root?: string | null; people?: number; teammates?: number } = {}) {
  const { thread = "", root = null, people = 10, teammates = 10 } = more;
  const conversationId = await conversation(milo, thread);
  return saidAround(office.db, {
    placeId,
    thread,
    root,
    conversationId,
    teammateId: milo,
    before: now,
    people,
    teammates,
  });
}

async function texts(more: Parameters<typeof around>[0] = {}): Promise<string[]> {
  return (await around(more)).map((line) => line.text);
}

test("what people said in the group, and what other teammates answered there, comes oldest first", async () => {
  await overhear("Ben", "the build is red", 30);
  await tell("Ada", "whose commit was it?", 20, { teammateId: penny });
  await answer(penny, "It was Ben's.", 19);
  await overhear("Ben", "oh no", 10);
  expect(await around()).toEqual([
    { author: "person", name: "Ben", text: "the build is red", sentAt: minutesAgo(30), thread: "" },
    { author: "person", name: "Ada", text: "whose commit was it?", sentAt: minutesAgo(20), thread: "" },
    { author: "teammate", name: "Penny", text: "It was Ben's.", sentAt: minutesAgo(19), thread: "" },
    { author: "person", name: "Ben", text: "oh no", sentAt: minutesAgo(10), thread: "" },
  ]);
});

test("a teammate hears what was said since it last answered there, and what others answered does not count", async () => {
  await overhear("Ben", "before", 30);
  await answer(milo, "I answered.", 20);
  await overhear("Ben", "after", 10);
  await answer(penny, "Me too.", 5);
  expect(await texts()).toEqual(["after", "Me too."]);
});

test("what was said while it worked on its last answer is not lost", async () => {
  await overhear("Ben", "before", 30);
  await office.db
    .insertInto("runs")
    .values({
      id: newId(),
      teammate_id: milo,
      conversation_id: await conversation(milo),
      trigger: "message",
      status: "completed",
      computer: "c",
      created_at: minutesAgo(25),
    })
    .execute();
  await overhear("Ben", "meanwhile", 23);
  await answer(milo, "Done.", 20);
  expect(await texts()).toEqual(["meanwhile"]);
});

test("its own conversation is not repeated, also not a message that another teammate got too", async () => {
  await tell("Ada", "Milo and Penny, look", 10, { id: "m1" });
  await tell("Ada", "Milo and Penny, look", 10, { id: "m1", teammateId: penny });
  await overhear("Ada", "Milo and Penny, look", 10, "", "m1");
  expect(await texts()).toEqual([]);
});

test("a message that was overheard and then reached another teammate is one line", async () => {
  await overhear("Ada", "Penny, look", 10, "", "m1");
  await tell("Ada", "Penny, look", 10, { id: "m1", teammateId: penny });
  expect(await texts()).toEqual(["Penny, look"]);
});

test("the newest ten of people and of teammates are kept apart, so that neither crowds the other out", async () => {
  for (let n = 15; n > 0; n--) {
    await overhear("Ben", `person ${n}`, n * 2);
    await answer(penny, `teammate ${n}`, n * 2 + 1);
  }
  const lines = await around();
  expect(lines.filter((line) => line.author === "person").map((line) => line.text)).toEqual(
    Array.from({ length: 10 }, (_, n) => `person ${10 - n}`),
  );
  expect(lines.filter((line) => line.author === "teammate")).toHaveLength(10);
  expect(await around({ people: 2, teammates: 1 })).toHaveLength(3);
});

test("what is older than a day, was deleted, or had no words is left out", async () => {
  await overhear("Ben", "yesterday's news", 24 * 60 + 1);
  await tell("Ada", "", 10, { teammateId: penny });
  await tell("Ada", "taken back", 10, { teammateId: penny, deleted: true });
  await overhear("Ben", "later than the question", -1);
  expect(await texts()).toEqual([]);
});

test("a conversation that was started afresh hears nothing from before", async () => {
  await overhear("Ben", "before", 30);
  await overhear("Ben", "after", 10);
  const id = await conversation(milo);
  await office.db
    .updateTable("conversations")
    .set({ reset_at: minutesAgo(20) })
    .where("id", "=", id)
    .execute();
  expect(await texts()).toEqual(["after"]);
});

test("in a thread nothing is heard from the channel or from other threads, but what the thread hangs on is", async () => {
  await overhear("Ben", "the build is red", 30, "", "t1");
  await overhear("Ben", "in the channel", 25);
  await overhear("Ben", "in the thread", 20, "t1");
  await overhear("Ben", "in another thread", 15, "t2");
  await answer(penny, "in another thread too", 14, "t2");
  await answer(penny, "in this one", 13, "t1");
  expect(await texts({ thread: "t1" })).toEqual(["the build is red", "in the thread", "in this one"]);
});

test("a run that starts a thread hears the channel, with what started other threads there and nothing from inside them", async () => {
  await overhear("Ben", "in the channel", 25);
  await tell("Ada", "started another thread", 20, { thread: "t2", id: "t2" });
  await answer(milo, "in it", 19, "t2");
  await tell("Ada", "went on in it", 18, { thread: "t2", teammateId: penny });
  await overhear("Ben", "talk in it", 17, "t2");
  await answer(penny, "in the channel too", 16);
  await tell("Ada", "Milo, look", 1, { thread: "t1", id: "t1" });
  expect(await texts({ thread: "t1", root: "t1" })).toEqual([
    "in the channel",
    "started another thread",
    "in the channel too",
  ]);
});

test("a run that starts a thread hears what was said since the teammate last answered in the channel", async () => {
  await overhear("Ben", "before", 30);
  await answer(milo, "I answered.", 20);
  await overhear("Ben", "after", 10);
  expect(await texts({ thread: "t1", root: "t1" })).toEqual(["after"]);
});

test("in a direct message threads know nothing of one another", async () => {
  await office.db.updateTable("places").set({ kind: "dm" }).execute();
  await tell("Ada", "another matter", 20, { thread: "t2", id: "t2" });
  expect(await texts({ thread: "t1", root: "t1" })).toEqual([]);
});

test("nothing is heard from another place", async () => {
  const elsewhere = { ...group, channel: "group-2" };
  const other = await office.unit((unit) => office.deps.places.ensure(unit, office.connectionId, elsewhere));
  await overhear("Ben", "private matters", 10);
  const conversationId = await conversation(milo, "", other.id);
  const question = { placeId: other.id, thread: "", root: null, conversationId, teammateId: milo, before: now };
  expect(await saidAround(office.db, { ...question, people: 10, teammates: 10 })).toEqual([]);
});

test("a line of a chatterbox is cut, and never in the middle of a character", async () => {
  await tell("Ada", "🙂".repeat(2_000), 10, { teammateId: penny });
  expect((await texts())[0]).toBe("🙂".repeat(1_500));
});
