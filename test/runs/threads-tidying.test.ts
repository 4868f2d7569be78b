import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId, silentLog } from "../../src/shared/index.ts";
import { inTransaction } from "../../src/storage/index.ts";
import { failures, gate, say, waitFor } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;
let room: Room;

beforeEach(async () => {
  shop = await openWorkshop();
  life = await shop.start();
  room = await shop.room("dm");
});

afterEach(async () => {
  await shop[Symbol.asyncDispose]();
});

async function ask(question: string, answer: string) {
  shop.model.enqueue([say(answer)]);
  const said = await shop.say(life, room, shop.ada, question);
  await shop.shows(room, answer);
  await vi.waitFor(async () => expect((await shop.delivery(said.deliveryId)).status).toBe("completed"));
  return shop.model.requests.at(-1);
}

/** What /compact leaves in the mailbox. */
async function tidy(): Promise<string> {
  const messageId = newId();
  return inTransaction(life.storage.db, silentLog, async (unit) => {
    const message = { author: "system", author_name: "Shipmate", text: "/compact", sent_at: shop.clock.now() } as const;
    await unit.db
      .insertInto("messages")
      .values({ ...message, id: messageId, conversation_id: room.conversationId, place_id: room.placeId })
      .execute();
    const { deliveryId } = await life.mailbox.deliver(unit, {
      messageId,
      teammateId: shop.teammate.id,
      conversationId: room.conversationId,
      requesterPersonId: shop.ada.id,
      trigger: "compact",
      idempotencyKey: `compact:${messageId}`,
    });
    return deliveryId;
  });
}

const settled = (deliveryId: string, status: string) =>
  vi.waitFor(async () => expect((await shop.delivery(deliveryId)).status).toBe(status), 20_000);

describe("tidying up a conversation", () => {
  it("puts what was said into a summary, in the same thread, and says so", async () => {
    const before = await ask("The word is walnut.", "Understood.");
    shop.model.enqueue([say("They agreed on a word.")]);
    const id = await tidy();
    await shop.shows(room, "Tidied up. Milo remembers the gist.");
    await settled(id, "completed");
    const after = await ask("Which word?", "Walnut.");
    expect(after?.threadId).toBe(before?.threadId);
    expect(after?.text).toContain("They agreed on a word.");
    expect(after?.text).not.toContain("/compact");
    const texts = shop.platform.texts(room.channel);
    expect(texts.filter((text) => text.includes("Tidied up."))).toHaveLength(1);
    expect(texts.some((text) => text.includes("nothing to add"))).toBe(false);
  });

  it("takes no message in while it runs: what is said meanwhile waits, and has its own turn after it", async () => {
    await ask("The word is walnut.", "Understood.");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("They agreed on a word.")], [say("Walnut.")]);
    const id = await tidy();
    await held.reached;
    const said = await shop.say(life, room, shop.ada, "Which word?");
    await vi.waitFor(async () => {
      const post = await shop.db
        .selectFrom("deliveries")
        .select("queue_post_id")
        .where("id", "=", said.deliveryId)
        .execute();
      if (post[0]?.queue_post_id == null) throw new Error("not in line");
    }, 10_000);
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "queued", joined: null });
    held.open();
    await shop.shows(room, "Walnut.");
    await settled(id, "completed");
    expect((await shop.delivery(said.deliveryId)).joined).toBe("start");
    expect(shop.model.requests).toHaveLength(3);
  });

  it("is no companion of the messages before and behind it", async () => {
    await ask("The word is walnut.", "Understood.");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("One.")], [say("A summary.")], [say("Three.")]);
    await shop.say(life, room, shop.ben, "First.");
    await held.reached;
    const id = await tidy();
    const last = await shop.say(life, room, shop.ada, "Last.");
    held.open();
    await shop.shows(room, "Three.");
    await settled(id, "completed");
    expect((await shop.delivery(last.deliveryId)).runId).not.toBe((await shop.delivery(id)).runId);
    expect(shop.model.requests.at(-1)?.lastUserText).not.toContain("/compact");
  });

  it("can be stopped", async () => {
    await ask("The word is walnut.", "Understood.");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("A summary.")]);
    const id = await tidy();
    await held.reached;
    await vi.waitFor(async () => expect((await shop.delivery(id)).status).toBe("running"), 10_000);
    const { runId } = await shop.delivery(id);
    await shop.unit((unit) => life.worker.stopRun(unit, runId ?? "", shop.ada));
    await shop.shows(room, "Stopped by Ada.");
    await settled(id, "interrupted");
    held.open();
    expect((await ask("Which word?", "Walnut."))?.text).toContain("The word is walnut.");
  });

  it("has nothing to do in a conversation that just began, and says so", async () => {
    const id = await tidy();
    await shop.shows(room, "There is nothing to tidy up here yet.");
    await settled(id, "completed");
    expect(shop.model.requests).toHaveLength(0);
  });

  it("that fails says why, and another try tidies up again", async () => {
    await ask("The word is walnut.", "Understood.");
    shop.model.enqueue([failures.modelNotFound()]);
    const id = await tidy();
    await settled(id, "failed");
    const { runId } = await shop.delivery(id);
    shop.model.enqueue([say("A summary.")]);
    await shop.unit((unit) => life.mailbox.retry(unit, runId ?? "", shop.ada));
    await shop.shows(room, "Tidied up. Milo remembers the gist.");
  });

  it("does not hold up its lane after a restart in the middle of it", async () => {
    await ask("The word is walnut.", "Understood.");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("A summary.")]);
    const id = await tidy();
    await held.reached;
    await life.kill();
    life = await shop.start();
    held.open();
    await shop.shows(room, "Tidied up. Milo remembers the gist.");
    await settled(id, "completed");
    await ask("Which word?", "Walnut.");
  });

  it("ends with the Codex that died in the middle of it, and the lane goes on", async () => {
    await ask("The word is walnut.", "Understood.");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("A summary.")]);
    const id = await tidy();
    await held.reached;
    await vi.waitFor(async () => expect((await shop.delivery(id)).status).toBe("running"), 10_000);
    if (shop.server.state.status === "ready") process.kill(shop.server.state.pid, "SIGKILL");
    await vi.waitFor(
      async () => expect(["failed", "interrupted", "completed"]).toContain((await shop.delivery(id)).status),
      20_000,
    );
    held.open();
    expect((await ask("Which word?", "Walnut."))?.text).toContain("The word is walnut.");
  });
});
