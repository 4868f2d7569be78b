import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, gate, say, waitFor } from "../fakes/model/index.ts";
import type { Person, SeenMessage } from "../fakes/telegram/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
let ben: Person;
let group: number;
beforeAll(async () => {
  world = await createClaimedWorld();
  ben = await world.hire("Ben");
  group = await world.openGroup({ title: "Kitchen" });
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const heard = (where: Person | number, text: string) =>
  world.telegram.waitForMessage(where, (message) => message.text.includes(text));
const rows = (message: SeenMessage) => message.keyboard.map((row) => row.map((button) => button.text));

describe("a colleague in Telegram", () => {
  it("is drafted at once, better a moment later, joins, and answers the first task that is pressed", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    const better = {
      name: "Nobody",
      title: "Bookkeeper",
      job: "Checks invoices against their orders.",
      first_tasks: ["Check an invoice for mistakes", "Make a simple budget table", "List what you need to start"],
    };
    model.enqueue([waitFor(opened), say(JSON.stringify(better))]);
    telegram.say(ada, ada, "/team add Penny, a bookkeeper who checks invoices");
    const draft = await heard(ada, "Job: Penny, a bookkeeper who checks invoices");
    await opened.reached;
    expect(JSON.stringify(model.requests[0]?.body)).not.toContain("create_agent");
    opened.open();
    expect((await heard(ada, "Job: Checks invoices against their orders.")).id).toBe(draft.id);
    model.reset();
    telegram.press(ada, draft, "Create");
    const welcome = await heard(ada, "Penny joined: Bookkeeper.");
    expect(welcome.id).toBe(draft.id);
    expect(rows(welcome)).toEqual([
      ["Check an invoice for mistakes"],
      ["Make a simple budget table"],
      ["List what you need to start"],
    ]);

    model.enqueue([say("Send me the invoice.")]);
    telegram.press(ada, welcome, "Check an invoice for mistakes");
    const answer = await heard(ada, "Send me the invoice.");
    expect(answer.text).toMatch(/Penny · .+/);
    expect(model.requests[0]?.lastUserText).toContain("Check an invoice for mistakes");
  });

  it("answers without a sound where somebody chose so", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    telegram.say(ada, ada, "/agent Penny");
    const card = await heard(ada, "While busy:");
    expect(rows(card)).toEqual([["Edit", "Settings", "Model", "More"]]);
    telegram.press(ada, card, "Settings");
    await telegram.waitForMessage(ada, (each) => rows(each).flat().includes("Answer quietly"));
    telegram.press(ada, card, "Answer quietly");
    await heard(ada, "Answers: come quietly");
    model.enqueue([say("Quietly.")]);
    telegram.say(ada, ada, "Penny, are you there?");
    expect((await heard(ada, "Quietly.")).silent).toBe(true);
  });

  it("is added by another one, for whom may ask for that, and says so in the conversation", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const rosa = { name: "Rosa", title: "Researcher", job: "Compares what there is." };
    model.enqueue([call("shipmate", "create_agent", rosa, "call-rosa")], [say("Rosa is here.")]);
    telegram.say(ada, ada, "add a researcher, please");
    await heard(ada, "Rosa is here.");
    const welcome = await heard(ada, "Rosa joined: Researcher.");
    expect(rows(welcome).flat()).toContain("Compare three tools for a job");
    model.enqueue([say("Which tools?")]);
    telegram.press(ada, welcome, "Compare three tools for a job");
    expect((await heard(ada, "Which tools?")).text).toMatch(/Rosa · /);

    model.enqueue([call("shipmate", "create_agent", { ...rosa, name: "Rosa 2" })], [say("I may not.")]);
    telegram.say(ben, ben, "add one more");
    await heard(ben, "I may not.");
    expect(telegram.chat(ben).fromBot.filter((each) => each.text.includes("joined"))).toEqual([]);
  });

  it("finishes what it works on when it is sent away, refuses kindly, and answers what waited once it is back", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([waitFor(opened), say("Ada's sums.")]);
    telegram.say(ada, group, "@shipmate_bot Penny, add this up");
    await opened.reached;
    telegram.say(ben, group, "@shipmate_bot Penny, and mine");
    const line = await heard(group, "In line: 1 task ahead");

    telegram.say(ada, group, "/agent@shipmate_bot hide Penny");
    await heard(group, "Everything is kept.");
    const waits = await heard(group, "Penny is away. This waits until Penny is back.");
    expect(waits.id).toBe(line.id);
    opened.open();
    await heard(group, "Ada's sums.");

    telegram.say(ben, group, "@shipmate_bot Penny, are you there?");
    await heard(group, "Penny is away. Milo can help.");
    await world.allPosted();
    expect(model.requests).toHaveLength(1);

    model.enqueue([say("Ben's sums.")]);
    telegram.say(ada, group, "/agent@shipmate_bot show Penny");
    await heard(group, "Ben's sums.");
    expect(model.requests[1]?.lastUserText).toContain("and mine");
    expect(model.requests).toHaveLength(2);
  });
});
