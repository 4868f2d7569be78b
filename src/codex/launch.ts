import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { ConfigValue } from "./server.ts";
import type { Launch } from "./stdio.ts";

export interface LaunchOptions {
  binary: string;
  codexHome: string;
  /** Another one for every start. */
  launchId: string;
  toolNamespaces: readonly string[];
  openai: { apiKey: string | undefined; baseUrl: string | undefined } | undefined;
  modelCatalog: string | undefined;
  config: Readonly<Record<string, ConfigValue>>;
  environment: NodeJS.ProcessEnv;
}

/** The name of our model provider in Codex's settings. */
const modelProvider = "shipmate";

/** The variable that carries an endpoint's key to Codex; commands that agents run do not get it. */
const keyVariable = "MODEL_API_KEY";

/** The variable by which everything that our app-server started, directly or not, is known as ours. */
const ownerVariable = "CODEX_OWNED_BY";

/** How the owner variable starts for a folder: the same for every launch on it, another for every other folder. */
export function folderMark(codexHome: string): string {
  return `${ownerVariable}=shipmate-${createHash("sha256").update(resolve(codexHome)).digest("hex").slice(0, 16)}-`;
}

/** The owner variable of one launch, as it stands in the environment of everything that came from it. */
export function launchMark(codexHome: string, launchId: string): string {
  return `${folderMark(codexHome)}${launchId}`;
}

/** How to start app-server; `listen` is what follows the settings, nothing for standard streams. */
export function describeLaunch(options: LaunchOptions, listen: readonly string[] = []): Launch {
  const settings = Object.entries({ ...defaults(options), ...provider(options), ...options.config });
  return {
    command: options.binary,
    args: ["app-server", ...listen, ...settings.flatMap(([key, value]) => ["-c", `${key}=${toToml(value)}`])],
    env: {
      ...allowed(options.environment),
      CODEX_HOME: options.codexHome,
      [ownerVariable]: launchMark(options.codexHome, options.launchId).slice(ownerVariable.length + 1),
      ...(hasEndpoint(options) && options.openai?.apiKey !== undefined ? { [keyVariable]: options.openai.apiKey } : {}),
    },
    cwd: options.codexHome,
  };
}

function defaults({ toolNamespaces, modelCatalog }: LaunchOptions): Record<string, ConfigValue> {
  return {
    check_for_update_on_startup: false,
    cli_auth_credentials_store: "file",
    "analytics.enabled": false,
    // Both ask the network for catalogues at every start.
    "features.plugins": false,
    "features.apps": false,
    // Snapshots make 50 threads started at once take 7 s instead of 0.3 s.
    "features.shell_snapshot": false,
    // Seconds. A thread that nobody listens to any more leaves the memory, and its MCP servers end.
    thread_unload_delay_secs: 1_800,
    // Otherwise a turn never fails when the provider cannot be reached.
    "features.unbounded_connection_retries": false,
    // Otherwise code-mode models call our tools from a script cell that gives up on a call after 30 s.
    "features.code_mode.direct_only_tool_namespaces": toolNamespaces,
    // Tools that compete with ours (colleagues, questions), or that nobody would see.
    "features.goals": false,
    "features.multi_agent": false,
    "tools.experimental_request_user_input.enabled": false,
    // A teammate that needs the network or another folder can ask for it, and a person decides on a card.
    "features.request_permissions_tool": true,
    // Plans are shown in the live view, and Codex has them switched off.
    "tools.update_plan.enabled": true,
    // Commands get the environment Shipmate was started in. A login shell would run the user's profile before every
    // single command, which costs time, and one ended in the middle of it may leave locks behind that block the next.
    allow_login_shell: false,
    "shell_environment_policy.exclude": [keyVariable, "OPENAI_API_KEY", "CODEX_API_KEY"],
    ...(modelCatalog === undefined ? {} : { model_catalog_json: modelCatalog }),
  };
}

/**
 * A provider of our own for somebody's own endpoint. Codex's built-in one first tries a WebSocket, seven times, which
 * other endpoints do not have, and hosted web search is left out for the same reason. Where there is none the default
 * stays Codex's built-in provider with its sign-in, and a key for OpenAI comes with each thread that it pays for.
 */
function provider({ openai }: LaunchOptions): Record<string, ConfigValue> {
  if (openai?.baseUrl === undefined) return {};
  const prefix = `model_providers.${modelProvider}`;
  return {
    model_provider: modelProvider,
    [`${prefix}.name`]: "API key",
    [`${prefix}.base_url`]: openai.baseUrl,
    [`${prefix}.wire_api`]: "responses",
    ...(openai.apiKey === undefined ? {} : { [`${prefix}.env_key`]: keyVariable }),
    web_search: "disabled",
  };
}

function hasEndpoint({ openai }: LaunchOptions): boolean {
  return openai?.baseUrl !== undefined;
}

const allowedNames: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "RUST_LOG",
  // What Windows needs to start anything at all.
  "SystemRoot",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "TEMP",
]);

/** Only what a shell needs: bot tokens, database passwords and keys stay with us. */
function allowed(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isAllowed = (name: string) => allowedNames.has(name) || /^(?:LC_|GIT_(?:AUTHOR|COMMITTER)_)/.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isAllowed(name)));
}

/** A value as `-c key=value` takes it. JSON strings are valid TOML strings. */
function toToml(value: ConfigValue): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(toToml).join(", ")}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)} = ${toToml(member)}`);
  return `{ ${members.join(", ")} }`;
}

function isList(value: ConfigValue): value is readonly ConfigValue[] {
  return Array.isArray(value);
}
