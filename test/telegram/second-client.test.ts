import { createMemoryState } from "@chat-adapter/state-memory";
import { createTelegramAdapter } from "@chat-adapter/telegram";
import { Actions, type Adapter, Button, Card, Chat, ConsoleLogger } from "chat";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTelegram, type Telegram } from "../fakes/telegram/index.ts";

/** A Telegram client that nobody here wrote, on the stand-in: what it can do there, others can. */
describe("somebody else's client on the Telegram stand-in", () => {
  let telegram: Telegram;
  let chat: Chat;
  const logger = new ConsoleLogger("silent");

  beforeEach(async () => {
    telegram = await createTelegram({ botName: "shipmate_bot" });
    chat = new Chat({
      userName: "shipmate_bot",
      // Their types do not reckon with exactOptionalPropertyTypes.
      adapters: {
        telegram: createTelegramAdapter({
          mode: "polling",
          apiUrl: telegram.url,
          botToken: telegram.token,
          logger,
        }) as Adapter,
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
      const sent = await thread.post(`**Noted:** ${message.text}`);
      await sent.edit(`**Noted twice:** ${message.text}`);
    });
    chat.onAction("go", async (event) => {
      await event.thread?.post(`Going: ${event.value}`);
    });
    await chat.initialize();
  });
  afterEach(async () => {
    await chat.shutdown();
    await telegram.close();
  });

  it("is mentioned in a group, answers there, and hears a button", async () => {
    const group = telegram.createGroup();
    telegram.addToGroup(telegram.ada, group);
    telegram.say(telegram.ada, group, "@shipmate_bot set sail");
    const card = await telegram.waitForMessage(group, ({ keyboard }) => keyboard.flat().length === 2);
    expect(card.text).toContain("set sail");
    const press = telegram.press(telegram.ada, card, "Go");
    const answer = await telegram.waitForMessage(group, ({ text }) => text.includes("Going"));
    expect(answer.text).toContain("42");
    await telegram.waitFor(() => press.answer() !== undefined);
  });

  it("talks in private and edits what it said", async () => {
    telegram.say(telegram.ada, telegram.ada, "ahoy");
    await telegram.waitForMessage(telegram.ada, ({ keyboard }) => keyboard.length > 0);
    telegram.say(telegram.ada, telegram.ada, "and hurry");
    const noted = await telegram.waitForMessage(telegram.ada, ({ text }) => text.includes("Noted twice"));
    expect(noted.text).toContain("and hurry");
    expect(noted.edits).toHaveLength(1);
  });

  it("confirms what it took", async () => {
    telegram.say(telegram.ada, telegram.ada, "ahoy");
    await telegram.waitForMessage(telegram.ada, ({ keyboard }) => keyboard.length > 0);
    await telegram.waitFor(() => telegram.pendingUpdates().length === 0);
  });
});
