import { platformName } from "./platforms.ts";

/** What the terminal says when Shipmate starts, stops or cannot. */
export const ready = (platforms: readonly string[]) => `Shipmate is ready: ${platforms.map(platformName).join(", ")}.`;
export const claim = (code: string, link: string | undefined) =>
  link === undefined
    ? `Nobody owns this Shipmate yet. Send it this code in a direct message: ${code}`
    : `Nobody owns this Shipmate yet. Open ${link} and send: /start ${code}`;
export const noConnection =
  "No chat is connected. Set TELEGRAM_BOT_TOKEN (from @BotFather) in the environment or in a file named .env and start again.\nTo look around first, without any account: npm run demo";
export const stopping = "Stopping: no new work is taken, what runs may finish.";
export const stopped = (cut: number) =>
  cut === 0
    ? "Stopped."
    : `Stopped. ${cut} ${cut === 1 ? "task was" : "tasks were"} cut short and will be told so at the next start.`;
export const takenElsewhere = (name: string) =>
  `${name} is served by another Shipmate process. This one waits and takes over when that one ends.`;
export const connectedAgain = (platform: string) => `Connected to ${platformName(platform)} at last.`;
export const computerWaiting = (seconds: number) =>
  `Another Shipmate process uses this database, or ended a moment ago without saying so. I wait up to ${seconds} seconds for it.`;
export const computerTaken = (holder: string) =>
  `Another Shipmate process (${holder}) uses this database and goes on working. Stop it first, or give this one a database of its own.`;
export const noModel =
  "No model account is set, so teammates cannot think yet. Set OPENAI_API_KEY in the environment or in a file named .env (OPENAI_BASE_URL for another endpoint).\nTo look around first, without any account: npm run demo";

export const codexElsewhere = (home: string) =>
  `The app-server at CODEX_URL does not see this data folder. Share ${home} with that machine under the same path.`;
