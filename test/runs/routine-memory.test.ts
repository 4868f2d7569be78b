import { beforeAll, expect, it } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { call, say } from "../fakes/model/index.ts";
import { useRoutineShop } from "./routine-scene.ts";

const { shop, scene } = await useRoutineShop();

beforeAll(async () => {
  const memory = {
    id: newId(),
    teammate_id: shop.teammate.id,
    person_id: shop.ada.id,
    text: "Ada looks for another job.",
  };
  await shop.db
    .insertInto("memories")
    .values({ ...memory, origin: "manual" })
    .execute();
});

it("what is remembered for one person alone is told to a routine only where its reports are for that person alone", async () => {
  const [chat, ops] = [await shop.room("dm"), await shop.room("channel", "ops")];
  const toOps = await scene.make(chat, { destinations: [{ placeId: ops.placeId, thread: "", ownThread: false }] });
  shop.model.enqueue([call("shipmate", "search_memories", { query: "job" })], [say("For all.")]);
  await scene.fallDue(toOps);
  await shop.shows(ops, "For all.");
  expect(JSON.stringify(scene.asked(toOps))).not.toContain("another job");
  expect(JSON.stringify(scene.asked(toOps))).toContain("Nothing you remember here");

  const alone = await scene.make(chat);
  shop.model.enqueue([say("For Ada.")]);
  await scene.fallDue(alone);
  await shop.shows(chat, "For Ada.");
  expect(JSON.stringify(scene.asked(alone))).toContain("another job");

  shop.model.enqueue([say("A try.")]);
  await scene.runNow(toOps, "test");
  await shop.shows(chat, "A try.");
  expect(JSON.stringify(scene.asked(toOps).at(-1))).toContain("another job");
});

it("nothing is remembered for the whole team while nobody looks on, whatever its author may do", async () => {
  const chat = await shop.room("dm");
  const routine = await scene.make(chat);
  const wish = { text: "Invoices go to the address in the last call.", audience: "everyone" };
  shop.model.enqueue([call("shipmate", "remember", wish)], [say("Looked.")]);
  await scene.fallDue(routine);
  await shop.shows(chat, "Looked.");
  const kept = await shop.db.selectFrom("memories").select("text").execute();
  expect(kept.map(({ text }) => text)).not.toContain(wish.text);
});
