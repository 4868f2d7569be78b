import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type App, startApp } from "../../src/app/index.ts";
import { loadConfig } from "../../src/config.ts";
import { configuredConnections } from "../../src/connections.ts";
import { silentLog } from "../../src/shared/index.ts";
import { type FakeModel, fakeModelName, startFakeModel, writeFakeCatalog } from "../fakes/model/index.ts";
import { createTelegram, type Telegram } from "../fakes/telegram/index.ts";
import { createTestDatabase } from "./database.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));
const ownerCode = "ABCD-2345";

/** Telegram around the whole of Shipmate, with a plan and, where one is given, a key: each has a model of its own. */
export interface PaidWorld extends AsyncDisposable {
  readonly telegram: Telegram;
  readonly plan: FakeModel;
  readonly key: FakeModel;
  readonly app: App;
  /** What is said in Ada's direct message, once it is. */
  told(text: string, timeoutMs?: number): ReturnType<Telegram["waitForMessage"]>;
}

/**
 * Codex's default provider stands for the plan, and needs no sign-in: the real one cannot be reached from here. Everything
 * behind that (who pays, holds, forks, cards) is the product's own.
 */
export async function createPaidWorld(options: { readonly apiKey?: string } = {}): Promise<PaidWorld> {
  await using made = new AsyncDisposableStack();
  await mkdir(scratch, { recursive: true });
  const home = await mkdtemp(`${scratch}home-`);
  made.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const database = made.use(await createTestDatabase());
  const telegram = made.use(await createTelegram());
  const plan = made.use(await startFakeModel());
  const key = made.use(await startFakeModel());
  const settings = {
    SHIPMATE_HOME: home,
    DATABASE_URL: database.url,
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    SHIPMATE_OWNER_CODE: ownerCode,
    OPENAI_API_KEY: options.apiKey,
    PORT: "0",
  };
  const config = loadConfig(settings, home);
  const app = await startApp({
    config,
    version: "0.0.0",
    connections: configuredConnections(config, silentLog),
    log: silentLog,
    say: () => {},
    codex: {
      modelCatalog: writeFakeCatalog(home),
      config: {
        model: fakeModelName,
        model_provider: "plan",
        "model_providers.plan.name": "Plan",
        "model_providers.plan.base_url": plan.url,
        "model_providers.plan.wire_api": "responses",
      },
    },
    keyUrl: key.url,
  });
  made.defer(async () => void (await app.stop(0)));
  const { ada } = telegram;
  telegram.say(ada, ada, `/start ${ownerCode}`);
  await telegram.waitForMessage(ada, (message) => message.text.includes("You own this Shipmate"));
  const kept = made.move();
  return {
    telegram,
    plan,
    key,
    app,
    told: (text, timeoutMs) => telegram.waitForMessage(ada, (message) => message.text.includes(text), timeoutMs),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
