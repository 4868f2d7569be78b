import { createTelegram, type Person, type Telegram, type TelegramOptions } from "../fakes/telegram/index.ts";
import { createMachine, type Machine, ownerCode } from "./machine.ts";

export { ownerCode };

/** Telegram around the shipped command. Everything in it is real but the services on the internet. */
export interface World extends Machine {
  readonly telegram: Telegram;
  /** Ada becomes the owner, and has seen the greeting. */
  claim(): Promise<void>;
  /** Somebody joins by Ada's invitation. */
  hire(name: string, role?: string): Promise<Person>;
  /** Ada adds the bot to a group and opens it for everyone. */
  openGroup(options?: Parameters<Telegram["createGroup"]>[0]): Promise<number>;
}

export interface WorldOptions {
  readonly telegram?: TelegramOptions;
}

/** A world in which Shipmate runs and Ada owns it. */
export async function createClaimedWorld(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld(options);
  await world.start();
  await world.claim();
  return world;
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const telegram = await createTelegram(options.telegram);
  const machine = await createMachine({ TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url });
  return {
    ...machine,
    telegram,
    async claim() {
      telegram.say(telegram.ada, telegram.ada, `/start ${ownerCode}`);
      await telegram.waitForMessage(telegram.ada, (message) => message.text.includes("You own this Shipmate"));
    },
    async hire(name, role = "member") {
      const person = telegram.person(name);
      const known = telegram.chat(telegram.ada).fromBot.length;
      telegram.say(telegram.ada, telegram.ada, `/invite ${role}`);
      const code = await telegram.waitFor(() =>
        telegram
          .chat(telegram.ada)
          .fromBot.slice(known)
          .map((message) => /^[A-Z2-9]{4}-[A-Z2-9-]+$/m.exec(message.text)?.[0])
          .find((found) => found !== undefined),
      );
      telegram.say(person, person, `/start ${code}`);
      await telegram.waitForMessage(person, (message) => message.text.includes("Welcome"));
      return person;
    },
    async openGroup(group) {
      const chat = telegram.createGroup(group);
      telegram.addToGroup(telegram.ada, chat);
      const card = await telegram.waitForMessage(chat, (message) => message.text.includes("who may ask me here?"));
      telegram.press(telegram.ada, card, "Everyone");
      await telegram.waitForMessage(chat, (message) => message.text.includes("Everyone may ask me here"));
      return chat;
    },
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]();
      await telegram.close();
    },
  };
}
