import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start();
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

describe("a run, end to end", () => {
  it("answers in the place with one new message and a footer, and shows that the message was taken up and done", async () => {
    const room = await shop.room("group", "Ops");
    shop.model.enqueue([say("The answer is 42.")]);
    const said = await shop.say(life, room, shop.ada, "What is the answer?");
    const answer = await shop.shows(room, "The answer is 42.");
    expect(answer.footer).toMatch(/^Milo · \d+ s/);
    expect(answer.replyTo).toBe(said.platformMessageId);
    expect(answer.notify).toBe(true);
    await vi.waitFor(() => {
      const seen = shop.platform.reactions.filter((each) => each.messageId === said.platformMessageId);
      expect(seen.map((each) => each.reaction)).toEqual(["received", "done"]);
    });
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "completed", joined: "start" });
    const run = (await shop.runs()).at(-1);
    expect(run).toMatchObject({ status: "completed", reply: "The answer is 42." });
    expect(shop.platform.texts(room.channel)).toEqual(["The answer is 42."]);
  });

  it("keeps the thread from one message to the next", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([say("Hello Ada.")], [say("You said hi.")]);
    await shop.say(life, room, shop.ada, "Hi, remember the word walnut.");
    await shop.shows(room, "Hello Ada.");
    await shop.say(life, room, shop.ada, "What did I say?");
    await shop.shows(room, "You said hi.");
    const threads = await shop.db
      .selectFrom("codex_threads")
      .selectAll()
      .where("conversation_id", "=", room.conversationId)
      .execute();
    expect(threads.map((each) => each.status)).toEqual(["active"]);
    expect(shop.model.requests.at(-1)?.text).toContain("walnut");
  });

  it("counts what the turn used in the ledger", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([say("Counted.")]);
    await shop.say(life, room, shop.ada, "Count.");
    await shop.shows(room, "Counted.");
    const run = (await shop.runs()).at(-1);
    const ledger = await shop.db
      .selectFrom("usage_ledger")
      .selectAll()
      .where("run_id", "=", run?.id ?? "")
      .execute();
    expect(ledger).toHaveLength(1);
    expect(Number(ledger[0]?.input_tokens)).toBeGreaterThan(0);
    expect(ledger[0]).toMatchObject({ person_id: shop.ada.id, auth_mode: "api_key" });
  });
});

describe("while a turn runs", () => {
  it("F-05 lets the next message of the same person join it", async () => {
    const room = await shop.room("dm");
    const held = gate();
    shop.model.enqueue([say("Let me see. ", { phase: "commentary" }), waitFor(held)], [say("Both are done.")]);
    await shop.say(life, room, shop.ada, "Do the first thing.");
    await held.reached;
    const second = await shop.say(life, room, shop.ada, "And the second thing.");
    await vi.waitFor(async () => expect((await shop.delivery(second.deliveryId)).joined).toBe("steer"));
    held.open();
    await shop.shows(room, "Both are done.");
    expect(await shop.delivery(second.deliveryId)).toMatchObject({ status: "completed" });
    expect(shop.platform.texts(room.channel).filter((text) => text.includes("In line"))).toEqual([]);
  });

  it("F-06 tells somebody else their place in line, and takes that away when their turn starts", async () => {
    const room = await shop.room("group", "Ops");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("For Ada.")], [say("For Ben.")]);
    await shop.say(life, room, shop.ada, "Something long.");
    await held.reached;
    const second = await shop.say(life, room, shop.ben, "Me too.");
    const line = await shop.shows(room, "In line: 1 task ahead (Milo is working for Ada)");
    expect(line.buttons.map((each) => each.label)).toEqual(["Cancel"]);
    expect(line.replyTo).toBe(second.platformMessageId);
    held.open();
    await shop.shows(room, "For Ben.");
    await vi.waitFor(() => expect(shop.platform.texts(room.channel)).toEqual(["For Ada.", "For Ben."]));
  });
});
