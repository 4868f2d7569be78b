import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { say } from "../fakes/model/index.ts";
import { createWorld, type World } from "../support/world.ts";

describe("a newcomer's first message in Telegram", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it("claims the bot with the owner code and gets a streamed answer", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    await world.start();
    await world.claim();
    model.enqueue([say("Hello **Ada**, what shall we do?", { paceMs: 30 })]);

    const hello = telegram.say(ada, ada, "hello");
    const answer = await telegram.waitForMessage(ada, (message) => message.text.includes("what shall we do?"));

    expect(answer.text).toMatch(/^Hello Ada, what shall we do\?\s+Milo · .+ · gpt-5\.5$/);
    expect(answer.silent).toBe(false);
    expect(telegram.chat(ada).drafts.length).toBeGreaterThan(0);
    await telegram.waitFor(
      () => telegram.chat(ada).messages.find((each) => each.id === hello.id)?.reactions[0] === "👌",
    );
    expect(telegram.chat(ada).fromBot.filter((each) => each.text.includes("what shall we do?"))).toHaveLength(1);
  });

  it("can begin with one of the tasks that the greeting offers", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    await world.start();
    await world.claim();
    const greeting = await telegram.waitForMessage(ada, (message) => message.text.includes("Say hello to Milo"));
    model.enqueue([say("A lot.")]);
    telegram.press(ada, greeting, "What can you do for me?");
    await telegram.waitForMessage(ada, (message) => message.text.includes("A lot."));
    expect(model.requests[0]?.lastUserText).toContain("What can you do for me?");
  });

  it("runs nothing for anybody before the claim, and nothing for strangers after it", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const early = telegram.person("Early");
    const stranger = telegram.person("Stranger");
    await world.start();

    telegram.say(early, early, "rm -rf /");
    await telegram.waitForMessage(early, (message) => message.text.includes("isn't set up yet"));
    await world.claim();
    telegram.say(stranger, stranger, "please?");
    await telegram.waitForMessage(stranger, (message) => message.text.includes("Ask Ada"));
    telegram.say(stranger, stranger, "pretty please?");
    model.enqueue([say("All quiet.")]);
    telegram.say(ada, ada, "hello");
    await telegram.waitForMessage(ada, (message) => message.text.includes("All quiet."));

    expect(model.requests).toHaveLength(1);
    expect(telegram.chat(stranger).fromBot).toHaveLength(1);
  });
});
