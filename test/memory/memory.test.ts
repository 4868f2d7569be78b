import { beforeEach, describe, expect, test } from "vitest";
import type { Author, InboundPlace } from "../../src/chat/index.ts";
import { ada, dm, group, person } from "../inbox/office.ts";
import { claimed, useOffice } from "../inbox/scene.ts";
import { callOnce, idIn, packetFor, startTurn, type Turn, texts } from "./turns.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const channel: InboundPlace = { channel: "channel-2", kind: "channel", title: "Books" };

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "everyone");
  await office.open(channel, "members");
});

const packet = (by: Author, place?: InboundPlace, text?: string) => packetFor(office, by, { place, text });
const once = (by: Author, tool: string, args: object, place?: InboundPlace) =>
  callOnce(office, by, { tool, args, place });

const vat = "Our VAT number is 123.";

describe("what a turn remembers", () => {
  test("counts once the turn completes, and not before", async () => {
    const turn = await startTurn(office, ada);
    expect(await turn.call("remember", { text: vat })).toMatchObject({ success: true });
    expect(texts(await packet(ada))).toEqual([]);
    await turn.complete();
    expect(texts(await packet(ada))).toEqual([vat]);
  });

  test("is dropped when the turn does not complete", async () => {
    const turn = await startTurn(office, ada);
    await turn.call("remember", { text: vat });
    await turn.fail();
    expect(texts(await packet(ada))).toEqual([]);
    expect(await office.db.selectFrom("memory_pending").selectAll().execute()).toEqual([]);
  });

  test("is found by the same turn, which can correct and drop it under its id", async () => {
    const turn = await startTurn(office, ada);
    const id = idIn(await turn.call("remember", { text: vat }));
    expect((await turn.call("search_memories", { query: "VAT" })).text).toContain(vat);
    await turn.call("remember", { text: "Our VAT number is 456.", memory_id: id, expected_revision: 1 });
    const found = await turn.call("search_memories", { query: "vat" });
    expect(found.text).toContain("456");
    expect(found.text).not.toContain("123");
    const other = await turn.call("remember", { text: "Ada likes tea." });
    await turn.call("forget", { memory_id: idIn(other) });
    await turn.complete();
    expect(texts(await packet(ada))).toEqual(["Our VAT number is 456."]);
  });

  test("is the same when a call comes again after its answer got lost", async () => {
    const turn = await startTurn(office, ada);
    const first = await turn.call("remember", { text: vat }, "call-1");
    expect(await turn.call("remember", { text: vat }, "call-1")).toEqual(first);
    await turn.complete();
    expect(texts(await packet(ada))).toEqual([vat]);
  });

  test("is too late after the turn", async () => {
    const turn = await startTurn(office, ada);
    await turn.complete();
    expect(await turn.call("remember", { text: vat })).toMatchObject({ success: false });
    expect(await office.db.selectFrom("memory_pending").selectAll().execute()).toEqual([]);
  });

  test("is dropped when everything was forgotten meanwhile", async () => {
    const turn = await startTurn(office, ada);
    await turn.call("remember", { text: vat }, "call-1");
    await forgetAll();
    expect(await turn.call("remember", { text: vat }, "call-1")).toMatchObject({ success: false });
    expect((await turn.call("search_memories", { query: "VAT" })).text).not.toContain("123");
    await turn.call("remember", { text: "Ada likes tea." });
    await turn.complete();
    expect(texts(await packet(ada))).toEqual(["Ada likes tea."]);
  });

  test("of calls side by side is all there", async () => {
    const turn = await startTurn(office, ada);
    const facts = Array.from({ length: 6 }, (_, index) => `Fact number ${index}.`);
    await Promise.all(facts.map((text) => turn.call("remember", { text })));
    await turn.complete();
    expect(texts(await packet(ada)).sort()).toEqual(facts);
  });
});

async function forgetAll(): Promise<void> {
  const { deps, db, connectionId } = office;
  const milo = await deps.teammates.byHandle(db, "milo");
  const owner = (await deps.people.find(db, connectionId, ada.id))?.person;
  if (!milo || !owner) throw new Error("nobody is here");
  await office.unit((unit) => deps.memories.forgetAll(unit, milo.id, owner));
}

