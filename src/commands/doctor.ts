import { existsSync } from "node:fs";
import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createKeys, readAccounts } from "../access/index.ts";
import { type AdapterDeps, ConnectionError } from "../chat/index.ts";
import { findCodexBinary, protocolVersion } from "../codex/index.ts";
import { type Config, loadConfig } from "../config.ts";
import { configuredConnections } from "../connections.ts";
import { openSeal, silentLog, systemClock } from "../shared/index.ts";
import { openStorage } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";

interface Finding {
  readonly name: string;
  readonly outcome: "ok" | "missing" | "broken";
  readonly detail: string;
}

/** Checks everything a start needs, one line each, and ends with code 1 when something is broken. Changes nothing but the data folder. */
export async function doctorCommand(): Promise<void> {
  const findings: Finding[] = [];
  const show = (finding: Finding) => {
    findings.push(finding);
    process.stdout.write(`${marks[finding.outcome]} ${finding.name}: ${finding.detail}\n`);
  };
  show({ name: "Node", outcome: "ok", detail: process.version });
  const config = settings(show);
  if (config) {
    for (const check of [dataFolder, database, codex, model]) show(await check(config));
    for (const finding of await chats(config)) show(finding);
  }
  process.exit(findings.some(({ outcome }) => outcome === "broken") ? 1 : 0);
}

const marks = { ok: "✓", missing: "–", broken: "✗" } as const;

function settings(show: (finding: Finding) => void): Config | undefined {
  try {
    const config = loadConfig(process.env, process.cwd());
    show({ name: "Settings", outcome: "ok", detail: "readable" });
    return config;
  } catch (error) {
    show({ name: "Settings", outcome: "broken", detail: messageOf(error) });
    return undefined;
  }
}

async function dataFolder({ home }: Config): Promise<Finding> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.W_OK);
    return { name: "Data folder", outcome: "ok", detail: home };
  } catch (error) {
    return {
      name: "Data folder",
      outcome: "broken",
      detail: `${home} cannot be written to (${messageOf(error)}). Set SHIPMATE_HOME.`,
    };
  }
}

async function database(config: Config): Promise<Finding> {
  const name = config.redisUrl === undefined ? "Database" : "Database and Redis";
  try {
    await using storage = await openStorage(config, silentLog);
    await storage.ping();
    return {
      name,
      outcome: "ok",
      detail: config.databaseUrl === undefined ? "built in, up to date" : "your own, up to date",
    };
  } catch (error) {
    return { name, outcome: "broken", detail: messageOf(error) };
  }
}

async function codex({ remoteCodex }: Config): Promise<Finding> {
  if (remoteCodex) return { name: "Codex", outcome: "ok", detail: `on another machine, ${remoteCodex.url}` };
  try {
    const { version } = findCodexBinary();
    return version === protocolVersion
      ? { name: "Codex", outcome: "ok", detail: version }
      : {
          name: "Codex",
          outcome: "broken",
          detail: `${version} is installed, ${protocolVersion} is needed: run npm ci`,
        };
  } catch (error) {
    return { name: "Codex", outcome: "broken", detail: messageOf(error) };
  }
}

/** Asks the endpoint for its list of models: costs nothing, and a wrong key shows. */
async function model(config: Config): Promise<Finding> {
  const name = "Model account";
  const { apiKey, baseUrl } = config.openai;
  const { remoteCodex } = config;
  if (remoteCodex) return { name, outcome: "ok", detail: "kept on the other machine" };
  if (baseUrl !== undefined) return endpoint(name, baseUrl, apiKey);
  const signedIn = existsSync(join(config.home, "codex", "auth.json"));
  const plan = signedIn ? ["Codex is signed in"] : [];
  const key = await keyOf(config);
  if (key !== undefined) {
    const finding = await endpoint(name, openAi, key.key);
    return { ...finding, detail: [...plan, `${key.from}: ${finding.detail}`].join("; ") };
  }
  return signedIn
    ? { name, outcome: "ok", detail: plan.join() }
    : {
        name,
        outcome: "missing",
        detail: "send /login to the bot, or set OPENAI_API_KEY; without an account there is npm run demo",
      };
}

const openAi = "https://api.openai.com/v1";

/** The key that would be used. One that was set in the chat goes before that of the environment. */
async function keyOf(config: Config): Promise<{ readonly key: string; readonly from: string } | undefined> {
  const written = await keyOfChat(config);
  if (written !== undefined) return { key: written, from: "the key set in the chat" };
  const { apiKey } = config.openai;
  return apiKey === undefined ? undefined : { key: apiKey, from: "OPENAI_API_KEY" };
}

async function keyOfChat(config: Config): Promise<string | undefined> {
  // What is wrong with the database was told on its own line.
  await using storage = await openStorage(config, silentLog).catch(() => null);
  if (storage === null) return undefined;
  const { key } = await readAccounts(storage.db);
  const keys = createKeys({ seal: await openSeal(config.home), clock: systemClock });
  return key?.source === "form" ? keys.read(key) : undefined;
}

async function endpoint(name: string, baseUrl: string, apiKey: string | undefined): Promise<Finding> {
  try {
    const { status } = await fetch(`${baseUrl.replace(/\/+$/, "")}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(10_000),
    });
    return status === 401 || status === 403
      ? { name, outcome: "broken", detail: `${baseUrl} refuses the key. Set a valid one.` }
      : { name, outcome: "ok", detail: `${baseUrl} answers` };
  } catch (error) {
    return { name, outcome: "broken", detail: `${baseUrl} does not answer (${messageOf(error)})` };
  }
}

async function chats(config: Config): Promise<Finding[]> {
  const specs = configuredConnections(config, silentLog);
  if (specs.length === 0) {
    return [{ name: "Chats", outcome: "missing", detail: wordsFor(undefined).start.noConnection.split("\n")[0] ?? "" }];
  }
  const deps: AdapterDeps = {
    state: { load: async () => undefined, save: async () => {} },
    commands: [],
    onState: () => {},
    known: async () => [],
    form: async () => undefined,
    complete: async () => [],
    mayAsk: async () => false,
  };
  return Promise.all(
    specs.map(async ({ create, ...bot }): Promise<Finding> => {
      const name = wordsFor(undefined).start.botName(bot);
      try {
        const account = await (await create(deps)).connect();
        return { name, outcome: "ok", detail: [account.name, ...account.notes].join(". ") };
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        return { name, outcome: "broken", detail: error.message };
      }
    }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
