import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { cut, fail, failures, type Reply, say, status } from "../fakes/model/index.ts";
import type { ChatTarget } from "../fakes/telegram/index.ts";
import { createClaimedWorld, createWorld, type World } from "../support/world.ts";

/** What the provider says, with the headers by which Codex learns when the limit resets. */
function usedUp(resetsAt: Date) {
  const seconds = Math.floor(resetsAt.getTime() / 1000);
  const error = { type: "usage_limit_reached", message: "The usage limit has been reached", resets_at: seconds };
  return status(429, error, {
    "x-codex-primary-used-percent": "100",
    "x-codex-primary-window-minutes": "300",
    "x-codex-primary-reset-at": String(seconds),
  });
}

describe("when the model fails", () => {
  let world: World;
  let group: number;
  beforeAll(async () => {
    world = await createClaimedWorld();
    group = await world.openGroup({ title: "Watchers" });
  });
  afterEach(() => world.model.reset());
  afterAll(() => world[Symbol.asyncDispose]());

  const answer = (chat: ChatTarget, text: string, timeoutMs?: number) =>
    world.telegram.waitForMessage(chat, (message) => message.text.includes(text), timeoutMs);
  const always = (reply: Reply) => world.model.use(() => reply);

  it.each([
    [
      "key rejected",
      [failures.keyRejected()],
      "the model's provider did not accept our key. The owner can set a new one with /login.",
    ],
    [
      "model unknown",
      [failures.modelNotFound()],
      "the provider does not know the chosen model. The owner can choose another one.",
    ],
    [
      "context full",
      [failures.contextFull()],
      "this conversation became too long. Begin a fresh one, or a new thread, and ask again.",
    ],
    ["quota used up", [failures.quota()], "what the API key may spend is used up."],
  ])("%s: the person reads what is wrong and what to do", async (name, reply, sentence) => {
    const { telegram } = world;
    const { ada } = telegram;
    always(reply);
    const asked = telegram.say(ada, ada, `ask while ${name}`);
    const told = await answer(ada, sentence, 30_000);
    expect(told.text).toBe(`Milo couldn't finish: ${sentence}`);
    expect(told.keyboard.flat().map((button) => button.text)).toEqual(["Try again"]);
    expect(told.silent).toBe(false);
    await telegram.waitFor(
      () => telegram.chat(ada).messages.find((each) => each.id === asked.id)?.reactions[0] === "💔",
    );
  });

  it("plan used up: says until when, keeps the message, and answers it by itself then", async () => {
    const { telegram } = world;
    const { ada } = telegram;
    // Before a conversation that is full Codex first makes it shorter, and a limit met there comes without its time.
    telegram.say(ada, ada, "/new");
    await answer(ada, "A fresh conversation with Milo");
    const resetsAt = new Date(Date.now() + 6_000);
    always([usedUp(resetsAt)]);
    telegram.say(ada, ada, "ask while the plan is used up");
    const told = await answer(ada, "Milo reached the plan's limit");
    expect(told.text).toBe(
      `Milo reached the plan's limit; it resets at ${resetsAt.toISOString().slice(11, 16)} UTC. Your message waits.`,
    );
    expect(told.keyboard.flat().map((button) => button.text)).toEqual(["Cancel"]);
    always([say("The plan is back.")]);
    await answer(ada, "The plan is back.");
  });

  it("overloaded: Codex tries for a while, then the person hears of it", async () => {
    const { telegram } = world;
    const { ada } = telegram;
    always([failures.overloaded()]);
    telegram.say(ada, ada, "ask while overloaded");
    await answer(ada, "Milo couldn't finish: the model has too much to do right now.", 45_000);
  });

  it("cut off for good: an end that says so", async () => {
    const { telegram } = world;
    const { ada } = telegram;
    always([say("Half a sen"), cut()]);
    telegram.say(ada, ada, "ask while the line breaks");
    await answer(ada, "Milo couldn't finish: the model cannot be reached right now.", 45_000);
  });

  it("anything else: the owner reads the error without its secrets, a group only a code", async () => {
    const { telegram } = world;
    const { ada } = telegram;
    always([fail("invalid_prompt", "Strange trouble with sk-abcdefghijklmnop1234567890 inside")]);
    telegram.say(ada, group, "@shipmate_bot fail strangely");
    const told = await answer(group, "Milo couldn't finish (code");
    expect(told.text).toMatch(/^Milo couldn't finish \(code [A-Z0-9]{4}\)\. Ada has the details\.$/);
    const code = /code (\w+)/.exec(told.text)?.[1];
    const details = await answer(ada, `(code ${code})`);
    expect(details.text).toContain("Milo couldn't finish in Watchers");
    expect(details.text).toContain("Strange trouble with [secret] inside");
    expect(JSON.stringify(telegram.calls())).not.toContain("sk-abcdefghijklmnop");
  });

  it("after the trouble is over, Try again answers", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const failed = await answer(ada, "the provider does not know the chosen model");
    always([say("Here I am again.")]);
    telegram.press(ada, failed, "Try again");
    await answer(ada, "Here I am again.");
    const asked = model.requests.find((request) => request.lastUserText.includes("ask while model unknown"));
    expect(asked?.lastUserText).toContain("something failed on the way");
  });
});

describe("without a model account", () => {
  it("says so at the start, and to whoever asks", async () => {
    await using world = await createWorld();
    // An empty value counts as absent.
    const shipmate = await world.start({ OPENAI_API_KEY: "", OPENAI_BASE_URL: "", SHIPMATE_MODEL: "" });
    expect(shipmate.output()).toContain("No model account is set");
    await world.claim();
    const { telegram } = world;
    telegram.say(telegram.ada, telegram.ada, "hello?");
    const told = await telegram.waitForMessage(telegram.ada, (message) => /^Milo can't/.test(message.text));
    expect(told.text).toBe(
      "Milo can't think yet: there is no model account. The owner sends /login in a direct message.",
    );
    expect(told.keyboard.flat().map((button) => button.text)).toEqual(["Try again"]);
  });
});
