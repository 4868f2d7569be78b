import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { closest } from "fastest-levenshtein";
import { z } from "zod";
import { type Bot, readBots } from "./bots.ts";
import { registerSecret } from "./shared/index.ts";

/** What one process may do; all of them by default. */
export const roleNames = ["gateway", "worker", "scheduler", "http"] as const;
export type RoleName = (typeof roleNames)[number];

const flag = z.stringbool({ error: "is on or off: write true or false" });
const url = (protocols: readonly string[], example: string) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `is not a usable address; it looks like ${example}`,
  });
const wholeNumber = (least: number, most: number) => {
  const error = `is a whole number from ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
};
const http = (example: string) => url(["http:", "https:"], example);

/** Every setting, as it stands in the environment or in `.env`. The descriptions become `.env.example`. */
export const settings = z.object({
  SHIPMATE_HOME: z.string().default(".shipmate").describe("The data folder: database, workspaces, Codex's own files."),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{3,}$/, { error: "is not a Telegram token; @BotFather gives one like 123456789:AA…" })
    .optional()
    .describe(
      "The token of your Telegram bot, from @BotFather. Each of the tokens may be there once more per teammate with a bot of its own: TELEGRAM_BOT_TOKEN_PENNY.",
    ),
  TELEGRAM_API_ROOT: http("http://127.0.0.1:8081").optional().describe("Your own Bot API server, where you run one."),
  DISCORD_BOT_TOKEN: z
    .string()
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, {
      error: "is not a Discord bot token; the Developer Portal shows one under Bot, Reset Token",
    })
    .optional()
    .describe("The token of your Discord bot, from the Developer Portal."),
  DISCORD_API_URL: http("https://discord.com/api").optional().describe("Another address for Discord's API."),
  DISCORD_GUILD_IDS: z
    .string()
    .transform((value) => value.split(",").map((id) => id.trim()))
    .pipe(z.array(z.string().regex(/^\d{15,21}$/, { error: "is a list of server ids, separated by commas" })))
    .optional()
    .describe("Servers that get the commands for themselves, at once; all servers get them when absent."),
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xoxb-[\w-]+$/, { error: "is not a bot token; it begins with xoxb- (OAuth & Permissions)" })
    .optional()
    .describe("The bot token of your Slack app; it begins with xoxb-."),
  SLACK_APP_TOKEN: z
    .string()
    .regex(/^xapp-[\w-]+$/, { error: "is not an app-level token; it begins with xapp- (Basic Information)" })
    .optional()
    .describe("The app-level token of the same app, with connections:write; it begins with xapp-."),
  SLACK_API_URL: http("https://slack.com/api/").optional().describe("Another address for Slack's API."),
  OPENAI_API_KEY: z.string().min(1, { error: "is empty" }).optional().describe("The key that pays for the model."),
  OPENAI_BASE_URL: http("https://models.example.com/v1")
    .optional()
    .describe("Any endpoint that speaks the Responses API over plain HTTP; OpenAI's own when absent."),
  SHIPMATE_MODEL: z
    .string()
    .min(1, { error: "is empty" })
    .optional()
    .describe("The model; Codex's default when absent."),
  SHIPMATE_OWNER_CODE: z
    .string()
    .min(8, { error: "is too short to be safe: use 8 characters or more" })
    .optional()
    .describe("Fixes the one-time code by which the owner claims the bot; random when absent."),
  DATABASE_URL: url(["postgres:", "postgresql:"], "postgres://user:password@host:5432/shipmate")
    .optional()
    .describe("Your own PostgreSQL (13 or newer); one is brought along when absent."),
  REDIS_URL: url(["redis:", "rediss:"], "redis://host:6379")
    .optional()
    .describe("Redis for the queue; PostgreSQL carries it when absent."),
  SHIPMATE_ROLES: z
    .string()
    .transform((value) => value.split(",").map((role) => role.trim()))
    .pipe(z.array(z.enum(roleNames, { error: `knows ${roleNames.join(", ")}` })).min(1))
    .default([...roleNames])
    .describe("What this process does, separated by commas: gateway, worker, scheduler, http. All when absent."),
  CODEX_URL: url(["ws:", "wss:"], "ws://computer:4500")
    .optional()
    .describe(
      "A Codex app-server on another machine, which must have SHIPMATE_HOME at the same path; one is started here when absent.",
    ),
  CODEX_TOKEN: z.string().min(1, { error: "is empty" }).optional().describe("The token of that app-server."),
  SHIPMATE_ISOLATED: flag
    .default(false)
    .describe(
      "true where the worker runs in a container of its own that may be broken: teammates may then have full access.",
    ),
  MAX_CONCURRENT_RUNS: wholeNumber(1, 200).default(8).describe("How many tasks run at a time, over all teammates."),
  HOST: z
    .string()
    .default("127.0.0.1")
    .describe("The address that /healthz, /readyz, the pages for secrets, webhooks and calendars listen on."),
  PORT: wholeNumber(0, 65_535).default(8787).describe("Their port; 0 takes any free one."),
  SHIPMATE_PUBLIC_URL: http("https://shipmate.example.com")
    .optional()
    .describe(
      "Where that port is reached from outside, for pages that take a secret, webhooks and calendars; they open only on this machine when absent.",
    ),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "is one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("warn")
    .describe("How much is written to standard error."),
});

export type Settings = z.infer<typeof settings>;

export interface Config {
  /** Absolute path of the data folder. */
  readonly home: string;
  readonly bots: readonly Bot[];
  readonly telegram: { readonly apiRoot: string | undefined };
  readonly discord: { readonly apiUrl: string | undefined; readonly guildIds: readonly string[] | undefined };
  readonly slack: { readonly apiUrl: string | undefined };
  readonly openai: { readonly apiKey: string | undefined; readonly baseUrl: string | undefined };
  readonly model: string | undefined;
  readonly ownerCode: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly roles: ReadonlySet<RoleName>;
  readonly remoteCodex: { readonly url: string; readonly token: string } | undefined;
  readonly isolated: boolean;
  readonly maxConcurrentRuns: number;
  readonly http: { readonly host: string; readonly port: number };
  /** Without a slash at its end. */
  readonly publicUrl: string | undefined;
  readonly logLevel: Settings["LOG_LEVEL"];
}

/** The settings cannot be used; the message has one line a problem and says what to do. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from the environment and from `.env` in `folder`; the environment wins. An empty value counts as absent. */
export function loadConfig(environment: Environment, folder: string): Config {
  const given = { ...readEnvFile(folder), ...withoutEmpty(environment) };
  const parsed = settings.safeParse(given);
  const { bots, problems: botProblems } = readBots(given, settings.shape);
  const problems = [
    ...unknownNames(given),
    ...(parsed.success ? crossProblems(parsed.data) : sentences(parsed.error)),
    ...botProblems,
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join("\n"));
  return toConfig(parsed.data, bots, folder);
}

function toConfig(values: Settings, bots: readonly Bot[], folder: string): Config {
  const { CODEX_URL, CODEX_TOKEN, DATABASE_URL, REDIS_URL } = values;
  for (const secret of [CODEX_TOKEN, values.OPENAI_API_KEY, values.SHIPMATE_OWNER_CODE]) registerSecret(secret);
  for (const bot of bots) for (const token of bot.tokens) registerSecret(token);
  for (const address of [DATABASE_URL, REDIS_URL]) {
    if (address !== undefined) registerPassword(new URL(address).password);
  }
  return {
    home: resolve(folder, values.SHIPMATE_HOME),
    bots,
    telegram: { apiRoot: values.TELEGRAM_API_ROOT },
    discord: { apiUrl: values.DISCORD_API_URL, guildIds: values.DISCORD_GUILD_IDS },
    slack: { apiUrl: values.SLACK_API_URL },
    openai: { apiKey: values.OPENAI_API_KEY, baseUrl: values.OPENAI_BASE_URL },
    model: values.SHIPMATE_MODEL,
    ownerCode: values.SHIPMATE_OWNER_CODE,
    databaseUrl: DATABASE_URL,
    redisUrl: REDIS_URL,
    roles: new Set(values.SHIPMATE_ROLES),
    remoteCodex: CODEX_URL && CODEX_TOKEN ? { url: CODEX_URL, token: CODEX_TOKEN } : undefined,
    isolated: values.SHIPMATE_ISOLATED,
    maxConcurrentRuns: values.MAX_CONCURRENT_RUNS,
    http: { host: values.HOST, port: values.PORT },
    publicUrl: values.SHIPMATE_PUBLIC_URL?.replace(/\/+$/, ""),
    logLevel: values.LOG_LEVEL,
  };
}

/** In both of its forms: as it stands in the address, and as the server knows it. */
function registerPassword(encoded: string): void {
  registerSecret(encoded);
  try {
    registerSecret(decodeURIComponent(encoded));
  } catch {
    // A lone "%" stands for itself.
  }
}

function readEnvFile(folder: string): Environment {
  const path = join(folder, ".env");
  return existsSync(path) ? withoutEmpty(parseEnv(readFileSync(path, "utf8"))) : {};
}

function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""));
}

/** Only our own prefix is checked: the environment is full of names that are none of our business. */
function unknownNames(given: Environment): string[] {
  const known = Object.keys(settings.shape);
  return Object.keys(given)
    .filter((name) => name.startsWith("SHIPMATE_") && !known.includes(name))
    .map((name) => `${name} is no setting of Shipmate. Did you mean ${closest(name, known)}?`);
}

function sentences(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path[0]?.toString() ?? "A setting"} ${issue.message}.`);
}

function crossProblems(values: Settings): string[] {
  const problems: string[] = [];
  if ((values.CODEX_URL === undefined) !== (values.CODEX_TOKEN === undefined)) {
    problems.push("CODEX_URL and CODEX_TOKEN belong together: set both, or neither.");
  }
  if (values.SHIPMATE_ROLES.length < roleNames.length && values.DATABASE_URL === undefined) {
    problems.push("SHIPMATE_ROLES splits the work over several processes; they need one database: set DATABASE_URL.");
  }
  return problems;
}
