import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { addTeammate, asked } from "./colleagues.ts";
import { ada, group, message, stranger } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const channel = { ...group, kind: "channel" } as const;
let penny: string;
beforeEach(async () => {
  await office.open(channel, "members");
  penny = await addTeammate(office);
});

/** Penny's routine posted something in the channel: a report, or what makes the thread of its own. */
async function posted(messageId: string, more: { op?: "post" | "open_thread"; thread?: string } = {}): Promise<void> {
  const place = await office.db
    .selectFrom("places")
    .select("id")
    .where("channel", "=", channel.channel)
    .executeTakeFirstOrThrow();
  const { op = "post", thread = null } = more;
  const [routineId, conversationId] = [newId(), newId()];
  await office.db
    .insertInto("routines")
    .values({
      id: routineId,
      teammate_id: penny,
      kind: "routine",
      name: `Open incidents ${messageId}`,
      instruction: "Look.",
      trigger: "{}",
      timezone: "UTC",
      place_id: place.id,
      missed_policy: "run_once",
      limit_policy: "wait",
    })
    .execute();
  const lane = { place_id: place.id, teammate_id: penny, thread: "", kind: "routine" } as const;
  await office.db
    .insertInto("conversations")
    .values({ id: conversationId, routine_id: routineId, ...lane })
    .execute();
  await office.db
    .insertInto("posts")
    .values({
      id: newId(),
      connection_id: office.connectionId,
      channel: channel.channel,
      thread,
      place_kind: "channel",
      conversation_id: conversationId,
      lane: "x",
      purpose: "answer",
      op,
      body: "{}",
      platform_message_id: messageId,
      status: "sent",
      dedup_key: messageId,
    })
    .execute();
}

const conversations = () =>
  office.db
    .selectFrom("deliveries as d")
    .innerJoin("conversations as c", "c.id", "d.conversation_id")
    .select(["c.thread", "c.kind"])
    .orderBy("d.queue_order")
    .execute();

describe("an answer to a routine's report", () => {
  test("in the thread beneath it goes to the routine's teammate, whom nobody has to name", async () => {
    await posted("r1");
    await office.sink(message(ada, "which two?", { place: { ...channel, thread: "r1" }, addressed: "reply" }));
    await office.sink(message(ada, "and now?", { place: { ...channel, thread: "r1" }, addressed: "ambient" }));
    expect(await asked(office)).toEqual(["Penny", "Penny"]);
    expect(await conversations()).toEqual([
      { thread: "r1", kind: "task" },
      { thread: "r1", kind: "task" },
    ]);
  });

  test("that quotes it goes to the routine's teammate, in an ordinary conversation of the place", async () => {
    await posted("r1");
    const quote = { messageId: "r1", fromUs: true };
    await office.sink(message(ada, "which two?", { place: channel, addressed: "reply", quote }));
    expect(await asked(office)).toEqual(["Penny"]);
    expect(await conversations()).toEqual([{ thread: "", kind: "channel" }]);
  });

  test("in the routine's own thread it needs no name either, and somebody else can be called in there", async () => {
    await posted("t1", { op: "open_thread" });
    const place = { ...channel, thread: "t1" };
    await office.sink(message(ada, "which two?", { place, addressed: "ambient" }));
    await office.sink(message(ada, "Milo: what do you think?", { place, addressed: "mention" }));
    await office.sink(message(ada, "and then?", { place, addressed: "ambient" }));
    expect(await asked(office)).toEqual(["Penny", "Milo", "Milo"]);
  });

  test("elsewhere in the place nothing is different: who leads answers, and talk is talk", async () => {
    await posted("r1");
    await office.sink(message(ada, "hello", { place: channel }));
    await office.sink(message(ada, "talk", { place: channel, addressed: "ambient" }));
    await office.sink(message(ada, "talk", { place: { ...channel, thread: "other" }, addressed: "ambient" }));
    expect(await asked(office)).toEqual(["Milo"]);
  });

  test("of a stranger reaches nobody and gets no word", async () => {
    await posted("r1");
    const before = (await office.posts()).length;
    await office.sink(message(stranger, "which two?", { place: { ...channel, thread: "r1" }, addressed: "ambient" }));
    const quote = { messageId: "r1", fromUs: true };
    await office.sink(message(stranger, "which two?", { place: channel, addressed: "reply", quote }));
    expect(await asked(office)).toEqual([]);
    expect(await office.posts()).toHaveLength(before);
  });
});
