import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, gate, say, waitFor } from "../fakes/model/index.ts";
import type { Person, SeenMessage } from "../fakes/telegram/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
let ops: number;
beforeAll(async () => {
  world = await createClaimedWorld();
  ops = await world.openGroup({ title: "Ops" });
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const heard = (where: Person | number, text: string | RegExp) =>
  world.telegram.waitForMessage(where, ({ text: said }) =>
    typeof text === "string" ? said.includes(text) : text.test(said),
  );
const rows = (message: SeenMessage) => message.keyboard.map((row) => row.map((button) => button.text));

describe("a routine in Telegram", () => {
  it("is made from a sentence, altered, run, looked up in its log, paused and deleted", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const press = (message: SeenMessage, label: string) => telegram.press(ada, message, label);

    telegram.say(ada, ada, "/routine new every weekday at 8:30 post the open incidents to Ops");
    const card = await heard(ada, "Open incidents → Ops · weekdays 08:30 (UTC)");
    expect(rows(card)).toEqual([["Create", "Change", "Cancel"]]);

    press(card, "Change");
    const parts = await telegram.waitForMessage(ada, (each) => rows(each).flat().includes("Zone"));
    press(parts, "Zone");
    const asked = await heard(ada, "Which time zone?");
    telegram.say(ada, ada, "Lisbon", { replyTo: asked.id });
    const zoned = await heard(ada, "weekdays 08:30 (Lisbon)");
    expect(zoned.id).toBe(card.id);
    press(zoned, "Back");
    press(await telegram.waitForMessage(ada, (each) => rows(each).flat().includes("Create")), "Create");
    await heard(ada, /✓ Created: Open incidents · next: .+ 08:30/u);

    telegram.say(ada, ada, "/routines");
    const list = await heard(ada, "1. Open incidents · weekdays 08:30");
    press(list, "1");
    const one = await telegram.waitForMessage(ada, (each) => rows(each).flat().includes("Run now"));
    const opened = gate();
    model.enqueue([waitFor(opened), say("Two incidents are open.")]);
    press(one, "Run now");
    await opened.reached;
    opened.open();
    const report = await heard(ops, "Two incidents are open.");
    expect(report.text).toContain("Open incidents");
    expect(model.requests[0]?.lastUserText).toContain("Post the open incidents");
    await world.allPosted();

    telegram.say(ada, ada, "/routine log Open incidents");
    const log = await heard(ada, "✓ today");
    expect(log.text).toContain("run by hand · → Ops");
    press(log, "Back");
    press(
      await telegram.waitForMessage(ada, (each) => each.id === log.id && rows(each).flat().includes("Pause")),
      "Pause",
    );
    const paused = await telegram.waitForMessage(ada, (each) => each.id === log.id && each.text.includes("⏸ paused"));
    press(paused, "Delete…");
    press(await heard(ada, "Delete Open incidents?"), "Delete");
    await heard(ada, "Deleted: Open incidents.");
    telegram.say(ada, ada, "/routines");
    await heard(ada, "No routines here yet.");
  });

  it("is proposed by a teammate on a card, and made by whoever asked", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const wish = { name: "Backups", instruction: "Check the backups.", schedule: "every day at 7:00" };
    model.enqueue([call("shipmate", "create_routine", wish, "call-backups")], [say("Press Create, and it begins.")]);
    telegram.say(ada, ada, "look at the backups every morning at 7, please");
    await heard(ada, "Press Create, and it begins.");
    const card = await heard(ada, "Backups → here · every day 07:00");
    telegram.press(ada, card, "Create");
    expect((await heard(ada, "✓ Created: Backups")).id).toBe(card.id);
  });
});
