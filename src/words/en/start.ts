import { platformName } from "./platforms.ts";

/** What the terminal says when Shipmate starts, stops or cannot. */
export const ready = (bots: readonly NamedBot[]) => `Shipmate is ready: ${bots.map(botName).join(", ")}.`;
export const unowned = (code: string) =>
  `Nobody owns this Shipmate yet. It belongs to the first one who sends it this code in a direct message: ${code}`;
export const reach = (bot: NamedBot, link: string, addLink: string | undefined) =>
  addLink === undefined
    ? `  ${botName(bot)}: ${link}`
    : `  ${botName(bot)}: first add it to your server: ${addLink}\n    then send it the code: ${link}`;
export const noConnection =
  "No chat is connected. Set TELEGRAM_BOT_TOKEN (from @BotFather), DISCORD_BOT_TOKEN, or SLACK_BOT_TOKEN and SLACK_APP_TOKEN, in the environment or in a file named .env, and start again. docs/set-up.md leads through each.\nTo look around first, without any account: npm run demo";
export const stopping = "Stopping: no new work is taken, what runs may finish.";
export const stopped = (cut: number) =>
  cut === 0
    ? "Stopped."
    : `Stopped. ${cut} ${cut === 1 ? "task was" : "tasks were"} cut short and will be told so at the next start.`;
export const takenElsewhere = (name: string) =>
  `${name} is served by another Shipmate process. This one waits and takes over when that one ends.`;
export const connectedAgain = (bot: NamedBot) => `Connected to ${botName(bot)} at last.`;
export const computerWaiting = (seconds: number) =>
  `Another Shipmate process uses this database, or ended a moment ago without saying so. I wait up to ${seconds} seconds for it.`;
export const computerTaken = (holder: string) =>
  `Another Shipmate process (${holder}) uses this database and goes on working. Stop it first, or give this one a database of its own.`;
export const noModel =
  "No model account is set, so teammates cannot think yet. Send /login to the bot in a direct message to sign in with a plan or to set a key; or set OPENAI_API_KEY in the environment or in a file named .env (OPENAI_BASE_URL for another endpoint).\nTo look around first, without any account: npm run demo";

export const codexElsewhere = (home: string) =>
  `The app-server at CODEX_URL does not see this data folder. Share ${home} with that machine under the same path.`;

interface NamedBot {
  readonly platform: string;
  readonly name?: string | undefined;
}

/** A bot as people know it: `Discord (penny)`. */
export function botName({ platform, name }: NamedBot): string {
  return name === undefined ? platformName(platform) : `${platformName(platform)} (${name})`;
}
