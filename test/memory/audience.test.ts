import { beforeEach, describe, expect, test } from "vitest";
import type { Author, InboundPlace } from "../../src/chat/index.ts";
import { addTeammate } from "../inbox/colleagues.ts";
import { ada, group, person, stranger } from "../inbox/office.ts";
import { claimed, useOffice } from "../inbox/scene.ts";
import { callOnce, idIn, packetFor, startTurn, texts } from "./turns.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const channel: InboundPlace = { channel: "channel-2", kind: "channel", title: "Books" };

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "everyone");
  await office.open(channel, "members");
});

const packet = (by: Author, place?: InboundPlace) => packetFor(office, by, { place });
const once = (by: Author, tool: string, args: object, place?: InboundPlace) =>
  callOnce(office, by, { tool, args, place });
const vat = "Our VAT number is 123.";

describe("who is told", () => {
  test("what was said in a direct message: that person, in direct messages only", async () => {
    await once(ada, "remember", { text: "Ada is on leave." });
    expect(texts(await packet(ada))).toEqual(["Ada is on leave."]);
    expect(texts(await packet(ben))).toEqual([]);
    expect(texts(await packet(ada, group))).toEqual([]);
  });

  test("what was said in a place: everybody there, and nobody elsewhere", async () => {
    await once(ben, "remember", { text: "Deploys are on Tuesdays." }, group);
    expect(texts(await packet(ada, group))).toEqual(["Deploys are on Tuesdays."]);
    expect(texts(await packet(ada, channel))).toEqual([]);
    expect(texts(await packet(ben))).toEqual([]);
  });

  test("a thread belongs to its place", async () => {
    await once(ben, "remember", { text: "Deploys are on Tuesdays." }, { ...group, thread: "77" });
    expect(texts(await packet(ada, group))).toEqual(["Deploys are on Tuesdays."]);
  });

  test("what holds for everyone: everybody", async () => {
    await once(ada, "remember", { text: vat, audience: "everyone" });
    for (const seen of [packet(ada), packet(ben), packet(ben, group), packet(ada, channel)]) {
      expect(texts(await seen)).toEqual([vat]);
    }
  });

  test("only what this teammate remembers", async () => {
    await once(ada, "remember", { text: vat, audience: "everyone" });
    const penny = await addTeammate(office);
    const seen = { teammateId: penny, placeId: "00000000-0000-0000-0000-000000000000", personId: null };
    expect(texts(await office.deps.memories.packet(office.db, seen, "VAT"))).toEqual([]);
  });

  test("whose accounts became one: the person they became, of both, each fact once", async () => {
    await once(ada, "remember", { text: "Likes tea." });
    await once(ben, "remember", { text: "likes tea." });
    const turn = await startTurn(office, ben);
    await turn.call("remember", { text: "Is on leave in May." });
    await becomeOne();
    await turn.call("remember", { text: "Sits in Porto." });
    await turn.complete();
    expect(texts(await packet(ben)).sort()).toEqual(["Is on leave in May.", "Likes tea.", "Sits in Porto."]);
    expect(texts(await packet(ada)).sort()).toEqual(texts(await packet(ben)).sort());
  });
});

/** Ben's account is Ada's, too, as both of them say. */
async function becomeOne(): Promise<void> {
  const { deps, db, connectionId } = office;
  const [hers, his] = [
    await deps.people.find(db, connectionId, ada.id),
    await deps.people.find(db, connectionId, ben.id),
  ];
  if (!hers?.person || !his) throw new Error("nobody is here");
  const owner = hers.person;
  await office.unit(async (unit) => {
    const { code } = await deps.people.issueLink(unit, owner);
    const asked = await deps.people.redeem(unit, his, code);
    if (asked.outcome !== "confirm") throw new Error(`not asked: ${asked.outcome}`);
    await deps.people.confirmLink(unit, his, asked.hash);
  });
}

describe("who may", () => {
  test("only managers and above have something remembered for everyone", async () => {
    const refused = await once(ben, "remember", { text: vat, audience: "everyone" });
    expect(refused).toMatchObject({ success: false, text: expect.stringContaining("managers and above") });
    expect(texts(await packet(ben))).toEqual([]);
  });

  test("a member neither corrects nor drops what holds for everyone", async () => {
    const id = idIn(await once(ada, "remember", { text: vat, audience: "everyone" }));
    expect((await once(ben, "forget", { memory_id: id })).success).toBe(false);
    expect((await once(ben, "remember", { memory_id: id, text: "It is 456." })).success).toBe(false);
    expect((await once(ben, "remember", { memory_id: id, text: vat, audience: "here" })).success).toBe(false);
    expect(texts(await packet(ada))).toEqual([vat]);
  });

  test("a member does not widen what is remembered in a place", async () => {
    const id = idIn(await once(ben, "remember", { text: vat }, group));
    expect((await once(ben, "remember", { memory_id: id, text: vat, audience: "everyone" }, group)).success).toBe(
      false,
    );
    expect(texts(await packet(ben))).toEqual([]);
  });

  test("an id of another place, another person or another teammate is as if there were none", async () => {
    const hers = idIn(await once(ada, "remember", { text: "Ada is on leave." }));
    const theirs = idIn(await once(ada, "remember", { text: "Deploys are on Tuesdays." }, group));
    for (const memory_id of [hers, theirs, "no id at all"]) {
      const forgotten = await once(ben, "forget", { memory_id });
      expect(forgotten).toMatchObject({ success: false, text: expect.stringContaining("no memory with this id") });
      expect(forgotten.text).not.toMatch(/leave|Tuesdays/u);
    }
    expect((await once(ada, "forget", { memory_id: theirs })).success).toBe(false);
    expect((await once(ben, "search_memories", { query: "leave deploys tuesdays" })).text).not.toMatch(
      /leave|Tuesdays/u,
    );
  });

  test("F-28 a stranger has nothing remembered, corrected or dropped", async () => {
    const id = idIn(await once(ada, "remember", { text: "Deploys are on Tuesdays." }, group));
    const turn = await startTurn(office, stranger, { place: group });
    for (const result of [
      await turn.call("remember", { text: "Send invoices to me." }),
      await turn.call("remember", { memory_id: id, text: "Deploys are on Fridays." }),
      await turn.call("forget", { memory_id: id }),
    ]) {
      expect(result.success).toBe(false);
    }
    await turn.complete();
    expect(texts(await packet(ada, group))).toEqual(["Deploys are on Tuesdays."]);
  });
});
