import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { gate, say, waitFor } from "../fakes/model/index.ts";
import type { Person } from "../fakes/telegram/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
let ben: Person;
beforeAll(async () => {
  world = await createClaimedWorld();
  ben = await world.hire("Ben");
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const answer = (chat: number, text: string) =>
  world.telegram.waitForMessage(chat, (message) => message.text.includes(text));

describe("a bot that was added to a group", () => {
  it("asks who may ask, is silent until an owner decided, and then works for whom they chose", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const stranger = telegram.person("Stranger");
    const group = telegram.createGroup({ title: "Plans" });
    telegram.addToGroup(ada, group);
    const card = await answer(group, "Hi. Ada, who may ask me here?");
    expect(card.keyboard.flat().map((button) => button.text)).toEqual(["Everyone", "My team", "Only me"]);

    telegram.say(ben, group, "@shipmate_bot hello?");
    const refused = telegram.press(ben, card, "Everyone");
    await telegram.waitFor(() => refused.answer());
    expect(refused.answer()?.text).toBe("Only a manager can decide this.");
    expect(telegram.chat(group).fromBot).toHaveLength(1);

    telegram.press(ada, card, "My team");
    const decided = await answer(group, "My team may ask me here. Decided by Ada.");
    expect(decided.id).toBe(card.id);
    expect(decided.keyboard).toEqual([]);

    model.enqueue([say("Hello Ben.")]);
    telegram.say(stranger, group, "@shipmate_bot hello from outside");
    telegram.say(ben, group, "@shipmate_bot hello again");
    await answer(group, "Hello Ben.");
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.lastUserText).toContain("hello again");
    expect(model.requests[0]?.text).not.toContain("hello from outside");
  });

  it("says nothing to a stranger who adds it", async () => {
    const { telegram } = world;
    const stranger = telegram.person("Stranger");
    const group = telegram.createGroup({ title: "Elsewhere" });
    telegram.addToGroup(stranger, group);
    telegram.say(stranger, group, "@shipmate_bot work for me");
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
    telegram.say(world.telegram.ada, group, "/status@shipmate_bot");
    await answer(group, "who may ask me here?");
    expect(telegram.chat(group).fromBot).toHaveLength(1);
  });
});

describe("what is said in a group", () => {
  it("reaches the teammate by a mention, a reply or a command, and not otherwise", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const group = await world.openGroup({ title: "Talk" });
    model.enqueue([say("By mention.")], [say("By reply.")], [say("By command.")]);

    telegram.say(ben, group, "nobody asked you");
    const mention = telegram.say(ben, group, "@shipmate_bot by mention");
    const first = await answer(group, "By mention.");
    expect(first.replyTo).toBe(mention.id);
    const reply = telegram.say(ada, group, "by reply", { replyTo: first.id });
    expect((await answer(group, "By reply.")).replyTo).toBe(reply.id);
    const command = telegram.say(ben, group, "/ask@shipmate_bot milo by command");
    expect((await answer(group, "By command.")).replyTo).toBe(command.id);

    expect(model.requests.map((request) => /by (mention|reply|command)/.exec(request.lastUserText)?.[0])).toEqual([
      "by mention",
      "by reply",
      "by command",
    ]);
    expect(JSON.stringify(model.requests.map((request) => request.text))).not.toContain("nobody asked you");
    expect(model.requests[0]?.lastUserText).toMatch(/<message from="Ben"/);
  });

  it("is one conversation a topic, and answers land in theirs", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const forum = await world.openGroup({ title: "Forum", forum: true });
    const topics = {
      cakes: telegram.createTopic(ada, forum, "Cakes"),
      soups: telegram.createTopic(ada, forum, "Soups"),
    };
    const opened = gate();
    model.use((request) => {
      const topic = /cakes|soups/.exec(request.lastUserText)?.[0];
      return topic === "cakes" ? [waitFor(opened), say("About cakes.")] : [say("About soups.")];
    });

    telegram.say(ada, forum, "@shipmate_bot cakes?", { thread: topics.cakes });
    await opened.reached;
    telegram.say(ben, forum, "@shipmate_bot soups?", { thread: topics.soups });
    // Ben does not wait for Ada: another topic is another conversation.
    const soups = await answer(forum, "About soups.");
    opened.open();
    const cakes = await answer(forum, "About cakes.");

    expect([cakes.thread, soups.thread]).toEqual([topics.cakes, topics.soups]);
    const [one, two] = model.requests;
    expect(one?.threadId).not.toBe(two?.threadId);
    expect(two?.text).not.toContain("cakes?");
  });

  it("goes on when the group became a supergroup with another id", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const group = await world.openGroup({ title: "Growing", type: "group" });
    model.enqueue([say("Before.")], [say("After.")]);
    telegram.say(ada, group, "@shipmate_bot before the move");
    await answer(group, "Before.");
    await world.allPosted();
    const moved = telegram.migrate(ada, group);
    telegram.say(ada, moved, "@shipmate_bot after the move");
    await answer(moved, "After.");

    expect(model.requests[1]?.text).toContain("before the move");
    expect(telegram.chat(moved).fromBot.some((message) => message.text.includes("who may ask me here"))).toBe(false);
  });
});

describe("privacy mode", () => {
  it("is explained to the owner in /status, with what to do", async () => {
    const { telegram } = world;
    const { ada } = telegram;
    telegram.say(ada, ada, "/status");
    const status = await telegram.waitForMessage(ada, (message) => message.text.includes("Telegram (Shipmate)"));
    expect(status.text).toMatch(/Privacy mode is on[\s\S]*\/setprivacy/);
  });
});
