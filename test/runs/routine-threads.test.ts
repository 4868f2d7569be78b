import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import { createRoutineScene } from "./routine-scene.ts";
import { type Life, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;
let scene: ReturnType<typeof createRoutineScene>;

beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start();
  scene = createRoutineScene(shop, () => life);
});

afterEach(() => shop.model.reset());

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

describe("a routine's run", () => {
  it("F-54 has a thread of its own each time, and is told of earlier runs only as a record", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    shop.model.enqueue([say("Two incidents are open.")]);
    await scene.fallDue(routine);
    await shop.shows(room, "Two incidents are open.");
    await scene.stands(routine, "succeeded");
    shop.model.enqueue([say("One is left.")]);
    await scene.fallDue(routine);
    await shop.shows(room, "One is left.");
    const [first, second] = scene.asked(routine);
    expect(second?.threadId).not.toBe(first?.threadId);
    expect(first?.lastUserText).not.toContain("earlier_conversation");
    expect(second?.input.filter(({ role }) => role === "assistant")).toEqual([]);
    expect(second?.lastUserText).toMatch(
      /<earlier_conversation>[^]*\[\w+, [^\]]*\] Milo: Two incidents are open\.[^]*<\/earlier_conversation>/u,
    );
    expect(await shop.db.selectFrom("codex_threads").selectAll().execute()).toEqual([]);
  });
});
