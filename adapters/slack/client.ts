import type { Logger } from "@slack/bolt";
import { LogLevel, WebClient, type WebClientOptions } from "@slack/web-api";

/** The SDKs' own log lines repeat what receipts and states say, and carry payloads: none of them is kept. */
export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

/**
 * What every client here is made with. By default the SDK repeats a call whose response was lost, which posts twice, and
 * waits out a rate limit inside the call; both are the outbox's decision.
 */
export function clientOptions(apiUrl: string, timeoutMs: number): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    logger: silent,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
  };
}

export function createClient(token: string, apiUrl: string, timeoutMs: number): WebClient {
  return new WebClient(token, clientOptions(apiUrl, timeoutMs));
}

/** Takes secrets out of a text: our tokens, anything shaped like one, and the tickets in addresses. */
export function createRedact(...secrets: readonly string[]): (text: string) => string {
  return (text) =>
    secrets
      .filter((secret) => secret !== "")
      .reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text)
      .replace(/\bx(?:ox[a-z]|app)-[\w-]+/giu, "[secret]")
      .replace(/([?&](?:ticket|token)=)[^&\s"']+/giu, "$1[secret]");
}