describe("a memory that is changed", () => {
  const remembered = async (turn: Turn) => idIn(await turn.call("remember", { text: vat }));

  test("stays as it is where somebody else changed it since, who is shown as the one to go by", async () => {
    const id = idIn(await once(ada, "remember", { text: vat }));
    await once(ada, "remember", { text: "Our VAT number is 456.", memory_id: id, expected_revision: 1 });
    const late = await once(ada, "remember", { text: "Our VAT number is 789.", memory_id: id, expected_revision: 1 });
    expect(late.success).toBe(false);
    expect(late.text).toContain('"revision":2');
    expect(late.text).toContain("456");
    expect(texts(await packet(ada))).toEqual(["Our VAT number is 456."]);
  });

  test("by two turns at once is changed by the one that completes first", async () => {
    const id = idIn(await once(ada, "remember", { text: "Deploys are on Tuesdays." }, group));
    const one = await startTurn(office, ada, { place: group });
    const two = await startTurn(office, ben, { place: { ...group, thread: "77" } });
    expect((await one.call("remember", { memory_id: id, text: "Deploys are on Mondays." })).success).toBe(true);
    expect((await two.call("remember", { memory_id: id, text: "Deploys are on Fridays." })).success).toBe(true);
    await one.complete();
    await two.complete();
    expect(texts(await packet(ada, group))).toEqual(["Deploys are on Mondays."]);
  });

  test("starts a new generation when it is corrected, dropped or narrowed, not when it is added, pinned or widened", async () => {
    const start = await packet(ada);
    expect(start.changedAt).toBeNull();
    const turn = await startTurn(office, ada);
    const id = await remembered(turn);
    await turn.complete();
    await once(ada, "remember", { memory_id: id, text: vat, pinned: true });
    await once(ada, "remember", { memory_id: id, text: vat, audience: "everyone" });
    expect(await packet(ada)).toMatchObject({ generation: start.generation, changedAt: null });
    await once(ada, "remember", { memory_id: id, text: vat, audience: "here" });
    expect(await packet(ada)).toMatchObject({ generation: start.generation + 1, changedAt: expect.any(Date) });
    await once(ada, "remember", { memory_id: id, text: "Our VAT number is 456." });
    await once(ada, "forget", { memory_id: id });
    expect((await packet(ada)).generation).toBe(start.generation + 3);
    const milo = await office.deps.teammates.byHandle(office.db, "milo");
    expect(await office.deps.memories.generation(office.db, milo?.id ?? "")).toBe(start.generation + 3);
  });

  test("is not in the database any more once it is forgotten", async () => {
    const id = idIn(await once(ada, "remember", { text: vat }));
    await once(ada, "forget", { memory_id: id });
    expect(await office.db.selectFrom("memories").selectAll().execute()).toEqual([]);
  });
});

describe("the same fact", () => {
  test("in other letters and spaces is remembered once", async () => {
    await once(ada, "remember", { text: vat });
    const again = await once(ada, "remember", { text: "our  vat number IS 123." });
    expect(again).toMatchObject({ success: true, text: expect.stringContaining("already") });
    expect(texts(await packet(ada))).toEqual([vat]);
  });

  test("that holds for everyone is not remembered for one place, too", async () => {
    await once(ada, "remember", { text: vat, audience: "everyone" });
    await once(ben, "remember", { text: vat }, group);
    expect(texts(await packet(ben, group))).toEqual([vat]);
  });

  test("of a place can be told everyone, and stays one", async () => {
    const id = idIn(await once(ada, "remember", { text: vat }));
    expect(idIn(await once(ada, "remember", { text: vat, audience: "everyone" }))).toBe(id);
    expect(texts(await packet(ben))).toEqual([vat]);
  });

  test("is nobody's business elsewhere: it is remembered there on its own", async () => {
    await once(ada, "remember", { text: vat });
    expect((await once(ben, "remember", { text: vat })).text).not.toContain("already");
    expect(texts(await packet(ben))).toEqual([vat]);
  });

  test("becomes one when another is corrected to it", async () => {
    await once(ada, "remember", { text: vat });
    const id = idIn(await once(ada, "remember", { text: "Our VAT number is 456." }));
    await once(ada, "remember", { text: vat, memory_id: id });
    expect(texts(await packet(ada))).toEqual([vat]);
  });

  test("remembered by two turns at once is one in the end", async () => {
    const one = await startTurn(office, ada, { place: group });
    const two = await startTurn(office, ben, { place: { ...group, thread: "77" } });
    await one.call("remember", { text: vat });
    await two.call("remember", { text: vat });
    await Promise.all([one.complete(), two.complete()]);
    expect(texts(await packet(ada, group))).toEqual([vat]);
  });
});

