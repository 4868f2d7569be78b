import { createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookFilter } from "./types.ts";

/** A call from outside as it came, its headers in shape and its body not yet believed. */
export interface WebhookCall {
  /** The last part of the address. */
  readonly id: string;
  /** Unix seconds, in the digits in which they were signed. */
  readonly timestamp: string;
  /** What the sender calls this one call: the same again is the same call. */
  readonly delivery: string;
  /** HMAC-SHA256 of timestamp, delivery and body. */
  readonly signature: Uint8Array;
  /** What happened, where a header says so. */
  readonly event?: string | undefined;
  readonly format: "json" | "text";
  /** At most 64 KiB. */
  readonly body: Uint8Array;
}

/** What was called, once it is known to come from who has the secret. */
export interface WebhookContent {
  /** The body as it was sent. */
  readonly text: string;
  /** The type from the header, else the text in the body's own `type`. */
  readonly event: string | undefined;
  readonly json: unknown;
}

/** Whether whoever made the call has the secret; it takes as long for a wrong one as for the right one. */
export function isSigned(secret: string, { timestamp, delivery, signature, body }: WebhookCall): boolean {
  const expected = createHmac("sha256", secret).update(`${timestamp}.${delivery}.`).update(body).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

/** Null where the body is not what it says it is: UTF-8 without NUL, and JSON where it calls itself so. */
export function readContent({ body, format, event }: WebhookCall): WebhookContent | null {
  const text = decoded(body);
  // PostgreSQL keeps no NUL in a text.
  if (text === null || text.includes("\0")) return null;
  if (format === "text") return { text, event, json: undefined };
  const json = parsed(text);
  if (json === undefined) return null;
  const own = valueAt(json, "/type");
  return { text, event: event ?? (typeof own === "string" ? own : undefined), json };
}

function decoded(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Undefined where it is no JSON: no JSON means undefined. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a call is one of those that are waited for: of one of the types, if any are named, and with every field as wanted. */
export function letsThrough({ types, fields }: WebhookFilter, { event, json }: WebhookContent): boolean {
  if (types.length > 0 && (event === undefined || !types.includes(event))) return false;
  return fields.every(({ pointer, equals }) => valueAt(json, pointer) === equals);
}

/** What a JSON pointer (RFC 6901) finds; undefined where there is nothing, which no JSON value is. */
export function valueAt(json: unknown, pointer: string): unknown {
  if (pointer === "") return json;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(memberOf, json);
}

function memberOf(json: unknown, key: string): unknown {
  if (Array.isArray(json)) return /^(?:0|[1-9]\d*)$/.test(key) ? (json as unknown[])[Number(key)] : undefined;
  if (typeof json !== "object" || json === null || !Object.hasOwn(json, key)) return undefined;
  return (json as Readonly<Record<string, unknown>>)[key];
}
