import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTelegramAdapter } from "../../adapters/telegram/index.ts";
import { createTelegram, type Telegram } from "../fakes/telegram/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";

describe("the outbox on Telegram", () => {
  let office: PostOffice;
  let telegram: Telegram;
  beforeAll(async () => {
    office = await openPostOffice();
  });
  afterAll(() => office[Symbol.asyncDispose]());
  afterEach(() => telegram.close());

  async function connect(): Promise<string> {
    telegram = await createTelegram();
    const adapter = createTelegramAdapter({ token: telegram.token, apiRoot: telegram.url }, adapterDeps());
    // A bot may only write to those who wrote to it.
    telegram.say(telegram.ada, telegram.ada, "hello");
    const channel = String(telegram.ada.id);
    await office.reset(adapter, channel);
    return channel;
  }
  const fromBot = () => telegram.chat(telegram.ada).messages.filter((message) => message.fromBot);

  it("F-35 labels the repeat of an answer whose response was lost", async () => {
    const channel = await connect();
    telegram.faults.loseResponseAfterEffect("sendMessage");
    office.send();
    await office.enqueue(office.answer(channel, "**Done.**"));
    await office.drain();

    expect(fromBot().map((message) => message.text)).toEqual([
      "Done.",
      "♻︎ This may be a repeat: I'm not sure the first one arrived.\n\nDone.",
    ]);
  });

  it("waits as long as Telegram asks, and sends once", async () => {
    const channel = await connect();
    telegram.faults.rateLimit("sendMessage", { retryAfter: 30 });
    office.send();
    await office.enqueue(office.answer(channel, "Done."));
    await office.pass(20_000);
    expect(fromBot()).toEqual([]);
    await office.drain();

    expect(fromBot().map((message) => message.text)).toEqual(["Done."]);
  });

  it("sends an answer that Telegram takes only in several messages, in order", async () => {
    const channel = await connect();
    office.send();
    const paragraphs = Array.from({ length: 90 }, (_, index) => `Paragraph ${index + 1} ${"word ".repeat(20)}`);
    await office.enqueue(office.answer(channel, paragraphs.join("\n\n")));
    await office.drain();

    const shown = fromBot().map((message) => message.text);
    expect(shown.length).toBeGreaterThan(1);
    const numbers = [...shown.join("\n").matchAll(/Paragraph (\d+)/g)].map((match) => Number(match[1]));
    expect(numbers).toEqual(paragraphs.map((_, index) => index + 1));
  });
});
