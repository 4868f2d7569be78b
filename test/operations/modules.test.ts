import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDiscord } from "../fakes/discord/index.ts";
import { createSlack } from "../fakes/slack/index.ts";
import { createTelegram } from "../fakes/telegram/index.ts";
import { createMachine, type Environment } from "../support/machine.ts";
import { slackSettings } from "../support/slack-world.ts";

/** Packages that only one platform needs. Each costs some 10 to 35 MB of memory. */
const kits = { Telegram: /^grammy$/, Discord: /^(?:discord\.js|@discordjs\/.+)$/, Slack: /^@slack\/.+$/ };

const settings = {
  Telegram: async () => {
    const telegram = await createTelegram();
    onTestFinished(telegram.close);
    return { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url };
  },
  Discord: async () => {
    const discord = await createDiscord();
    onTestFinished(discord.close);
    return { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_URL: discord.url };
  },
  Slack: async () => {
    const slack = await createSlack();
    onTestFinished(slack.close);
    return slackSettings(slack);
  },
};

/** The packages that the shipped command has loaded once it is ready. */
async function packagesLoaded(env: Environment): Promise<readonly string[]> {
  await using machine = await createMachine(env);
  const file = join(machine.home, "modules");
  const recorder = new URL("../support/record-modules.ts", import.meta.url);
  await machine.start({ NODE_OPTIONS: `--import ${recorder}`, MODULES_FILE: file });
  const modules = (await readFile(file, "utf8")).split("\n");
  return [...new Set(modules.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []))];
}

test.each(["Telegram", "Discord", "Slack"] as const)(
  "a bot for %s alone loads no other platform's packages",
  async (name) => {
    const loaded = await packagesLoaded(await settings[name]());
    const platforms = Object.entries(kits).filter(([, kit]) => loaded.some((one) => kit.test(one)));
    expect(platforms.map(([platform]) => platform)).toEqual([name]);
  },
);

test("what only skills, pictures and servers of tools need is loaded when somebody uses it", async () => {
  const loaded = await packagesLoaded(await settings.Telegram());
  const rare = /^(?:yaml|fflate|dejavu-fonts-ttf|@resvg\/.+|@modelcontextprotocol\/.+)$/;
  expect(loaded.filter((name) => rare.test(name))).toEqual([]);
});
