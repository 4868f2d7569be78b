import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import { failed, type Receipt, type SendErrorKind, wasNeverSent } from "../../src/chat/index.ts";

/** JSON error codes of Discord's API that mean something to us. */
export const code = {
  unknownChannel: 10003,
  unknownMessage: 10008,
  unknownEmoji: 10014,
  unknownWebhook: 10015,
  unknownInteraction: 10062,
  tooManyWebhooks: 30007,
  missingAccess: 50001,
  notTheAuthor: 50005,
  cannotWriteTo: 50007,
  missingPermissions: 50013,
  wrongChannelType: 50024,
  webhookTokenInvalid: 50027,
  threadArchived: 50083,
  noMutualServer: 50278,
  alreadyAnswered: 40060,
  threadExists: 160004,
  threadLocked: 160005,
  tooManyThreads: 160006,
} as const;

const placeGone = new Set<number>([
  code.unknownChannel,
  code.unknownMessage,
  code.unknownWebhook,
  // We were removed from the server, or may not even see the channel any more.
  code.missingAccess,
  code.cannotWriteTo,
  code.noMutualServer,
  code.threadArchived,
  code.threadLocked,
]);

/** What went wrong with a call, as the outbox understands it. `redact` takes the token out of every detail. */
export function toFailure(error: unknown, redact: (text: string) => string): Receipt {
  const detail = redact(describe(error));
  if (error instanceof RateLimitError) return failed("rate_limited", detail, waitOf(error));
  if (error instanceof DiscordAPIError) return failed(kindOf(error), detail);
  // After a 401 discord.js forgets the token and asks Discord no more.
  if (error instanceof Error && /Expected token to be set/.test(error.message)) return failed("refused", detail);
  return wasNeverSent(error) ? failed("unavailable", detail) : { outcome: "unknown", detail };
}

function kindOf({ code: jsonCode, status, url }: DiscordAPIError): SendErrorKind {
  // A sign we may not set, or that somebody who blocked us does not let us set, is missing, and nothing more: no answer waits for it.
  if (status === 403 && url.includes("/reactions/")) return "rejected";
  if (placeGone.has(Number(jsonCode))) return "gone";
  if (Number(jsonCode) === code.notTheAuthor) return "rejected";
  if (status === 401 || status === 403) return "refused";
  return status === 404 ? "gone" : "rejected";
}

/** How long to wait, in milliseconds. */
export function waitOf({ retryAfter, timeToReset, sublimitTimeout }: RateLimitError): number {
  return Math.max(1, Math.ceil(Math.max(retryAfter, timeToReset, sublimitTimeout)));
}

export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof DiscordAPIError && codes.includes(Number(error.code));
}

/** True where Discord answered, and will answer the same again. */
export function isRefusal(error: unknown): error is DiscordAPIError {
  return error instanceof DiscordAPIError;
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 401;
}

/** True where the same call may be made again at once: the server failed, or the line broke. */
export function isPassing(error: unknown): boolean {
  return error instanceof HTTPError || !(error instanceof DiscordAPIError || error instanceof RateLimitError);
}

export function describe(error: unknown): string {
  if (error instanceof RateLimitError) return `rate limited for ${waitOf(error)} ms on ${error.route}`;
  if (error instanceof DiscordAPIError) return `${error.code}: ${error.message}`;
  if (error instanceof HTTPError) return `status ${error.status} ${error.message}`;
  return error instanceof Error ? error.message || error.name : String(error);
}
