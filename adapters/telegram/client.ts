import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Api, type ApiClientOptions } from "grammy";

/** Idle connections are closed before a router between us and Telegram forgets them: a post into a forgotten one is lost without a word. */
const idleMs = 30_000;

/** One set of connections for all of an adapter's clients. */
export function connectionOptions(apiRoot: string): ApiClientOptions {
  const options = { keepAlive: true, timeout: idleMs };
  const agent = apiRoot.startsWith("https:") ? new HttpsAgent(options) : new HttpAgent(options);
  return { apiRoot, baseFetchConfig: { agent } };
}

export function createApi(token: string, connection: ApiClientOptions, timeoutSeconds: number): Api {
  return new Api(token, { ...connection, timeoutSeconds });
}
