import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { say, shell } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "../runs/workshop.ts";

let shop: Workshop;
let life: Life;
beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start();
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

async function ask(room: Room, question: string, answer: string): Promise<void> {
  await shop.say(life, room, shop.ada, question);
  await shop.shows(room, answer);
  await vi.waitFor(async () => {
    if ((await shop.runs()).some((run) => run.status !== "completed")) throw new Error("it runs");
  });
}

const ledger = async () =>
  (await shop.db.selectFrom("usage_ledger").selectAll().orderBy("created_at").execute()).map((row) => ({
    input: Number(row.input_tokens),
    payer: row.auth_mode,
    origin: row.origin,
  }));

it("counts each turn's own model calls once, also in a copy of a thread that had used something", async () => {
  const room = await shop.room("dm");
  // The scripted model counts a thousand and some for what it reads, each time it is called.
  shop.model.enqueue([shell("true")], [shell("true")], [say("Done.")]);
  await ask(room, "Try it twice.", "Done.");
  shop.model.enqueue([say("Still done.")]);
  await ask(room, "And?", "Still done.");
  await shop.db.updateTable("codex_threads").set({ mcp_fingerprint: "another" }).execute();
  shop.model.enqueue([say("In the copy.")]);
  await ask(room, "Here?", "In the copy.");
  const threads = await shop.db.selectFrom("codex_threads").select("forked_from").orderBy("created_at").execute();
  expect(threads.map(({ forked_from }) => forked_from !== null)).toEqual([false, true]);
  const entries = await ledger();
  expect(entries.map(({ input }) => Math.floor(input / 1_000))).toEqual([3, 1, 1]);
  expect(new Set(entries.map(({ origin }) => origin))).toEqual(new Set(["user"]));
});
