import { GrammyError, HttpError } from "grammy";
import { failed, type Receipt, wasNeverSent } from "../../src/chat/index.ts";

const placeGone =
  /not found|MESSAGE_ID_INVALID|PEER_ID_INVALID|TOPIC_(?:CLOSED|DELETED)|topic is closed|upgraded to a supergroup|user is deactivated/i;
const notAllowed =
  /not enough rights|have no rights|need administrator rights|CHAT_WRITE_FORBIDDEN|CHAT_SEND_\w+_FORBIDDEN/i;

/** What went wrong with a call, as the outbox understands it. `redact` takes the token out of every detail. */
export function toFailure(error: unknown, redact: (text: string) => string): Receipt {
  if (error instanceof GrammyError) return fromTelegram(error, redact(error.description));
  const detail = redact(describe(error));
  return wasNeverSent(error) ? failed("unavailable", detail) : { outcome: "unknown", detail };
}

function fromTelegram({ error_code: code, parameters, description }: GrammyError, detail: string): Receipt {
  if (code >= 500) return { outcome: "unknown", detail };
  if (code === 429) return failed("rate_limited", detail, (parameters.retry_after ?? 1) * 1000);
  // A malformed token is 404, on every method.
  if (code === 401 || code === 404) return failed("refused", detail);
  // The place got another id; an update with it is on its way, and then the same post is addressed anew.
  if (parameters.migrate_to_chat_id !== undefined) return failed("unavailable", detail, 3000);
  if (code === 403) return failed("gone", detail);
  if (code === 400 && notAllowed.test(description)) return failed("refused", detail);
  if (code === 400 && placeGone.test(description)) return failed("gone", detail);
  return failed("rejected", detail);
}

/** A right is missing in this one chat, as the detail of a refusal tells; our token is fine. */
export function isForbidden(detail: string): boolean {
  return notAllowed.test(detail);
}

/** Telegram could not read our HTML; the same text without markup is always taken. */
export function cannotParse(error: unknown): boolean {
  return isRefusal(error, /can't parse entities/i);
}

/** An edit that changes nothing has what it wanted. */
export function notModified(error: unknown): boolean {
  return isRefusal(error, /message is not modified/i);
}

/** Telegram does not want this picture as a photo (odd dimensions, broken header); as a document it takes anything. */
export function notAPhoto(error: unknown): boolean {
  return isRefusal(error, /IMAGE_PROCESS_FAILED|PHOTO_|too big for a photo|wrong type of the web page/i);
}

export function isRefusal(error: unknown, description: RegExp): boolean {
  return error instanceof GrammyError && error.error_code === 400 && description.test(error.description);
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404);
}

export function describe(error: unknown): string {
  if (error instanceof HttpError) return `${error.message} ${describe(error.error)}`;
  return error instanceof Error ? error.message : String(error);
}
