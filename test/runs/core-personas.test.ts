import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { gate, say, status, waitFor } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;
const milo = { name: "Milo", picture: "🦊" };

beforeAll(async () => {
  shop = await openWorkshop({}, { persona: "native" });
  await shop.db.updateTable("teammates").set({ picture: milo.picture }).execute();
  life = await shop.start();
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});
afterEach(() => {
  shop.model.reset();
  vi.restoreAllMocks();
});

describe("where the platform shows who speaks", () => {
  it("a teammate's answers, progress and place in line come under its own name and picture", async () => {
    const room = await shop.room("group", "Ops");
    const held = gate();
    const post = vi.spyOn(shop.platform.adapter, "post");
    shop.model.enqueue([waitFor(held), say("For Ada.")], [say("For Ben.")]);
    await shop.say(life, room, shop.ada, "Something long.");
    await held.reached;
    await shop.say(life, room, shop.ben, "Me too.");
    await shop.shows(room, "In line: 1 task ahead");
    await shop.shows(room, "Milo · working");
    held.open();
    await shop.shows(room, "For Ben.");
    const seen = new Map(post.mock.calls.map(([, each]) => [each.text.split("\n")[0]?.slice(0, 8), each.persona]));
    for (const start of ["For Ada.", "For Ben.", "In line:", "Milo · w"])
      expect(seen.get(start), start).toMatchObject(milo);
  });

  it("so do its failures", async () => {
    const room = await shop.room("group", "Ops");
    shop.model.use(() => [status(400, { message: "Something odd." })]);
    await shop.say(life, room, shop.ben, "Hello?");
    expect((await shop.shows(room, /^Milo couldn't finish/u)).persona).toMatchObject(milo);
  });
});

describe("a teammate with a bot of its own", () => {
  it("answers through that bot where it was asked there, and knows of nobody else who could be asked there", async () => {
    await shop.team("Penny");
    const [here, there] = [await shop.room("group", "Ops"), await shop.room("group", "Theirs")];
    await shop.giveToOther(there);
    shop.model.use(({ lastUserText }) => [
      say(lastUserText?.includes("first bot") ? "Through ours." : "Through mine."),
    ]);
    await shop.say(life, here, shop.ada, "By the first bot?");
    await shop.shows(here, "Through ours.");
    expect(shop.model.requests.at(-1)?.lastUserText).toContain('"Penny"');
    await shop.say(life, there, shop.ada, "By your own?");
    await vi.waitFor(() => expect(shop.other.texts(there.channel)).toEqual(["Through mine."]), 10_000);
    expect(shop.model.requests.at(-1)?.lastUserText).not.toContain('"Penny"');
    expect(shop.other.seen(there.channel)[0]?.persona).toBeUndefined();
    expect([shop.platform.texts(there.channel), shop.other.texts(here.channel)]).toEqual([[], []]);
    const reactions = shop.other.reactions.filter((each) => each.channel === there.channel);
    await vi.waitFor(() => expect(reactions.length).toBeGreaterThan(0));
  });
});
