import type { ConnectionSpec } from "./app/index.ts";
import type { Bot } from "./bots.ts";
import type { Config } from "./config.ts";
import type { Log } from "./shared/index.ts";

/** The bots that the settings name. A platform's SDK is loaded only where one of its bots is connected. */
export function configuredConnections(config: Config, log: Log): ConnectionSpec[] {
  return config.bots.map((bot) => ({ platform: bot.platform, name: bot.name, create: creatorOf(bot, config, log) }));
}

function creatorOf(bot: Bot, config: Config, log: Log): ConnectionSpec["create"] {
  switch (bot.platform) {
    case "telegram": {
      const [token] = bot.tokens;
      return async (deps) => {
        const { createTelegramAdapter } = await import("../adapters/telegram/index.ts");
        return createTelegramAdapter({ token, apiRoot: config.telegram.apiRoot, log }, deps);
      };
    }
    case "discord": {
      const [token] = bot.tokens;
      return async (deps) => {
        const { createDiscordAdapter } = await import("../adapters/discord/index.ts");
        return createDiscordAdapter({ token, ...config.discord, log }, deps);
      };
    }
    case "slack": {
      const [botToken, appToken] = bot.tokens;
      return async (deps) => {
        const { createSlackAdapter } = await import("../adapters/slack/index.ts");
        return createSlackAdapter({ botToken, appToken, apiUrl: config.slack.apiUrl, log }, deps);
      };
    }
  }
}
