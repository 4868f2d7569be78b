import type { JsonValue } from "../codex/index.ts";
import type { Account } from "./accounts.ts";
import { fingerprint } from "./keys.ts";

/** What answers model requests, as our threads and as Codex know it. */
export interface Provider {
  /** Names it in our own rows: a thread goes on with the same one, and is forked for another. */
  readonly identity: string;
  /** Its name in Codex; absent where Codex's own default is meant. */
  readonly modelProvider?: string | undefined;
  /** Its settings, for every start, resume and fork. Holds the key. */
  readonly config: Readonly<Record<string, JsonValue>>;
}

export interface ProviderSettings {
  /** OPENAI_BASE_URL. */
  readonly endpoint: string | undefined;
  /** OPENAI_API_KEY. */
  readonly apiKey: string | undefined;
  /** True for an app-server on another machine, which has settings of its own. */
  readonly remote: boolean;
  /** Where a key is used. */
  readonly keyUrl?: string | undefined;
}

/** The name of a key's provider in Codex. Threads keep it for ever: never rename it. */
const keyProvider = "shipmate";
const keyIdentity = "api-key";
const openAi = "https://api.openai.com/v1";

/** Codex's own default: the built-in provider with the plan that it is signed in with, or whatever a remote one is set up with. */
export function planProvider({ remote }: ProviderSettings): Provider {
  return { identity: remote ? "remote" : "openai", config: {} };
}

/** What Codex was started with where the owner has an endpoint of their own. */
export function endpointProvider(endpoint: string): Provider {
  return { identity: endpoint, config: {} };
}

/**
 * A key, as a provider that only this thread knows. Measured on 0.171.0: start, resume and fork all take a whole provider
 * in `config`, key included; the key reaches no file below CODEX_HOME (rollouts, logs and databases were searched) and not
 * the environment of commands. A thread that is loaded keeps the key it was loaded with, whatever a later resume says,
 * so another key counts as another provider, for which the thread is forked. Codex refuses to resume a thread whose
 * provider it does not know ("no longer configured"), so this goes along with every resume; a fork to another provider
 * needs nothing of the old one.
 */
export function keyProviderOf(
  account: Pick<Account, "source"> | undefined,
  key: string | undefined,
  url = openAi,
): Provider {
  const prefix = `model_providers.${keyProvider}`;
  const ofForm = account?.source === "form" && key !== undefined;
  return {
    identity: ofForm ? `${keyIdentity}:${fingerprint(key)}` : keyIdentity,
    modelProvider: keyProvider,
    config: {
      [`${prefix}.name`]: "API key",
      [`${prefix}.base_url`]: url,
      [`${prefix}.wire_api`]: "responses",
      ...(key === undefined ? {} : { [`${prefix}.experimental_bearer_token`]: key }),
    },
  };
}

export function isKeyIdentity(identity: string): boolean {
  return identity === keyIdentity || identity.startsWith(`${keyIdentity}:`);
}
