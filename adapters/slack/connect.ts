import { WebAPIRateLimitedError, type WebClient } from "@slack/web-api";
import { type Account, ConnectionError } from "../../src/chat/index.ts";
import type { Self } from "./directory.ts";
import { describe, errorCode } from "./errors.ts";
import { appTokenProblem, botTokenProblem, scopeCosts, words } from "./words.ts";

/** Who we are, and what we may do. */
export interface SignedIn {
  readonly self: Self;
  /** What the bot token was granted; undefined where Slack does not say. */
  readonly scopes: readonly string[] | undefined;
}

export interface ConnectDeps {
  /** With the bot token. */
  readonly client: WebClient;
  /** With the app token. */
  readonly appClient: WebClient;
  readonly apiUrl: string;
  readonly redact: (text: string) => string;
}

/** Asks Slack whose bot token this is. Rejects with a `ConnectionError`. */
export async function signIn(deps: ConnectDeps): Promise<SignedIn> {
  const answer = await deps.client.auth.test().catch((error: unknown) => {
    throw toConnectionError(error, botTokenProblem(errorCode(error)), deps);
  });
  const { team_id: teamId = "", user_id: userId = "", bot_id: botId = "", url = "", user: name = "Shipmate" } = answer;
  // A person's token also signs in, but Slack would show what we say as theirs.
  if (botId === "") throw new ConnectionError("invalid_token", words.invalidBotToken);
  return { self: { teamId, userId, botId, url, name }, scopes: answer.response_metadata?.scopes };
}

/** Checks the app token by asking for a socket's address, which is not used: Slack has no other way to ask. */
export async function checkAppToken(deps: ConnectDeps): Promise<void> {
  await deps.appClient.apps.connections.open({}).catch((error: unknown) => {
    throw toConnectionError(error, appTokenProblem(errorCode(error)), deps);
  });
}

function toConnectionError(
  error: unknown,
  problem: string | undefined,
  { apiUrl, redact }: ConnectDeps,
): ConnectionError {
  if (problem !== undefined) return new ConnectionError("invalid_token", problem);
  const detail =
    error instanceof WebAPIRateLimitedError ? words.rateLimited(error.retryAfter) : words.unreachable(apiUrl);
  return new ConnectionError("unreachable", detail, new Error(redact(describe(error))));
}

/** The app token carries the id of the app: `xapp-1-A0123…-…`. */
const appIdIn = /^xapp-\d+-(A[0-9A-Z]+)-/u;

export function toAccount({ self, scopes }: SignedIn, appToken: string): Account {
  const appId = appIdIn.exec(appToken)?.[1];
  const inSlack = `slack://user?team=${self.teamId}&id=${self.userId}`;
  return {
    botId: `${self.teamId}:${self.userId}`,
    name: self.name,
    // Opens the conversation with the app, also from a browser (docs.slack.dev/interactivity/deep-linking).
    link: appId === undefined ? inSlack : `https://slack.com/app_redirect?app=${appId}&team=${self.teamId}`,
    notes: missingScopes(scopes).map(([scope, cost]) => words.missingScope(scope, cost)),
  };
}

function missingScopes(scopes: readonly string[] | undefined): readonly (readonly [string, string])[] {
  return scopes === undefined ? [] : Object.entries(scopeCosts).filter(([scope]) => !scopes.includes(scope));
}
