import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { failures, say } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;
/** So many packets are out of date as soon as they were made. */
let changesToCome = 0;

beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start({
    memories: (real) => ({
      ...real,
      async packet(...given) {
        const found = await real.packet(...given);
        if (changesToCome > 0) await correctMemory();
        changesToCome -= 1;
        return found;
      },
    }),
  });
});

afterEach(() => shop.model.reset());

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

async function ask(room: Room, question: string, answer: string) {
  shop.model.enqueue([say(answer)]);
  await shop.say(life, room, shop.ada, question);
  await shop.shows(room, answer);
  await vi.waitFor(async () => {
    if ((await shop.runs()).some((run) => run.status !== "completed" && run.status !== "failed"))
      throw new Error("runs");
  });
  const request = shop.model.requests.at(-1);
  if (request === undefined) throw new Error("the model was not asked");
  return request;
}

const threads = (room: Room) =>
  shop.db
    .selectFrom("codex_threads")
    .select(["status", "codex_thread_id as id", "forked_from as forkedFrom", "pending_handoff as handoff"])
    .where("conversation_id", "=", room.conversationId)
    .orderBy("created_at")
    .execute();

/** As it would be had the thread been made under other circumstances. */
const madeWith = (room: Room, what: Readonly<Record<string, string>>) =>
  shop.db.updateTable("codex_threads").set(what).where("conversation_id", "=", room.conversationId).execute();

const count = (text: string, part: string) => text.split(part).length - 1;

const correctMemory = () =>
  shop.db
    .updateTable("teammates")
    .set((e) => ({ memory_generation: e("memory_generation", "+", 1), memory_changed_at: shop.clock.now() }))
    .where("id", "=", shop.teammate.id)
    .execute();

describe("a thread whose circumstances changed", () => {
  it("gives way to a fresh one when the tools changed: it is told what was said once, and never again", async () => {
    const room = await shop.room("dm");
    const before = await ask(room, "The word is walnut.", "Understood.");
    await madeWith(room, { tools_fingerprint: "old" });
    const after = await ask(room, "Which word?", "Walnut.");
    expect(after.threadId).not.toBe(before.threadId);
    expect(count(after.text, "The word is walnut.")).toBe(1);
    expect(after.lastUserText).toMatch(
      /<earlier_conversation>\nAda: The word is walnut\.\n\nMilo: Understood\.\n<\/earlier/,
    );
    expect(after.lastUserText.trimEnd()).toMatch(/---\n\nWhich word\?$/);
    const next = await ask(room, "Sure?", "Sure.");
    expect(next.threadId).toBe(after.threadId);
    expect(next.lastUserText).not.toContain("earlier_conversation");
    expect(count(next.text, "The word is walnut.")).toBe(1);
    expect((await threads(room)).map(({ status, handoff }) => [status, handoff])).toEqual([
      ["retired", null],
      ["active", null],
    ]);
  });

  it("is not told again what a turn took, also when that turn failed", async () => {
    const room = await shop.room("dm");
    await ask(room, "The word is walnut.", "Understood.");
    await madeWith(room, { tools_fingerprint: "old" });
    shop.model.enqueue([failures.modelNotFound()]);
    await shop.say(life, room, shop.ada, "Which word?");
    await shop.shows(room, "does not know the chosen model");
    const after = await ask(room, "Once more: which word?", "Walnut.");
    expect(after.lastUserText).not.toContain("earlier_conversation");
    expect(count(after.text, "The word is walnut.")).toBe(1);
  });

  it("gives way to a fresh one when something was forgotten, and what was said before stays away for good", async () => {
    const room = await shop.room("dm");
    const before = await ask(room, "My birthday is the 4th of May.", "Noted: 4th of May.");
    await correctMemory();
    const after = await ask(room, "What do you know?", "Nothing of that.");
    expect(after.threadId).not.toBe(before.threadId);
    expect(after.text).not.toContain("of May");
    await madeWith(room, { tools_fingerprint: "old" });
    const later = await ask(room, "And now?", "Still nothing.");
    expect(later.text).not.toContain("of May");
    expect(later.text).toContain("What do you know?");
  });

  it("is copied with all it holds, its tools included, when the MCP servers changed", async () => {
    const room = await shop.room("dm");
    const before = await ask(room, "The word is walnut.", "Understood.");
    await madeWith(room, { mcp_fingerprint: "old" });
    const after = await ask(room, "Which word?", "Walnut.");
    expect(after.threadId).not.toBe(before.threadId);
    expect(after.text).not.toContain("earlier_conversation");
    expect(after.input.filter(({ text }) => text.includes("The word is walnut.")).map(({ role }) => role)).toEqual([
      "user",
    ]);
    expect(after.toolNames.filter((name) => name.startsWith("shipmate."))).not.toEqual([]);
    expect(after.model).toBe(before.model);
    expect(await threads(room)).toMatchObject([
      { status: "retired", forkedFrom: null },
      { status: "active", forkedFrom: before.threadId },
    ]);
    expect((await ask(room, "Sure?", "Sure.")).threadId).toBe(after.threadId);
  });

  it("is not copied but told anew when two things changed and one of them cannot be changed in a copy", async () => {
    const room = await shop.room("dm");
    await ask(room, "The word is walnut.", "Understood.");
    await madeWith(room, { mcp_fingerprint: "old", tools_fingerprint: "old" });
    const after = await ask(room, "Which word?", "Walnut.");
    expect(after.lastUserText).toContain("earlier_conversation");
    expect((await threads(room)).at(-1)?.forkedFrom).toBeNull();
  });

  it("says once, and quietly, who pays from now on when that changed in the middle of a conversation", async () => {
    const room = await shop.room("dm");
    await ask(room, "The word is walnut.", "Understood.");
    await madeWith(room, { provider: "old" });
    await shop.db
      .updateTable("runs")
      .set({ auth_mode: "plan" })
      .where("conversation_id", "=", room.conversationId)
      .execute();
    await ask(room, "Which word?", "Walnut.");
    await ask(room, "Sure?", "Sure.");
    const lines = () => shop.platform.seen(room.channel).filter(({ text }) => text === "Continuing on the API key.");
    expect(lines()).toHaveLength(1);
    expect(lines()[0]?.notify).toBe(false);
    expect((await threads(room)).at(-1)?.forkedFrom).not.toBeNull();
  });

  it("is made anew where a copy cannot be made, because Codex has no history of it", async () => {
    const room = await shop.room("dm");
    await ask(room, "The word is walnut.", "Understood.");
    await madeWith(room, { mcp_fingerprint: "old", codex_thread_id: "01990000-0000-7000-8000-000000000000" });
    const after = await ask(room, "Which word?", "Walnut.");
    expect(count(after.text, "The word is walnut.")).toBe(1);
    expect(after.lastUserText).toContain("earlier_conversation");
  });
});

