import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { failures, type Reply, say, status } from "../fakes/model/index.ts";
import { createPaidWorld, type PaidWorld } from "../support/paid-world.ts";

/** What a plan says when it is used up, with the headers by which Codex learns when it resets. */
function usedUp(resetsAt: Date): Reply {
  const seconds = Math.floor(resetsAt.getTime() / 1000);
  const error = { type: "usage_limit_reached", message: "The usage limit has been reached", resets_at: seconds };
  return [
    status(429, error, {
      "x-codex-primary-used-percent": "100",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": String(seconds),
    }),
  ];
}

const labels = (message: { keyboard: readonly (readonly { text: string }[])[] }) =>
  message.keyboard.map((row) => row.map((button) => button.text));

describe("with a plan and a key", () => {
  let world: PaidWorld;
  beforeAll(async () => {
    world = await createPaidWorld({ apiKey: "sk-key-of-the-environment-1234" });
  });
  afterEach(() => {
    world.plan.reset();
    world.key.reset();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it("goes on by the key when the plan is used up and somebody says so, and by the plan again when it resets", async () => {
    const { telegram, plan, key, told } = world;
    const { ada } = telegram;
    const group = telegram.createGroup({ title: "Watchers" });
    telegram.addToGroup(ada, group);
    telegram.press(ada, await telegram.waitForMessage(group, (each) => each.text.includes("who may ask")), "Everyone");
    await telegram.waitForMessage(group, (each) => each.text.includes("Everyone may ask me here"));

    plan.use(() => [say("The plan says hello.")]);
    telegram.say(ada, ada, "My cat is called Kaspar.");
    await told("The plan says hello.");
    expect(key.requests).toEqual([]);

    const resetsAt = new Date(Date.now() + 12_000);
    plan.use(() => usedUp(resetsAt));
    telegram.say(ada, ada, "What is my cat called?");
    const notice = await told("Your message waits.");
    expect(notice.text).toContain(`it resets at ${resetsAt.toISOString().slice(11, 16)} UTC`);
    expect(labels(notice)).toEqual([["Use the API key"], ["Cancel"]]);

    const asked = plan.requests.length;
    telegram.say(ada, group, "@shipmate_bot And here?");
    const there = await telegram.waitForMessage(group, (each) => each.text.includes("Your message waits."));
    expect(labels(there)).toEqual([["Use the API key"], ["Cancel"]]);
    expect(plan.requests).toHaveLength(asked);

    key.use((request) => [say(request.text.includes("Kaspar") ? "The key says Kaspar." : "The key says here.")]);
    telegram.press(ada, notice, "Use the API key");
    await told("The key says Kaspar.");
    await telegram.waitForMessage(group, (each) => each.text.includes("The key says here."));
    expect(key.requests.at(0)?.headers.authorization).toBe("Bearer sk-key-of-the-environment-1234");
    expect(labels(await told("The API key pays · chosen by Ada"))).toEqual([]);
    expect(plan.requests).toHaveLength(asked);

    plan.use((request) => [say(request.text.includes("The key says Kaspar.") ? "The plan is back." : "It forgot.")]);
    await expect.poll(() => Date.now(), { timeout: 20_000 }).toBeGreaterThan(resetsAt.getTime());
    telegram.say(ada, ada, "Still there?");
    await told("The plan is back.");
  });

  it("shows in /login who pays, and lets the owner choose", async () => {
    const { telegram, plan, key, told } = world;
    const { ada } = telegram;
    telegram.say(ada, ada, "/login");
    const card = await told("Who pays for the model");
    expect(card.text).toContain("Now: the plan pays.");
    expect(card.text).toContain("set as OPENAI_API_KEY");
    telegram.press(ada, card, "The API key");
    await told("Now: the API key pays, as chosen.");
    key.use(() => [say("The key was chosen.")]);
    telegram.say(ada, ada, "Who pays?");
    await told("The key was chosen.");

    key.use(() => [failures.keyRejected()]);
    telegram.say(ada, ada, "And now?");
    const rejected = await told("did not accept our key");
    expect(labels(rejected)).toEqual([["Try again"]]);
    const asked = key.requests.length;
    telegram.say(ada, ada, "Really?");
    await telegram.waitFor(
      () => telegram.chat(ada).fromBot.filter((each) => each.text.includes("did not accept our key")).length === 2,
    );
    expect(key.requests).toHaveLength(asked);
    key.use(() => [say("It is mended.")]);
    telegram.press(ada, rejected, "Try again");
    await told("It is mended.");
    expect(plan.requests).toEqual([]);
  });
});

describe("with a plan alone", () => {
  it("offers to set a key when the plan is used up, on a page, and goes on by it", async () => {
    await using world = await createPaidWorld();
    const { telegram, plan, key, told } = world;
    const { ada } = telegram;
    const resetsAt = new Date(Date.now() + 3_600_000);
    plan.use(() => usedUp(resetsAt));
    telegram.say(ada, ada, "Hello?");
    const notice = await told("Your message waits.");
    expect(labels(notice)).toEqual([["Set an API key"], ["Cancel"]]);
    telegram.press(ada, notice, "Set an API key");
    const page = await told("Write the key on this page");
    const url = page.keyboard.flat()[0]?.url ?? "";
    const { origin } = new URL(url);
    const fill = async (written: string) =>
      (await fetch(url, { method: "POST", headers: { origin }, body: new URLSearchParams({ key: written }) })).text();
    expect(await fill("no key at all")).toContain("begins with sk-");
    key.use(() => [say("By the new key.")]);
    expect(await fill("sk-from-the-page-0123456789ab")).toContain("The key is stored");
    await told("By the new key.");
    expect(key.requests.at(0)?.headers.authorization).toBe("Bearer sk-from-the-page-0123456789ab");
    expect(JSON.stringify(telegram.calls())).not.toContain("sk-from-the-page");

    telegram.say(ada, ada, "/login");
    const card = await told("Who pays for the model");
    expect(card.text).toContain("Now: the API key pays, until the plan can be used again.");
    telegram.press(ada, card, "Forget the key");
    await told("API key: none");
  });
});
