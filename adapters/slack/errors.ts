import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";
import { failed, type Receipt, wasNeverSent } from "../../src/chat/index.ts";

const tokenDead = new Set([
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
  "user_removed_from_team",
  "team_disabled",
  "app_uninstalled",
]);

const placeGone = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "message_not_found",
  "thread_not_found",
  "channel_is_limited_access",
  "user_not_found",
  "user_not_in_channel",
  "user_disabled",
  "users_not_found",
  // A thread that takes nothing more: what is meant for it must not hold up the rest of the channel.
  "cannot_reply_to_message",
  "restricted_action_thread_locked",
]);

const notAllowed = new Set([
  "missing_scope",
  "no_permission",
  "not_allowed_token_type",
  "access_denied",
  "restricted_action",
  "restricted_action_read_only_channel",
  "restricted_action_thread_only_channel",
  "restricted_action_non_threadable_channel",
  "ekm_access_denied",
]);

/** Slack did nothing, and may do it a little later. */
const notNow = new Set(["service_unavailable", "team_added_to_org", "rate_limited", "message_limit_exceeded"]);
/** Slack does not say how far it came. */
const unclear = new Set(["internal_error", "fatal_error", "request_timeout"]);

/** The platform's own name of what went wrong, such as `channel_not_found`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** Slack says no to what we may do elsewhere; true also where nobody could ever allow it. */
export function isNotAllowed(code: string | undefined): boolean {
  return code !== undefined && notAllowed.has(code);
}

export function isDeadToken(code: string | undefined): boolean {
  return code !== undefined && tokenDead.has(code);
}

/** What went wrong with a call, as the outbox understands it. `redact` takes the tokens out of every detail. */
export function toFailure(error: unknown, redact: (text: string) => string): Receipt {
  const detail = redact(describe(error));
  if (error instanceof WebAPIRateLimitedError)
    return failed("rate_limited", detail, Math.max(1, error.retryAfter) * 1000);
  const code = errorCode(error);
  if (code !== undefined && /^[a-z_]+$/u.test(code)) return fromCode(code, detail);
  // An answer that is no JSON comes from something between Slack and us.
  if (code !== undefined || !wasNeverSent(error)) return { outcome: "unknown", detail };
  return failed("unavailable", detail);
}

function fromCode(code: string, detail: string): Receipt {
  if (code === "ratelimited") return failed("rate_limited", detail, 1000);
  if (unclear.has(code)) return { outcome: "unknown", detail };
  if (notNow.has(code)) return failed("unavailable", detail);
  if (placeGone.has(code)) return failed("gone", detail);
  if (tokenDead.has(code) || notAllowed.has(code)) return failed("refused", detail);
  return failed("rejected", detail);
}

export function describe(error: unknown): string {
  if (error instanceof WebAPIPlatformError) return error.data.error.slice(0, 200);
  if (error instanceof WebAPIHTTPError) return `HTTP status ${error.statusCode}`;
  if (error instanceof WebAPIRequestError) return `${error.message} ${describe(error.original)}`;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
