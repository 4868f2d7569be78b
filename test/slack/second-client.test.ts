import { createSlackAdapter } from "@chat-adapter/slack";
import { createMemoryState } from "@chat-adapter/state-memory";
import { Actions, type Adapter, Button, Card, Chat, ConsoleLogger } from "chat";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlack, type Slack } from "../fakes/slack/index.ts";

/** A Slack client that nobody here wrote, on the stand-in: what it can do there, others can. */
describe("somebody else's client on the Slack stand-in", () => {
  let slack: Slack;
  let chat: Chat;
  const logger = new ConsoleLogger("silent");

  beforeEach(async () => {
    slack = await createSlack();
    const { url: apiUrl, botToken, appToken } = slack;
    chat = new Chat({
      userName: "shipmate",
      // Their types do not reckon with exactOptionalPropertyTypes.
      adapters: {
        slack: createSlackAdapter({ mode: "socket", apiUrl, botToken, appToken, agentView: true, logger }) as Adapter,
      },
      // Otherwise what is said while an answer is being sent is dropped.
      concurrency: "queue",
      state: createMemoryState(),
      logger,
    });
    chat.onNewMention(async (thread, message) => {
      await thread.subscribe();
      const choice = [Button({ id: "go", label: "Go", value: "42" }), Button({ id: "stop", label: "Stop" })];
      await thread.post(Card({ title: `You said: ${message.text}`, children: [Actions(choice)] }));
    });
    chat.onSubscribedMessage(async (thread, message) => {
      await thread.post(`**Noted:** ${message.text}`);
      await thread.createSentMessageFromMessage(message).addReaction("eyes");
    });
    chat.onAction("go", async (event) => {
      await event.thread?.post(`Going, ${event.user.fullName}: ${event.value}`);
    });
    await chat.initialize();
  });
  afterEach(async () => {
    // It would acknowledge what is still on its way after it went, and die of that.
    await slack.waitFor(() => slack.envelopes().every(({ ackedAfterMs }) => ackedAfterMs !== undefined));
    await chat.shutdown();
    await slack.close();
  });

  it("is mentioned, answers in the thread, and hears a button", async () => {
    const said = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> set sail`);
    const card = await slack.waitForMessage(slack.general, ({ buttons }) => buttons.length === 2);
    expect(card).toMatchObject({ threadTs: said.ts, author: { name: "Shipmate", bot: true } });
    expect(card.text).toContain("set sail");
    const press = slack.press(slack.ada, card, "Go");
    const answer = await slack.waitForMessage(slack.general, ({ text }) => text.startsWith("Going"));
    expect(answer).toMatchObject({ threadTs: said.ts, text: expect.stringContaining("42") });
    expect(press.state()).toBe("acked");
  });

  it("follows the thread and reacts", async () => {
    const said = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> set sail`);
    await slack.waitForMessage(slack.general, ({ buttons }) => buttons.length === 2);
    const reply = slack.say(slack.ada, slack.general, "and *hurry*", { thread: said.ts });
    const noted = await slack.waitForMessage(slack.general, ({ text }) => text.includes("Noted"));
    expect(noted.threadTs).toBe(said.ts);
    await slack.waitFor(() => slack.message(reply)?.reactions.some(({ name }) => name === "eyes"));
  });

  it("acknowledged everything it was told, once", async () => {
    slack.say(slack.ada, slack.general, `<@${slack.botUserId}> set sail`);
    await slack.waitForMessage(slack.general, ({ buttons }) => buttons.length === 2);
    await slack.waitFor(() => slack.envelopes().every(({ ackedAfterMs }) => ackedAfterMs !== undefined));
    expect(slack.envelopes().every(({ attempt }) => attempt === 0)).toBe(true);
    expect(slack.lost()).toEqual([]);
  });
});
