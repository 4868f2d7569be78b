import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { envExample } from "../../scripts/generate-env-example.ts";
import { ConfigError, loadConfig, settings } from "../../src/config.ts";
import { redact } from "../../src/shared/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const token = "123456789:AAtest_token_of_a_bot_that_is_not_real";

async function makeFolder(env?: string): Promise<string> {
  await mkdir(join(root, ".shipmate-test"), { recursive: true });
  const folder = await mkdtemp(join(root, ".shipmate-test", "config-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (env !== undefined) await writeFile(join(folder, ".env"), env);
  return folder;
}

/** What is wrong with these settings, one line a problem. */
async function problemsOf(environment: Record<string, string>, env?: string): Promise<string[]> {
  const folder = await makeFolder(env);
  try {
    loadConfig(environment, folder);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n");
    throw error;
  }
  return [];
}

test("without any setting everything has a default", async () => {
  const folder = await makeFolder();
  const config = loadConfig({ PATH: "/usr/bin" }, folder);
  expect(config.home).toBe(join(folder, ".shipmate"));
  expect([...config.roles]).toEqual(["gateway", "worker", "scheduler", "http"]);
  expect(config.http).toEqual({ host: "127.0.0.1", port: 8787 });
  expect(config).toMatchObject({ bots: [], databaseUrl: undefined, redisUrl: undefined, isolated: false });
});

test(".env is read, the environment wins, and an empty value counts as absent", async () => {
  const folder = await makeFolder(`PORT=1234\nLOG_LEVEL=debug\nSHIPMATE_HOME="data folder"\nREDIS_URL=\n# PORT=9\n`);
  const config = loadConfig({ PORT: "4321", LOG_LEVEL: "" }, folder);
  expect(config.http.port).toBe(4321);
  expect(config.logLevel).toBe("debug");
  expect(config.home).toBe(join(folder, "data folder"));
  expect(config.redisUrl).toBeUndefined();
});

test("an unknown SHIPMATE_ name is told with the nearest known one", async () => {
  expect(await problemsOf({ SHIPMATE_HOEM: "/data" })).toEqual([
    "SHIPMATE_HOEM is no setting of Shipmate. Did you mean SHIPMATE_HOME?",
  ]);
  expect(await problemsOf({}, "SHIPMATE_MODLE=x")).toEqual([
    "SHIPMATE_MODLE is no setting of Shipmate. Did you mean SHIPMATE_MODEL?",
  ]);
});

test("other programs' names are none of our business", async () => {
  expect(await problemsOf({ SHIP: "1", npm_config_cache: "x", TELEGRAM_CHAT: "y" })).toEqual([]);
});

test("all problems are told at once, in sentences", async () => {
  const problems = await problemsOf({
    TELEGRAM_BOT_TOKEN: "my bot",
    DISCORD_BOT_TOKEN: "my other bot",
    DISCORD_GUILD_IDS: "general",
    SLACK_API_URL: "slack",
    SLACK_BOT_TOKEN: "xapp-1-A1",
    SLACK_APP_TOKEN: "xoxb-1-B1",
    DATABASE_URL: "localhost:5432",
    REDIS_URL: "http://redis",
    SHIPMATE_ROLES: "gateway,captain",
    PORT: "many",
    MAX_CONCURRENT_RUNS: "0",
    LOG_LEVEL: "loud",
    SHIPMATE_OWNER_CODE: "1234",
    SHIPMATE_TYPO: "x",
  });
  for (const name of [
    "TELEGRAM_BOT_TOKEN is not a Telegram token",
    "DISCORD_BOT_TOKEN is not a Discord bot token",
    "DISCORD_GUILD_IDS is a list of server ids",
    "SLACK_BOT_TOKEN is not a bot token",
    "SLACK_APP_TOKEN is not an app-level token",
    "SLACK_API_URL is not a usable address",
    "DATABASE_URL is not a usable address",
    "REDIS_URL is not a usable address",
    "SHIPMATE_ROLES knows gateway, worker, scheduler, http",
    "PORT is a whole number from 0 to 65535",
    "MAX_CONCURRENT_RUNS is a whole number from 1 to 200",
    "LOG_LEVEL is one of",
    "SHIPMATE_OWNER_CODE is too short",
    "SHIPMATE_TYPO is no setting",
  ]) {
    expect(problems.some((problem) => problem.startsWith(name))).toBe(true);
  }
  expect(problems).toHaveLength(14);
  for (const problem of problems) expect(problem).toMatch(/[.?]$/);
});

test("a bot for everybody, bots of teammates' own, and more than one workspace are told apart by what stands behind the name", async () => {
  const penny = `${token}_of_penny`;
  const { bots } = loadConfig(
    {
      TELEGRAM_BOT_TOKEN: token,
      TELEGRAM_BOT_TOKEN_PENNY: penny,
      DISCORD_BOT_TOKEN: "bot-of-discord.x.bot-of-discord",
      SLACK_BOT_TOKEN_SECOND_OFFICE: "xoxb-1",
      SLACK_APP_TOKEN_SECOND_OFFICE: "xapp-1",
      TELEGRAM_BOT_TOKEN_EMPTY: "",
    },
    await makeFolder(),
  );
  expect(bots).toEqual([
    { platform: "telegram", name: undefined, tokens: [token] },
    { platform: "telegram", name: "penny", tokens: [penny] },
    { platform: "discord", name: undefined, tokens: ["bot-of-discord.x.bot-of-discord"] },
    { platform: "slack", name: "second-office", tokens: ["xoxb-1", "xapp-1"] },
  ]);
  expect(redact(`it is ${penny}`)).toBe("it is [secret]");
});

test("a token that cannot work is told with the name it stands under", async () => {
  expect(await problemsOf({ TELEGRAM_BOT_TOKEN_PENNY: "nonsense" })).toEqual([
    expect.stringContaining("TELEGRAM_BOT_TOKEN_PENNY is not a Telegram token"),
  ]);
  expect(await problemsOf({ SLACK_BOT_TOKEN: "xoxb-1" })).toEqual([
    "SLACK_BOT_TOKEN and SLACK_APP_TOKEN belong together: set both, or neither.",
  ]);
  expect(await problemsOf({ SLACK_APP_TOKEN_PENNY: "xapp-1" })).toEqual([
    "SLACK_APP_TOKEN_PENNY and SLACK_BOT_TOKEN_PENNY belong together: set both, or neither.",
  ]);
  expect(await problemsOf({ TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_TOKEN_PENNY: token })).toEqual([
    "TELEGRAM_BOT_TOKEN_PENNY has the same token as TELEGRAM_BOT_TOKEN: each bot needs one of its own.",
  ]);
});

test("settings that belong together are checked together", async () => {
  expect(await problemsOf({ CODEX_URL: "ws://computer:4500" })).toEqual([
    "CODEX_URL and CODEX_TOKEN belong together: set both, or neither.",
  ]);
  expect(await problemsOf({ SHIPMATE_ROLES: "gateway" })).toEqual([expect.stringContaining("set DATABASE_URL")]);
  expect(await problemsOf({ SHIPMATE_ROLES: "gateway", DATABASE_URL: "postgres://db/shipmate" })).toEqual([]);
});

test("F-66 no problem repeats the secret it is about, and every secret is unspeakable afterwards", async () => {
  const [problem] = await problemsOf({ TELEGRAM_BOT_TOKEN: "secret-but-wrong" });
  expect(problem).not.toContain("secret-but-wrong");
  const secrets = [
    "key-of-the-model",
    "code-of-the-owner",
    "token-of-the-computer",
    "pass%20word-of-db",
    "redis-password",
  ];
  const [key = "", code = "", computer = "", database = "", redis = ""] = secrets;
  loadConfig(
    {
      TELEGRAM_BOT_TOKEN: token,
      OPENAI_API_KEY: key,
      SHIPMATE_OWNER_CODE: code,
      CODEX_URL: "ws://computer:4500",
      CODEX_TOKEN: computer,
      DATABASE_URL: `postgres://ada:${database}@db/shipmate`,
      REDIS_URL: `redis://:${redis}@redis:6379`,
    },
    await makeFolder(),
  );
  for (const secret of [...secrets, token, "pass word-of-db"]) expect(redact(`it is ${secret}`)).toBe("it is [secret]");
});

test("a password with a lone percent sign is accepted", async () => {
  expect(await problemsOf({ DATABASE_URL: "postgres://ada:100%-sure-of-it@db/shipmate" })).toEqual([]);
});

test("every setting says what it means", () => {
  for (const [name, setting] of Object.entries(settings.shape))
    expect([name, setting.description]).toEqual([name, expect.stringMatching(/\.$/)]);
});

test(".env.example is up to date (npm run generate:env)", async () => {
  expect(await readFile(join(root, ".env.example"), "utf8")).toBe(envExample());
});

test("what .env.example shows as defaults is what is used without it", async () => {
  const shown = envExample().replaceAll(/^# ([A-Z_]+=)/gm, "$1");
  const folder = await makeFolder(shown);
  expect(loadConfig({}, folder)).toEqual(loadConfig({}, await makeFolderLike(folder)));
});

/** The same place without an `.env`, so that relative paths come out alike. */
async function makeFolderLike(folder: string): Promise<string> {
  await rm(join(folder, ".env"));
  return folder;
}
