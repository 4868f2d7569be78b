import packageJson from "../../package.json" with { type: "json" };
import { type Config, ConfigError, loadConfig } from "../config.ts";
import { configuredConnections } from "../connections.ts";
import { createLog } from "../shared/index.ts";
import { wordsFor } from "../words/index.ts";
import { runUntilTold } from "./run-until-told.ts";

/** Runs until told to stop. Ends the process with code 1 and a sentence when it cannot start. */
export async function startCommand(where: "chats" | "terminal"): Promise<void> {
  try {
    const config = loadConfig(process.env, process.cwd());
    await (where === "terminal" ? inTerminal(config) : inChats(config));
    process.exit(0);
  } catch (error) {
    say(sentenceOf(error));
    process.exit(1);
  }
}

async function inChats(config: Config): Promise<void> {
  const words = wordsFor(undefined).start;
  const log = createLog(config.logLevel);
  const connections = configuredConnections(config, log);
  if (connections.length === 0) throw new ConfigError(words.noConnection);
  await runUntilTold({ config, version: packageJson.version, connections, log, say });
}

async function inTerminal(config: Config): Promise<void> {
  const { openTerminal } = await import("../terminal.ts");
  const { connection, keyboard } = openTerminal();
  const log = createLog(config.logLevel);
  await runUntilTold({ config, version: packageJson.version, connections: [connection], log, say }, keyboard);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What went wrong, for a person: our own errors are sentences; anything else is named as the defect it is. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = ["ConfigError", "StorageError", "CodexError", "ConnectionError", "StartError"];
  return known.includes(error.name) ? error.message : `Shipmate could not start: ${error.stack ?? error.message}`;
}
