import { createHash } from "node:crypto";
import { join } from "node:path";
import type { JsonValue } from "../codex/index.ts";
import { registerSecret } from "../shared/index.ts";
import type { McpConfig, McpSecrets } from "./config.ts";

/** The MCP servers of one teammate's threads. */
export interface McpSetup {
  /** As Codex takes them (`mcp_servers.…`). Holds their secrets: never log it. */
  readonly config: Readonly<Record<string, JsonValue>>;
  /** Changes exactly when the set or a setting does; "" without any. */
  readonly fingerprint: string;
}

export const noSetup: McpSetup = { config: {}, fingerprint: "" };

/** How long a server may take to start, in seconds. */
export const startupSeconds = 20;

/** Where programs run that were given no folder: outside of every workspace, so that what runs there is not for a teammate to change. */
export function defaultFolder(home: string): string {
  return join(home, "mcp");
}

export interface Surroundings {
  /** SHIPMATE_HOME. */
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** One server as Codex takes it. Whatever is secret in it can be said nowhere any more from here on. */
export function toCodex(config: McpConfig, secrets: McpSecrets, { home, environment }: Surroundings): JsonValue {
  const value = (given: string | undefined) => {
    const variable = variableOf(given);
    const found = variable === undefined ? given : environment[variable];
    registerSecret(found);
    return found;
  };
  const named = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const found = value(secrets.values[name]);
        return found === undefined ? [] : [[name, found]];
      }),
    );
  switch (config.transport) {
    case "stdio":
      return {
        command: config.command,
        args: [...config.args],
        cwd: config.cwd ?? defaultFolder(home),
        env: named(config.env),
        startup_timeout_sec: startupSeconds,
      };
    case "http": {
      const bearer = config.bearer ? value(secrets.bearer) : undefined;
      registerAddress(secrets.url);
      return {
        url: secrets.url ?? config.url,
        http_headers: {
          ...named(config.headers),
          ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        },
        startup_timeout_sec: startupSeconds,
      };
    }
  }
}

const reference = "env:";

/** The variable of Shipmate's environment that stands for a key, where it is not the key itself. */
function variableOf(value: string | undefined): string | undefined {
  return value?.startsWith(reference) ? value.slice(reference.length) : undefined;
}

/** A variable that a key is to come from and that is not there. */
export function missingVariable(secrets: McpSecrets, environment: NodeJS.ProcessEnv): string | undefined {
  const named = [secrets.bearer, ...Object.values(secrets.values)].map(variableOf);
  return named.find((name) => name !== undefined && environment[name] === undefined);
}

/** What is secret in an address, part by part: error messages show it whole. */
function registerAddress(url: string | undefined): void {
  if (url === undefined) return;
  const { search, searchParams, password } = new URL(url);
  for (const part of [search, decodeURIComponent(password), ...searchParams.values()]) registerSecret(part);
}

export interface SetUp {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly config: McpConfig;
  readonly secrets: McpSecrets;
}

export function setupOf(servers: readonly SetUp[], surroundings: Surroundings): McpSetup {
  if (servers.length === 0) return noSetup;
  const entries = servers.map(({ name, config, secrets }) => [
    `mcp_servers.${name}`,
    toCodex(config, secrets, surroundings),
  ]);
  const hash = createHash("sha256").update(
    JSON.stringify(servers.map(({ id, name, revision }) => [id, name, revision])),
  );
  return {
    // Where nobody has a keyring, and one place to look for what was signed in to.
    config: { mcp_oauth_credentials_store: "file", ...Object.fromEntries(entries) },
    fingerprint: hash.digest("hex").slice(0, 32),
  };
}

/**
 * The same for a teammate that acts on its own: its turns ask nobody, and Codex 0.171 refuses every tool of a server there that is not
 * allowed beforehand.
 */
export function withoutAsking({ config, fingerprint }: McpSetup): McpSetup {
  if (fingerprint === "") return noSetup;
  const allowed = Object.entries(config).map(([key, value]) => [
    key,
    isServer(key, value) ? { ...value, default_tools_approval_mode: "approve" } : value,
  ]);
  return { config: Object.fromEntries(allowed), fingerprint: `${fingerprint}-alone` };
}

function isServer(key: string, value: JsonValue | undefined): value is { [key: string]: JsonValue | undefined } {
  return key.startsWith("mcp_servers.") && typeof value === "object" && value !== null && !Array.isArray(value);
}