describe("a handoff that no turn has taken yet", () => {
  it("survives a restart, and is told as things are by then", async () => {
    const room = await shop.room("dm");
    const told = await shop.say(life, room, shop.ada, "The word is walnut.");
    shop.model.enqueue([say("Understood.")]);
    await shop.shows(room, "Understood.");
    await vi.waitFor(async () => expect((await shop.delivery(told.deliveryId)).status).toBe("completed"));
    const fresh = await life.storage.db
      .selectFrom("codex_threads")
      .selectAll()
      .where("conversation_id", "=", room.conversationId)
      .executeTakeFirstOrThrow();
    // As a crash leaves it between the new thread and its first turn.
    await madeWith(room, { status: "provisional", pending_handoff: "Ada: The word is walnut." });
    await shop.db
      .updateTable("messages")
      .set({ text: "The word is almond." })
      .where("id", "=", told.messageId)
      .execute();
    const request = await ask(room, "Which word?", "Almond.");
    expect(request.threadId).toBe(fresh.codex_thread_id);
    expect(request.lastUserText).toContain("Ada: The word is almond.");
    expect(request.lastUserText).not.toContain("Ada: The word is walnut.");
    expect((await threads(room)).at(-1)).toMatchObject({ status: "active", handoff: null });
    expect((await ask(room, "Sure?", "Sure.")).lastUserText).not.toContain("earlier_conversation");
  });
});

describe("memory that changes while a turn is about to start", () => {
  it("has the prompt made anew once, and after that says so and offers another try", async () => {
    const room = await shop.room("dm");
    await ask(room, "Hello.", "Hello yourself.");
    changesToCome = 1;
    await ask(room, "Once?", "Once is no trouble.");
    changesToCome = 2;
    const said = await shop.say(life, room, shop.ada, "Twice?");
    await shop.shows(room, "My memory changed while this was starting.");
    expect((await shop.delivery(said.deliveryId)).status).toBe("failed");
    expect(shop.model.requests.some(({ text }) => text.includes("Twice?"))).toBe(false);
  });
});

describe("an idle thread", () => {
  it("is put away, and goes on where it was", async () => {
    const room = await shop.room("dm");
    const { threadId } = await ask(room, "The word is walnut.", "Understood.");
    expect(life.connection.loadedThreads.has(threadId)).toBe(true);
    await vi.waitFor(
      () => {
        shop.clock.pass(31 * 60_000);
        if (life.connection.loadedThreads.has(threadId)) throw new Error("it is still loaded");
      },
      { timeout: 10_000, interval: 200 },
    );
    const again = await ask(room, "Which word?", "Walnut.");
    expect(again.threadId).toBe(threadId);
    expect(again.text).toContain("The word is walnut.");
  });
});