describe("there is room for", () => {
  async function fill(count: number, place?: InboundPlace): Promise<void> {
    const turn = await startTurn(office, ada, place ? { place } : {});
    for (let nth = 0; nth < count; nth++) await turn.call("remember", { text: `Fact ${nth} of ${place?.title}.` });
    await turn.complete();
  }

  test("32 facts of one place, and the next is refused at once", async () => {
    await fill(32, group);
    const refused = await once(ada, "remember", { text: "One more." }, group);
    expect(refused).toMatchObject({ success: false, text: expect.stringContaining("/memory") });
    expect((await once(ada, "remember", { text: "One more." }, channel)).success).toBe(true);
  });

  test("64 facts of one teammate, and a turn that finds them taken in the end leaves the rest", async () => {
    await fill(32, group);
    await fill(31, channel);
    const [one, two] = [await startTurn(office, ada), await startTurn(office, ben)];
    expect((await one.call("remember", { text: "The last but one." })).success).toBe(true);
    expect((await two.call("remember", { text: "The last." })).success).toBe(true);
    expect((await two.call("remember", { text: "One more." })).success).toBe(false);
    await one.complete();
    await two.complete();
    expect(texts(await packet(ada))).toEqual(["The last but one."]);
    expect(texts(await packet(ben))).toEqual([]);
    // Correcting needs no room.
    const { memories } = await packet(ada);
    const id = memories[0]?.id;
    expect((await once(ada, "remember", { memory_id: id, text: "The very last." })).success).toBe(true);
  });

  test("500 characters each", async () => {
    expect((await once(ada, "remember", { text: "a".repeat(501) })).success).toBe(false);
    expect((await once(ada, "remember", { text: "a".repeat(500) })).success).toBe(true);
  });
});

describe("F-66 a secret", () => {
  const key = `sk-${"a".repeat(30)}`;

  test.each([key, `API_KEY=${key}`, `password: ${key}`])(
    "that is all there is to a fact is refused: %#",
    async (text) => {
      const refused = await once(ada, "remember", { text });
      expect(refused).toMatchObject({ success: false, text: expect.stringContaining("secret") });
      expect(refused.text).not.toContain(key);
    },
  );

  test("is taken out of a fact before it is kept anywhere", async () => {
    const turn = await startTurn(office, ada);
    await turn.call("remember", { text: `The books are kept at Contoso, whose key is ${key}, since May.` });
    expect(JSON.stringify(await office.db.selectFrom("memory_pending").selectAll().execute())).not.toContain(key);
    await turn.complete();
    expect(texts(await packet(ada))).toEqual(["The books are kept at Contoso, whose key is [secret], since May."]);
  });
});

describe("a turn is told", () => {
  async function rememberAll(facts: readonly string[], more: object = {}): Promise<void> {
    const turn = await startTurn(office, ada);
    for (const text of facts) await turn.call("remember", { text, ...more });
    await turn.complete();
  }
  const noise = Array.from({ length: 20 }, (_, nth) => `The shelf ${nth} holds the box ${nth}.`);

  test("everything where there is little", async () => {
    await rememberAll(noise.slice(0, 12));
    expect(await packet(ada, dm(ada), "something else")).toMatchObject({ memories: { length: 12 } });
  });

  test("what fits the request, the best first, and what is pinned before all", async () => {
    await rememberAll(noise);
    await rememberAll(["Invoices go to Contoso.", "Contoso pays invoices late, in June."]);
    await rememberAll(["Answer in Portuguese."], { pinned: true });
    const told = texts(await packet(ada, dm(ada), "Is there an invoice which Contoso pays in June?"));
    expect(told.slice(0, 3)).toEqual([
      "Answer in Portuguese.",
      "Contoso pays invoices late, in June.",
      "Invoices go to Contoso.",
    ]);
  });

  test("no more than eight that merely fit, and only pinned ones where nothing does", async () => {
    await rememberAll(noise);
    await rememberAll(["Answer in Portuguese."], { pinned: true });
    expect(texts(await packet(ada, dm(ada), "what is on the shelf?"))).toHaveLength(9);
    expect(texts(await packet(ada, dm(ada), "?!"))).toEqual(["Answer in Portuguese."]);
    expect(texts(await packet(ada, dm(ada), "'; drop table memories; -- & | ! :*"))).toContain("Answer in Portuguese.");
  });

  test("4,000 characters at most", async () => {
    await rememberAll(
      Array.from({ length: 12 }, (_, nth) => `${nth} ${"x".repeat(495)}`),
      { pinned: true },
    );
    expect(texts(await packet(ada)).join("").length).toBeLessThanOrEqual(4_000);
    expect(texts(await packet(ada)).length).toBeGreaterThanOrEqual(8);
  });
});

test("what is remembered of a place or a person goes with it", async () => {
  await once(ben, "remember", { text: "Deploys are on Tuesdays." }, group);
  await once(ben, "remember", { text: "Ben is on leave." });
  await office.db.deleteFrom("places").where("channel", "=", "group-1").execute();
  expect(await office.db.selectFrom("memories").select("text").execute()).toEqual([{ text: "Ben is on leave." }]);
});
