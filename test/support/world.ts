import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { vi } from "vitest";
import { type FakeModel, fakeModelName, startFakeModel } from "../fakes/model/index.ts";
import { createTelegram, type Person, type Telegram, type TelegramOptions } from "../fakes/telegram/index.ts";
import { createTestDatabase } from "./database.ts";
import { type ShipmateProcess, startShipmate } from "./shipmate.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));

/** The code that `claim` sends. */
export const ownerCode = "ABCD-2345";

/** Telegram, a model and a database around the shipped command. Everything in it is real but the two services on the internet. */
export interface World extends AsyncDisposable {
  readonly telegram: Telegram;
  readonly model: FakeModel;
  readonly home: string;
  readonly databaseUrl: string;
  /** Starts the shipped command and waits until it is ready. */
  start(env?: Readonly<Record<string, string>>): Promise<ShipmateProcess>;
  /** Starts the shipped command, for better or worse. */
  launch(env?: Readonly<Record<string, string>>, checkout?: string): ShipmateProcess;
  /** Ada becomes the owner, and has seen the greeting. */
  claim(): Promise<void>;
  /** Somebody joins by Ada's invitation. */
  hire(name: string, role?: string): Promise<Person>;
  /** Ada adds the bot to a group and opens it for everyone. */
  openGroup(options?: Parameters<Telegram["createGroup"]>[0]): Promise<number>;
  /** Resolves when nothing waits to be posted: every answer of Telegram was noted. */
  allPosted(): Promise<void>;
  /** One statement on its database. */
  query(statement: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
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
  await mkdir(scratch, { recursive: true });
  const home = await mkdtemp(`${scratch}home-`);
  const [telegram, model, database] = await Promise.all([
    createTelegram(options.telegram),
    startFakeModel(),
    createTestDatabase(),
  ]);
  const processes: ShipmateProcess[] = [];
  const env = {
    DATABASE_URL: database.url,
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    OPENAI_API_KEY: "offline-model-key",
    OPENAI_BASE_URL: model.url,
    SHIPMATE_MODEL: fakeModelName,
    SHIPMATE_OWNER_CODE: ownerCode,
  };
  async function query(statement: string, values: readonly unknown[] = []) {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement, [...values])).rows;
    } finally {
      await client.end();
    }
  }
  function launch(more: Readonly<Record<string, string>> = {}, checkout?: string): ShipmateProcess {
    const from = checkout === undefined ? {} : { checkout };
    const shipmate = startShipmate({ home, env: { ...env, ...more }, ...from });
    processes.push(shipmate);
    return shipmate;
  }
  return {
    telegram,
    model,
    home,
    databaseUrl: database.url,
    launch,
    async start(more = {}) {
      const shipmate = launch(more);
      await shipmate.says(/Shipmate is ready/);
      return shipmate;
    },
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
    async allPosted() {
      const waiting = () => query("select id from posts where status in ('pending', 'sending')");
      await vi.waitFor(async () => {
        if ((await waiting()).length > 0) throw new Error("something still waits to be posted");
      }, 10_000);
    },
    query,
    async [Symbol.asyncDispose]() {
      for (const shipmate of processes) await shipmate.end("SIGKILL");
      await Promise.all([telegram.close(), model.close()]);
      await database.drop();
      // Its Codex may still be writing its last lines.
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
