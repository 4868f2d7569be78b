import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { gate, type ModelRequest, type Reply, say, shell, waitFor } from "../fakes/model/index.ts";
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

const count = (text: string, part: string) => text.split(part).length - 1;

/** Ada asks in her private chat; what the model was sent for it. */
async function ask(question: string, ...replies: readonly Reply[]): Promise<ModelRequest> {
  const { telegram, model } = world;
  const [last] = replies.at(-1) ?? [];
  const answer = last?.kind === "text" ? last.text : "";
  model.enqueue(...replies);
  telegram.say(telegram.ada, telegram.ada, question);
  await telegram.waitForMessage(telegram.ada, (message) => message.text.includes(answer));
  await world.allPosted();
  const request = model.requests.at(-1);
  if (request === undefined) throw new Error("the model was not asked");
  return request;
}

async function afresh(): Promise<void> {
  const { telegram } = world;
  const known = telegram.chat(telegram.ada).fromBot.length;
  telegram.say(telegram.ada, telegram.ada, "/new");
  await telegram.waitFor(() =>
    telegram
      .chat(telegram.ada)
      .fromBot.slice(known)
      .some((each) => each.text.includes("A fresh conversation")),
  );
}

async function restart(): Promise<void> {
  expect(await shipmate.end("SIGTERM")).toBe(0);
  shipmate = await world.start();
}

describe("what a teammate is made of changes in the middle of a conversation", () => {
  it("another set of tools after an update: the answer comes, and knows what was said and done", async () => {
    const { telegram } = world;
    const first = await ask("the word is walnut", [shell("echo noted > word.txt")], [say("Noted, the nut.")]);
    await world.query("update codex_threads set tools_fingerprint = 'old'");
    await restart();
    const known = telegram.chat(telegram.ada).fromBot.length;
    const second = await ask("which word was it?", [say("It was the nut.")]);
    expect(second.threadId).not.toBe(first.threadId);
    expect(count(second.text, "the word is walnut")).toBe(1);
    expect(second.lastUserText).toMatch(/\(Milo ran echo noted > word\.txt\)\n\nMilo: Noted, the nut\./);
    expect(second.lastUserText.trimEnd()).toMatch(/---\n\nwhich word was it\?$/);
    // The person is told nothing but the answer.
    expect(telegram.chat(telegram.ada).fromBot.slice(known)).toHaveLength(1);

    const third = await ask("sure?", [say("Quite sure.")]);
    expect(third.threadId).toBe(second.threadId);
    expect(third.lastUserText).not.toContain("earlier_conversation");
    expect(count(third.text, "the word is walnut")).toBe(1);
  });

  it("other instructions: the new thread follows them, and knows the conversation", async () => {
    await afresh();
    const first = await ask("the word is almond", [say("Noted again.")]);
    await world.query("update teammates set instructions = 'Answer like a pirate.'");
    const second = await ask("and the word?", [say("Arr, the other nut.")]);
    expect(second.threadId).not.toBe(first.threadId);
    expect(second.text).toContain("Answer like a pirate.");
    expect(first.text).not.toContain("Answer like a pirate.");
    expect(count(second.text, "the word is almond")).toBe(1);
  });

  it("a memory that was corrected: its old wording is nowhere in what the model is sent from then on", async () => {
    await afresh();
    await world.query(`insert into memories (id, teammate_id, text, pinned, origin)
      select gen_random_uuid(), id, 'Ada sits at the hazel desk.', true, 'manual' from teammates`);
    const first = await ask("where do I sit?", [say("At the hazel desk.")]);
    expect(first.lastUserText).toMatch(
      /<memories>\n- [0-9a-f-]{36} \(revision 1\): "Ada sits at the hazel desk\."\n<\/memories>/,
    );
    await world.query("update memories set text = 'Ada sits at the cedar desk.', revision = 2");
    await world.query("update teammates set memory_generation = memory_generation + 1, memory_changed_at = now()");
    const second = await ask("and now?", [say("At the cedar one.")]);
    expect(second.threadId).not.toBe(first.threadId);
    expect(second.text).toContain("cedar desk");
    expect(second.text).not.toContain("hazel");
    await world.query("update codex_threads set tools_fingerprint = 'old' where status <> 'retired'");
    const third = await ask("really?", [say("Really the cedar one.")]);
    expect(third.text).toContain("and now?");
    expect(third.text).not.toContain("hazel");
  });

  it("another set of MCP servers: the conversation is copied whole, and goes on in the copy also after a restart", async () => {
    await afresh();
    const first = await ask("the word is pecan", [say("Noted once more.")]);
    await world.query("update codex_threads set mcp_fingerprint = 'old' where status <> 'retired'");
    const second = await ask("the word, please", [say("That nut.")]);
    expect(second.threadId).not.toBe(first.threadId);
    expect(second.text).not.toContain("earlier_conversation");
    expect(second.input.some(({ role, text }) => role === "user" && text.includes("the word is pecan"))).toBe(true);
    await restart();
    const third = await ask("and again", [say("The same nut.")]);
    expect(third.threadId).toBe(second.threadId);
    expect(third.text).toContain("the word is pecan");
  });
});

describe("a long conversation", () => {
  it("is tidied up by /compact: what comes meanwhile waits, and the conversation goes on in the same thread", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    await afresh();
    const first = await ask("the word is chestnut", [say("Noted for good.")]);
    const held = gate();
    model.enqueue([waitFor(held), say("They settled on a word.")], [say("It is in the summary.")]);
    telegram.say(ada, ada, "/compact");
    await held.reached;
    telegram.say(ada, ada, "what did we settle on?");
    await telegram.waitForMessage(ada, (message) => message.text.includes("In line"));
    held.open();
    await telegram.waitForMessage(ada, (message) => message.text.includes("It is in the summary."));
    const texts = telegram.chat(ada).fromBot.map((each) => each.text);
    const done = texts.lastIndexOf("Tidied up. Milo remembers the gist.");
    expect(done).toBeGreaterThan(-1);
    expect(done).toBeLessThan(texts.findLastIndex((text) => text.includes("It is in the summary.")));
    const last = model.requests.at(-1);
    expect(last?.threadId).toBe(first.threadId);
    expect(last?.text).toContain("They settled on a word.");
  });
});
