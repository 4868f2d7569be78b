import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Api, type ApiClientOptions, type Transformer } from "grammy";

/** Idle connections are closed before a router between us and Telegram forgets them: a post into a forgotten one is lost without a word. */
const idleMs = 30_000;

/** One set of connections for all of an adapter's clients. */
export function connectionOptions(apiRoot: string): ApiClientOptions {
  const options = { keepAlive: true, timeout: idleMs };
  const agent = apiRoot.startsWith("https:") ? new HttpsAgent(options) : new HttpAgent(options);
  return { apiRoot, baseFetchConfig: { agent } };
}

/** Chats that got another id since we started: a group that became a supergroup. */
export type MovedChats = Map<string, number>;

export function createApi(
  token: string,
  connection: ApiClientOptions,
  timeoutSeconds: number,
  moved: MovedChats = new Map(),
): Api {
  const api = new Api(token, { ...connection, timeoutSeconds });
  api.config.use(following(moved));
  return api;
}

/** What is meant for a chat that moved goes where it is now: a turn may end long after its group got another id. */
function following(moved: MovedChats): Transformer {
  return async (prev, method, payload, signal) => {
    if (typeof payload !== "object" || payload === null || !("chat_id" in payload))
      return prev(method, payload, signal);
    const chat = String(payload.chat_id);
    const known = moved.get(chat);
    const response = await prev(method, known === undefined ? payload : { ...payload, chat_id: known }, signal);
    const movedTo = response.ok ? undefined : response.parameters?.migrate_to_chat_id;
    if (movedTo === undefined) return response;
    moved.set(chat, movedTo);
    return prev(method, { ...payload, chat_id: movedTo }, signal);
  };
}
