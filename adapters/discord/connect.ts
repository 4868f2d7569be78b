import { type APIApplication, type APIUser, ApplicationFlags } from "discord.js";
import { type Account, ConnectionError, type ConnectionState } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { describe, isUnauthorized } from "./errors.ts";
import { neededPermissions } from "./permissions.ts";
import { words } from "./words.ts";

/** The bot as Discord knows it. */
export interface Identity {
  readonly botId: string;
  readonly applicationId: string;
  readonly name: string;
  readonly messageContent: boolean;
}

export interface ConnectDeps {
  readonly api: Api;
  readonly apiUrl: string;
  readonly onState: (state: ConnectionState, detail?: string) => void;
  readonly redact: (text: string) => string;
}

/** Asks Discord who we are. Rejects with a `ConnectionError`. */
export async function identify({ api, apiUrl, onState, redact }: ConnectDeps): Promise<Identity> {
  try {
    const [user, application] = await Promise.all([api.me(), api.application()]);
    return toIdentity(user, application);
  } catch (error) {
    if (isUnauthorized(error)) {
      onState("misconfigured", words.invalidToken);
      throw new ConnectionError("invalid_token", words.invalidToken);
    }
    onState("reconnecting", words.unreachable(apiUrl));
    throw new ConnectionError("unreachable", words.unreachable(apiUrl), new Error(redact(describe(error))));
  }
}

const readsMessages = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;

function toIdentity(user: APIUser, { id, flags }: APIApplication): Identity {
  return {
    botId: user.id,
    applicationId: id,
    name: user.global_name ?? user.username,
    messageContent: (Number(flags ?? 0) & Number(readsMessages)) !== 0,
  };
}

export function toAccount({ botId, applicationId, name, messageContent }: Identity): Account {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: "bot applications.commands",
    permissions: String(neededPermissions),
  });
  return {
    botId,
    name,
    link: `https://discord.com/users/${botId}`,
    addLink: `https://discord.com/oauth2/authorize?${query}`,
    notes: messageContent ? [] : [words.noMessageContent],
  };
}
