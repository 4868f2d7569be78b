import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start();
});

afterEach(() => shop.model.reset());

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

async function ask(room: Room, question: string, answer: string): Promise<string> {
  shop.model.enqueue([say(answer)]);
  await shop.say(life, room, shop.ada, question);
  await shop.shows(room, answer);
  return shop.model.requests.at(-1)?.text ?? "";
}

const threads = (room: Room) =>
  shop.db
    .selectFrom("codex_threads")
    .select(["status", "codex_thread_id as id", "pending_handoff as handoff"])
    .where("conversation_id", "=", room.conversationId)
    .orderBy("created_at")
    .execute();

describe("the thread of a conversation", () => {
  it("is a new one when the teammate's instructions changed, and the new one is told what was said before", async () => {
    const room = await shop.room("dm");
    await ask(room, "The word is walnut.", "Understood.");
    await shop.db.updateTable("teammates").set({ instructions: "Answer in one word." }).execute();
    const request = await ask(room, "Which word?", "Walnut.");
    expect(request).toContain("The word is walnut.");
    expect(request).toContain("Understood.");
    const rows = await threads(room);
    expect(rows.map((each) => each.status)).toEqual(["retired", "active"]);
    expect(rows.at(-1)?.handoff).toBeNull();
  });

  it("is a new one after a reset, and knows nothing of what was before", async () => {
    const room = await shop.room("dm");
    await ask(room, "The word is walnut.", "Understood.");
    await shop.db
      .updateTable("conversations")
      .set({ reset_at: shop.clock.now() })
      .where("id", "=", room.conversationId)
      .execute();
    const request = await ask(room, "Which word?", "None that I know.");
    expect(request).not.toContain("walnut");
    expect((await threads(room)).map((each) => each.status)).toEqual(["retired", "active"]);
  });

  it("F-19 is a new one, with a handoff, when Codex lost the old one", async () => {
    const room = await shop.room("dm");
    await ask(room, "The word is walnut.", "Understood.");
    const second = await ask(room, "Are you sure?", "Yes, quite.");
    expect(second).toContain("walnut");
    await shop.server.stop();
    await rm(`${shop.home}/codex/sessions`, { recursive: true, force: true });
    await shop.server.start();
    await vi.waitFor(() => expect(life.connection.state.status).toBe("ready"), 20_000);
    const request = await ask(room, "Which word?", "Walnut it is.");
    expect(request).toContain("The word is walnut.");
    expect((await threads(room)).map((each) => each.status)).toEqual(["retired", "active"]);
  });
});

describe("a message that is changed", () => {
  it("F-10 while its turn runs is said again into the turn", async () => {
    const room = await shop.room("dm");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("Looking. ", { phase: "commentary" })], [say("Berlin it is.")]);
    const said = await shop.say(life, room, shop.ada, "Weather in Lisbon?");
    await held.reached;
    await vi.waitFor(async () => expect((await shop.delivery(said.deliveryId)).status).toBe("running"), 10_000);
    await edit(said.messageId, "Weather in Berlin?");
    await life.storage.queues.add("control", { kind: "edited", messageId: said.messageId });
    await shop.model.nextRequest((request) => request.text.includes("Weather in Berlin?"));
    held.open();
    await shop.shows(room, "Berlin it is.");
  });

  it("F-10 after its turn was over starts nothing, and the next turn knows", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([say("Sunny.")]);
    const said = await shop.say(life, room, shop.ada, "Weather in Lisbon?");
    await shop.shows(room, "Sunny.");
    await vi.waitFor(async () => expect((await shop.delivery(said.deliveryId)).status).toBe("completed"));
    const before = shop.model.requests.length;
    await edit(said.messageId, "Weather in Porto?");
    await life.storage.queues.add("control", { kind: "edited", messageId: said.messageId });
    const request = await ask(room, "And tomorrow?", "Rain.");
    expect(request).toContain("Weather in Porto?");
    expect(shop.model.requests).toHaveLength(before + 1);
    expect(await ask(room, "And then?", "Snow.")).not.toMatch(/Porto[\s\S]*Porto/);
  });
});

describe("a file", () => {
  it("F-08 that comes while a turn runs joins it together with its text", async () => {
    const room = await shop.room("dm");
    const held = gate();
    shop.platform.adapter.download = async () => Readable.from([Buffer.from("the list")]);
    shop.model.enqueue([waitFor(held), say("One moment. ", { phase: "commentary" })], [say("I read it.")]);
    await shop.say(life, room, shop.ada, "A list comes.");
    await held.reached;
    const second = await shop.say(life, room, shop.ada, "Here it is.", {
      files: [{ id: newId(), name: "list.txt" }],
    });
    await vi.waitFor(async () => expect((await shop.delivery(second.deliveryId)).joined).toBe("steer"), 10_000);
    held.open();
    await shop.shows(room, "I read it.");
    const request = shop.model.requests.at(-1)?.text ?? "";
    expect(request).toContain("Here it is.");
    expect(request).toMatch(/uploads\/\S*list\.txt/);
  });
});

async function edit(messageId: string, text: string): Promise<void> {
  await shop.db
    .updateTable("messages")
    .set({ text, edited_at: shop.clock.now() })
    .where("id", "=", messageId)
    .execute();
}
