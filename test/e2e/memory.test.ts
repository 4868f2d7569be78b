import { afterAll, beforeAll, expect, it } from "vitest";
import { call, type ModelRequest, say } from "../fakes/model/index.ts";
import type { ChatTarget } from "../fakes/telegram/index.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";
import { createWorld, type World } from "../support/world.ts";

let world: World;
let shipmate: ShipmateProcess;
beforeAll(async () => {
  world = await createWorld();
  shipmate = await world.start();
  await world.claim();
});
afterAll(() => world[Symbol.asyncDispose]());

const answer = (chat: ChatTarget, text: string) =>
  world.telegram.waitForMessage(chat, (message) => message.text.includes(text));
const remember = (args: object) => call("shipmate", "remember", args);

/** The id under which a request tells what it is about. */
function vatIn({ text }: ModelRequest): string {
  const id = /([0-9a-f-]{36}) \(revision 1\): [\\"]*Our VAT/u.exec(text)?.[1];
  if (id === undefined) throw new Error("the request tells of no VAT number");
  return id;
}

it("a fact is remembered, corrected, kept over a restart, and told elsewhere as it is now", async () => {
  const { telegram, model } = world;
  const { ada } = telegram;
  const ben = await world.hire("Ben");
  const forum = await world.openGroup({ title: "Forum", forum: true });
  const topic = telegram.createTopic(ada, forum, "Invoices");

  model.enqueue(
    [
      remember({ text: "Our VAT number is PT-111.", audience: "everyone" }),
      remember({ text: "Ada is on leave in May." }),
    ],
    [say("Noted.")],
  );
  telegram.say(ada, ada, "Our VAT number is PT-111, for all of us. And I am on leave in May.");
  await answer(ada, "Noted.");

  // What it corrects is known from what the turn is told.
  model.use((request) =>
    request.lastOutput === undefined
      ? [remember({ memory_id: vatIn(request), expected_revision: 1, text: "Our VAT number is PT-222." })]
      : [say("Corrected.")],
  );
  telegram.say(ada, ada, "That was wrong: it ends with 222.");
  await answer(ada, "Corrected.");
  await world.allPosted();
  expect(await shipmate.end("SIGTERM")).toBe(0);
  shipmate = await world.start();

  const asked = async (person: typeof ada, chat: ChatTarget, text: string, thread?: number): Promise<string> => {
    model.reset();
    model.enqueue([say(`Here: ${text.length}.`)]);
    telegram.say(person, chat, text, { thread });
    await answer(chat, `Here: ${text.length}.`);
    return model.requests[0]?.text ?? "";
  };
  const inTopic = await asked(ada, forum, "@shipmate_bot what is our VAT number?", topic);
  const byBen = await asked(ben, ben, "what is the VAT number of ours?");
  const byAda = await asked(ada, ada, "and the VAT number again?");
  for (const request of [inTopic, byBen, byAda]) {
    expect(request).toContain("Our VAT number is PT-222.");
    expect(request).not.toContain("PT-111");
  }
  // What she said of herself is between the two of them.
  expect(byAda).toContain("Ada is on leave in May.");
  for (const request of [inTopic, byBen]) expect(request).not.toContain("leave in May");
});
