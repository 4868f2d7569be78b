import { z } from "zod";

/** How many servers there may be. */
export const mostServers = 32;

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/u);
const header = z.string().regex(/^[A-Za-z0-9-]{1,100}$/u);

/** How a server is reached, without anything secret. */
export const mcpConfigSchema = z.discriminatedUnion("transport", [
  z.object({
    transport: z.literal("stdio"),
    command: z.string().min(1).max(1_000),
    args: z.array(z.string().max(4_000)).max(64),
    /** Absolute; a folder of ours when absent. */
    cwd: z.string().max(1_000).optional(),
    /** Names of variables that hold keys. */
    env: z.array(name).max(32),
  }),
  z.object({
    transport: z.literal("http"),
    /** Without user, query and fragment: those are secrets, in `McpSecrets.url`. */
    url: z.url({ protocol: /^https?$/ }).max(2_000),
    /** Names of headers that hold keys. */
    headers: z.array(header).max(32),
    /** Whether a key goes along as a bearer token. */
    bearer: z.boolean(),
  }),
]);
export type McpConfig = z.infer<typeof mcpConfigSchema>;

/** What must not be read anywhere. A value `env:NAME` stands for that variable of Shipmate's own environment. */
export const mcpSecretsSchema = z.object({
  values: z.record(z.string(), z.string()),
  bearer: z.string().optional(),
  /** The whole address, where it has parts that may be secret. */
  url: z.string().optional(),
});
export type McpSecrets = z.infer<typeof mcpSecretsSchema>;

export const noSecrets: McpSecrets = { values: {} };

/** Where a key goes: a variable's or header's name; null for a bearer token. */
export type KeyName = string | null;

export type NameProblem = "name_letters" | "name_reserved";

/** Names become part of what tools are called. */
export function nameProblem(serverName: string): NameProblem | null {
  if (!/^[a-z0-9][a-z0-9_-]{0,31}$/u.test(serverName)) return "name_letters";
  return reserved.has(serverName) || serverName.startsWith("mcp__") ? "name_reserved" : null;
}

const reserved: ReadonlySet<string> = new Set(["shipmate", "codex_apps", "codex"]);

/** Codex writes a dash in the name of a tool as an underscore: names that differ in nothing else are one. */
export function sameName(one: string, other: string): boolean {
  return one.replaceAll("-", "_") === other.replaceAll("-", "_");
}

export function keyNames(config: McpConfig): readonly KeyName[] {
  switch (config.transport) {
    case "stdio":
      return config.env;
    case "http":
      return config.bearer ? [null, ...config.headers] : config.headers;
  }
}

export function hasKey(secrets: McpSecrets, key: KeyName): boolean {
  return (key === null ? secrets.bearer : secrets.values[key]) !== undefined;
}

/** A configuration that has a place for this key. */
export function withKey(config: McpConfig, key: KeyName): McpConfig {
  switch (config.transport) {
    case "stdio":
      return key === null ? config : { ...config, env: [...new Set([...config.env, key])] };
    case "http":
      return key === null
        ? { ...config, bearer: true }
        : { ...config, headers: [...config.headers.filter((each) => !isSame(each, key)), key] };
  }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Both, the newer ones first; of one header there is one, however it is written. */
export function mergeSecrets(old: McpSecrets, more: McpSecrets): McpSecrets {
  const names = Object.keys(more.values);
  const kept = Object.entries(old.values).filter(([each]) => !names.some((other) => isSame(each, other)));
  return { ...old, ...more, values: { ...Object.fromEntries(kept), ...more.values } };
}

/** Whether keys meant for the one would get to somebody else with the other: another host, scheme, port or program. */
export function leadsElsewhere(from: McpConfig, to: McpConfig): boolean {
  if (from.transport === "http" && to.transport === "http") return new URL(from.url).origin !== new URL(to.url).origin;
  if (from.transport === "http" || to.transport === "http") return true;
  const program = ({ command, args, cwd }: typeof from) => JSON.stringify([command, args, cwd]);
  return program(from) !== program(to);
}
