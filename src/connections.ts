import { createTelegramAdapter } from "../adapters/telegram/index.ts";
import type { ConnectionSpec } from "./app/index.ts";
import type { Config } from "./config.ts";
import type { Log } from "./shared/index.ts";

/** The bots that the settings name. */
export function configuredConnections(config: Config, log: Log): ConnectionSpec[] {
  const { telegram } = config;
  return telegram
    ? [{ platform: "telegram", create: (deps) => createTelegramAdapter({ ...telegram, log }, deps) }]
    : [];
}
