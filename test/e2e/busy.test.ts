import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { gate, say, shell, waitFor } from "../fakes/model/index.ts";
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

const now = (message: SeenMessage): SeenMessage | undefined =>
  world.telegram.chat(message.chat).messages.find((each) => each.id === message.id);
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("a second message of the same person, while the teammate works", () => {
  it("joins the running turn: 👀 on it, and one answer to both", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([waitFor(opened), shell("true")], [say("Soup with extra salt.")]);

    const first = telegram.say(ada, ada, "make a soup");
    await opened.reached;
    const second = telegram.say(ada, ada, "with extra salt please");
    await telegram.waitFor(() => now(second)?.reactions.includes("👀"));
    opened.open();
    await telegram.waitForMessage(ada, (message) => message.text.includes("Soup with extra salt."));

    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.text).toContain("with extra salt please");
    expect(model.requests[1]?.turnId).toBe(model.requests[0]?.turnId);
    await telegram.waitFor(() => [first, second].every((each) => now(each)?.reactions[0] === "👌"));
    expect(telegram.chat(ada).fromBot.filter((each) => each.text.includes("Soup"))).toHaveLength(1);
  });

  it("brings its photo along", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([waitFor(opened), shell("true")], [say("A red soup.")]);

    telegram.say(ada, ada, "what colour should it have?");
    await opened.reached;
    const photo = telegram.sendPhoto(ada, ada, { bytes: png, caption: "like this one" });
    await telegram.waitFor(() => now(photo)?.reactions.includes("👀"));
    opened.open();
    await telegram.waitForMessage(ada, (message) => message.text.includes("A red soup."));

    expect(model.requests[1]?.text).toContain("like this one");
    expect(JSON.stringify(model.requests[1]?.body)).toContain('"type":"input_image"');
  });
});

describe("somebody else's message in a group, while the teammate works", () => {
  it("waits in line, is told so, and is answered in its turn as a reply", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([waitFor(opened), say("Ada's tea.")], [say("Ben's coffee.")]);

    const first = telegram.say(ada, group, "@shipmate_bot tea");
    await opened.reached;
    const second = telegram.say(ben, group, "@shipmate_bot coffee");
    const line = await telegram.waitForMessage(group, (message) => message.text.startsWith("In line"));
    expect(line.text).toBe("In line: 1 task ahead (Milo is working for Ada)");
    expect(line.replyTo).toBe(second.id);
    expect(line.silent).toBe(true);
    expect(line.keyboard[0]?.map((button) => button.text)).toEqual(["Cancel"]);
    opened.open();

    const tea = await telegram.waitForMessage(group, (message) => message.text.includes("Ada's tea."));
    const coffee = await telegram.waitForMessage(group, (message) => message.text.includes("Ben's coffee."));
    expect([tea.replyTo, coffee.replyTo]).toEqual([first.id, second.id]);
    expect(tea.id).toBeLessThan(coffee.id);
    await telegram.waitFor(() => now(line) === undefined);
  });

  it("is taken out of the line by its Cancel, by the one who wrote it", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([waitFor(opened), say("Only the bread.")]);

    telegram.say(ada, group, "@shipmate_bot bread");
    await opened.reached;
    telegram.say(ben, group, "@shipmate_bot cheese");
    const line = await telegram.waitForMessage(group, (message) => message.text.startsWith("In line"));
    const press = telegram.press(ben, line, "Cancel");
    await telegram.waitFor(() => now(line) === undefined);
    expect(press.answer()?.text).toBe("1 waiting message cancelled.");
    opened.open();
    await telegram.waitForMessage(group, (message) => message.text.includes("Only the bread."));

    telegram.say(ben, group, "/status@shipmate_bot");
    await telegram.waitForMessage(group, (message) => message.text.includes("Nothing runs, nothing waits."));
    expect(model.requests.every((request) => !request.text.includes("cheese"))).toBe(true);
  });

  it("becomes one turn together with what the same person wrote after it", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([waitFor(opened), say("Ada's plum.")], [say("Ben's apple, pear and fig.")]);

    telegram.say(ada, group, "@shipmate_bot plum");
    await opened.reached;
    for (const fruit of ["apple", "pear", "fig"]) telegram.say(ben, group, `@shipmate_bot ${fruit}`);
    await telegram.waitFor(
      () => telegram.chat(group).fromBot.filter((message) => message.text.startsWith("In line")).length === 3,
    );
    opened.open();
    await telegram.waitForMessage(group, (message) => message.text.includes("Ben's apple, pear and fig."));

    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.lastUserText).toMatch(/apple[\s\S]*pear[\s\S]*fig/);
    await telegram.waitFor(() => !telegram.chat(group).fromBot.some((message) => message.text.startsWith("In line")));
  });
});
