import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type FakeModel, fakeModelName, startFakeModel } from "../fakes/model/index.ts";
import { createTelegram, type Telegram, type TelegramOptions } from "../fakes/telegram/index.ts";
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
  /** Ada becomes the owner, and has seen the greeting. */
  claim(): Promise<void>;
}

export interface WorldOptions {
  readonly telegram?: TelegramOptions;
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
  return {
    telegram,
    model,
    home,
    databaseUrl: database.url,
    async start(more = {}) {
      const shipmate = startShipmate({ home, env: { ...env, ...more } });
      processes.push(shipmate);
      await shipmate.says(/Shipmate is ready/);
      return shipmate;
    },
    async claim() {
      telegram.say(telegram.ada, telegram.ada, `/start ${ownerCode}`);
      await telegram.waitForMessage(telegram.ada, (message) => message.text.includes("You own this Shipmate"));
    },
    async [Symbol.asyncDispose]() {
      for (const shipmate of processes) await shipmate.end("SIGKILL");
      await Promise.all([telegram.close(), model.close()]);
      await database.drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
