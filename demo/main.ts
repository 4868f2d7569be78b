import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { runUntilTold } from "../src/commands/run-until-told.ts";
import { loadConfig } from "../src/config.ts";
import { createLog } from "../src/shared/index.ts";
import { openTerminal } from "../src/terminal.ts";
import { fakeModelName, startFakeModel, writeFakeCatalog } from "../test/fakes/model/index.ts";
import { demoScript } from "./script.ts";

/**
 * Talk to a teammate in this terminal, offline and without an account: everything is real but the model, which is a
 * script and says so. Keeps to a data folder of its own.
 */
const model = await startFakeModel({ script: demoScript });
const config = loadConfig(
  {
    SHIPMATE_HOME: resolve(process.env.SHIPMATE_HOME ?? ".shipmate", "demo"),
    OPENAI_API_KEY: "offline-demo",
    OPENAI_BASE_URL: model.url,
    SHIPMATE_MODEL: fakeModelName,
    PORT: "0",
    LOG_LEVEL: process.env.LOG_LEVEL ?? "silent",
  },
  import.meta.dirname,
);
const say = (line: string) => void process.stdout.write(`${line}\n`);
const { connection, keyboard } = openTerminal();

say(
  "Starting the demo: real Codex, real database, and an offline script in place of the model. Nothing leaves this machine.",
);
await mkdir(config.home, { recursive: true, mode: 0o700 });
await runUntilTold(
  {
    config,
    version: packageJson.version,
    connections: [connection],
    log: createLog(config.logLevel),
    say,
    codex: { modelCatalog: writeFakeCatalog(config.home) },
  },
  keyboard,
);
await model.close();
process.exit(0);
