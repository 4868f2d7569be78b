import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { gate, say, shell, waitFor } from "../fakes/model/index.ts";
import type { ChatTarget, SeenMessage } from "../fakes/telegram/index.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";
import { createWorld, type World } from "../support/world.ts";

let world: World;
let shipmate: ShipmateProcess;
beforeAll(async () => {
  world = await createWorld();
  shipmate = await world.start();
  await world.claim();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const answer = (chat: ChatTarget, text: string) =>
  world.telegram.waitForMessage(chat, (message) => message.text.includes(text));
const now = (message: SeenMessage): SeenMessage | undefined =>
  world.telegram.chat(message.chat).messages.find((each) => each.id === message.id);

describe("a conversation", () => {
  it("remembers what was said, over messages and over a restart, until /new", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([say("Noted: walnut.")], [say("It was walnut.")], [say("Still walnut.")], [say("I don't know.")]);
    telegram.say(ada, ada, "the word is walnut");
    await answer(ada, "Noted: walnut.");
    telegram.say(ada, ada, "what was the word?");
    await answer(ada, "It was walnut.");
    expect(model.requests[1]?.text).toContain("the word is walnut");

    await world.allPosted();
    expect(await shipmate.end("SIGTERM")).toBe(0);
    shipmate = await world.start();
    telegram.say(ada, ada, "and now?");
    await answer(ada, "Still walnut.");
    expect(model.requests[2]?.text).toContain("the word is walnut");
    expect(model.requests[2]?.threadId).toBe(model.requests[0]?.threadId);

    telegram.say(ada, ada, "/new");
    expect((await answer(ada, "A fresh conversation")).text).toBe(
      "A fresh conversation with Milo. What came before is no longer carried along.",
    );
    telegram.say(ada, ada, "the word, please");
    await answer(ada, "I don't know.");
    expect(model.requests[3]?.text).not.toContain("walnut");
  });

  it("shows the model what a reply quotes, as somebody's words", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([say("The plan has two parts: apples and pears.")], [say("Pears are green.")]);
    telegram.say(ada, ada, "tell me the plan");
    const plan = await answer(ada, "two parts");
    telegram.say(ada, ada, "explain this", { replyTo: plan.id, quote: "apples and pears" });
    await answer(ada, "Pears are green.");
    expect(model.requests[1]?.lastUserText).toMatch(/<quoted>\napples and pears\n<\/quoted>[\s\S]*explain this/);
  });
});

describe("an edited message", () => {
  it("replaces the text while it waits, corrects the turn while it runs, and runs nothing when it was answered", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const ben = await world.hire("Ben");
    const group = await world.openGroup({ title: "Edits" });
    const [first, second] = [gate(), gate()];
    model.enqueue(
      [waitFor(first), say("Ada's answer.")],
      [waitFor(second), shell("true")],
      [say("Ben's answer.")],
      [say("Never asked.")],
    );
    telegram.say(ada, group, "@shipmate_bot something long");
    await first.reached;
    const waiting = telegram.say(ben, group, "@shipmate_bot buy three lemons");
    await answer(group, "In line");
    telegram.edit(ben, waiting, "@shipmate_bot buy four lemons");
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    first.open();
    await second.reached;
    expect(model.requests[1]?.text).toContain("buy four lemons");
    expect(model.requests[1]?.text).not.toContain("buy three lemons");

    telegram.edit(ben, waiting, "@shipmate_bot buy five lemons");
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    await expect
      .poll(async () => (await world.query("select 1 from messages where text like '%five lemons%'")).length)
      .toBe(1);
    second.open();
    await answer(group, "Ben's answer.");
    expect(model.requests[2]?.text).toContain("buy five lemons");

    telegram.edit(ben, waiting, "@shipmate_bot buy six lemons");
    await expect
      .poll(async () => (await world.query("select 1 from messages where text like '%six lemons%'")).length)
      .toBe(1);
    telegram.say(ben, group, "/status@shipmate_bot");
    await answer(group, "Nothing runs, nothing waits.");
    expect(model.requests).toHaveLength(3);
  });
});

describe("long texts", () => {
  it("an answer of 30,000 characters arrives whole, in order and once, with its code in one piece each", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const lines = Array.from({ length: 600 }, (_, index) => `const line${index} = "${"x".repeat(24)}";`);
    const before = telegram.chat(ada).fromBot.length;
    model.enqueue([say(`Here it is:\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n\nThat was the long answer.`)]);
    telegram.say(ada, ada, "write a long file");
    await telegram.waitForMessage(ada, (message) => message.text.includes("That was the long answer."), 30_000);

    const parts = telegram.chat(ada).fromBot.slice(before);
    const text = parts.map((part) => part.text).join("\n");
    expect(text.match(/const line\d+ = /g)).toEqual(lines.map((line) => line.slice(0, line.indexOf('"'))));
    expect(parts.every((part) => part.text.length <= 4096)).toBe(true);
    expect(
      parts.every((part) => (part.source.match(/<pre/g) ?? []).length === (part.source.match(/<\/pre>/g) ?? []).length),
    ).toBe(true);
    expect(parts.filter((part) => part.text.includes("Milo ·"))).toHaveLength(1);
    expect(parts.filter((part) => !part.silent)).toHaveLength(1);
  });

  it("a message of 100,000 characters, which the app cuts into pieces, is one turn", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([say("Read all of it.")], [say("Once too often.")]);
    const piece = (index: number) => `piece ${index} ${"y".repeat(4080)}`;
    for (let index = 0; index < 25; index += 1) telegram.say(ada, ada, piece(index));
    telegram.say(ada, ada, "the end of the paste");
    await answer(ada, "Read all of it.");
    expect(model.requests).toHaveLength(1);
    for (const index of [0, 12, 23]) expect(model.requests[0]?.text).toContain(`piece ${index} `);
  });
});

describe("small things", () => {
  it("an empty mention is answered with a hint, an unknown command with the nearest one", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const group = await world.openGroup({ title: "Hints" });
    telegram.say(ada, group, "@shipmate_bot");
    expect((await answer(group, "Yes?")).text).toBe(
      "Yes? Write what you need in the same message, and Milo gets to it.",
    );
    telegram.say(ada, ada, "/statsu");
    expect((await answer(ada, "I don't know /")).text).toBe("I don't know /statsu. Did you mean /status?");
    telegram.say(ada, ada, "/help");
    expect((await answer(ada, "Write what you need")).text).toContain("/inbox");
    expect(model.requests).toHaveLength(0);
  });

  it("a long run shows its steps live, then gives way to one answer that notifies", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const group = await world.openGroup({ title: "Watchers" });
    const opened = gate();
    model.enqueue([shell("echo first-step")], [shell("cat AGENTS.md")], [waitFor(opened), say("All steps done.")]);
    telegram.say(ada, group, "@shipmate_bot work in steps");
    const view = await telegram.waitForMessage(group, (message) => /2 steps/.test(message.text));
    expect(view.text).toMatch(/^Milo · working · \d+ s · 2 steps\n✓ Ran echo first-step\n✓ Read AGENTS\.md/);
    expect(view.silent).toBe(true);
    expect(view.keyboard.flat().map((button) => button.text)).toEqual(["Stop"]);
    opened.open();
    const done = await answer(group, "All steps done.");
    expect(done.id).not.toBe(view.id);
    expect(done.silent).toBe(false);
    expect(done.text).toMatch(/Milo · \d+ s · gpt-5\.5$/);
    await telegram.waitFor(() => now(view) === undefined);
  });
});
