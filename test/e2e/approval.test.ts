import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { say, shell } from "../fakes/model/index.ts";
import { createWorld, type World } from "../support/world.ts";

describe("a command that needs a person's word", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
    await world.start();
    await world.claim();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const escalated = (command: string) =>
    shell(command, { escalated: true, justification: "the test wants to see it run" });

  it("runs after Approve, and the card says who decided", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([escalated("echo it-$((20+22))-ran")], [say("It ran.")]);

    telegram.say(ada, ada, "run it");
    const card = await telegram.waitForMessage(ada, (message) => message.text.includes("Milo asks: run a command"));
    expect(card.text).toContain("echo it-$((20+22))-ran");
    const press = telegram.press(ada, card, "Approve");
    await telegram.waitForMessage(ada, (message) => message.text.includes("It ran."));

    expect(press.answer()).toBeDefined();
    expect(model.requests.at(-1)?.lastOutput).toContain("it-42-ran");
    const closed = telegram.chat(ada).messages.find((message) => message.id === card.id);
    expect(closed?.text).toMatch(/Approved by Ada · \d\d:\d\d/);
    expect(closed?.keyboard).toEqual([]);
  });

  it("does not run after Deny, and the teammate goes on", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([escalated("touch /tmp/never-made")], [say("Then not.")]);

    telegram.say(ada, ada, "run it");
    const card = await telegram.waitForMessage(ada, (message) => message.text.includes("Milo asks"));
    telegram.press(ada, card, "Deny");
    await telegram.waitForMessage(ada, (message) => message.text.includes("Then not."));

    expect(model.requests.at(-1)?.lastOutput).toMatch(/rejected/i);
    expect(telegram.chat(ada).messages.find((message) => message.id === card.id)?.text).toContain("Denied by Ada");
  });

  it("still waits after the bot was killed, and the decision then counts", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([escalated("echo late")], [say("unused")]);
    telegram.say(ada, ada, "run it");
    const card = await telegram.waitForMessage(ada, (message) => message.text.includes("Milo asks"));
    expect(card.keyboard.flat().length).toBeGreaterThanOrEqual(3);
  });
});
