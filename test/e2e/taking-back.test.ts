import { afterAll, beforeAll, expect, it } from "vitest";
import { say } from "../fakes/model/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createClaimedWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it("what Ada takes back is gone from the chat, and Milo goes on without it", async () => {
  const { telegram, model } = world;
  const { ada } = telegram;
  model.enqueue([say("The alarm is on a timer, then.")]);
  telegram.say(ada, ada, "The alarm switches itself on at nine.");
  await telegram.waitForMessage(ada, (message) => message.text.includes("on a timer"));
  model.enqueue([say("Noted.")]);
  const secret = telegram.say(ada, ada, "Its code is 4711-0815.");
  await telegram.waitForMessage(ada, (message) => message.text.includes("Noted."));

  const word = telegram.say(ada, ada, "/delete", { replyTo: secret.id });
  await telegram.waitForMessage(ada, (message) =>
    message.text.includes("Deleted. I kept no copy of it, and Milo will"),
  );
  await telegram.waitFor(() => {
    const gone = telegram.chat(ada).deleted.map(({ id }) => id);
    return gone.includes(secret.id) && gone.includes(word.id);
  });

  model.reset();
  model.enqueue([say("At nine.")]);
  telegram.say(ada, ada, "When does it switch itself on?");
  await telegram.waitForMessage(ada, (message) => message.text.includes("At nine."));
  const request = model.requests.at(-1);
  expect(request?.text).toContain("The alarm switches itself on at nine.");
  expect(request?.text).not.toContain("4711");
});

it("an answer is taken back with all its parts", async () => {
  const { telegram, model } = world;
  const { ada } = telegram;
  model.enqueue([say(`Here it is.\n\n${"A long story. ".repeat(500)}\n\nThe end.`)]);
  telegram.say(ada, ada, "Tell me everything.");
  const last = await telegram.waitForMessage(ada, (message) => message.text.includes("The end."));
  const parts = telegram.chat(ada).fromBot.filter(({ text }) => /A long story/u.test(text));
  expect(parts.length).toBeGreaterThan(1);
  telegram.say(ada, ada, "/delete", { replyTo: last.id });
  await telegram.waitFor(() => !telegram.chat(ada).fromBot.some(({ text }) => /A long story/u.test(text)));
});

it("what was used is shown with bars of buttons, and as a picture", async () => {
  const { telegram } = world;
  const { ada } = telegram;
  telegram.say(ada, ada, "/usage");
  const card = await telegram.waitForMessage(ada, (message) => message.text.includes("Usage · today"));
  expect(card.text).toMatch(/tokens, \d tasks/u);
  telegram.press(ada, card, "Week");
  const week = await telegram.waitForMessage(ada, (message) => message.text.includes("Usage · last 7 days"));
  expect(week.id).toBe(card.id);
  telegram.press(ada, week, "As a picture");
  const picture = await telegram.waitForMessage(ada, (message) => message.file?.kind === "photo");
  expect(picture.text).toMatch(/^Usage · last 7 days: .*tokens\. Milo/u);
  expect(picture.file?.bytes.subarray(1, 4).toString()).toBe("PNG");
});
