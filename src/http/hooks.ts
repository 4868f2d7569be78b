import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { type WebhookAnswer, type WebhookCall, webhookLimits } from "../routines/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import { wordsFor } from "../words/index.ts";
import { onBroken } from "./broken.ts";
import { createGuesses, fromWhere, retrySeconds } from "./guesses.ts";

export interface HookRoutesDeps {
  /** Takes a call whose headers are in shape. */
  readonly receiveHook: (call: WebhookCall) => Promise<WebhookAnswer>;
  readonly clock: Clock;
  readonly log: Log;
}

type Told = keyof ReturnType<typeof wordsFor>["outside"]["hookAnswers"];

/** Every answer, and how HTTP says it. Whoever sends sees nothing of what is behind it. */
const statuses = {
  accepted: 202,
  already: 200,
  filtered: 200,
  headers: 400,
  unreadable: 400,
  unsigned: 401,
  out_of_time: 401,
  unknown: 404,
  method: 405,
  paused: 409,
  too_long: 413,
  format: 415,
  too_often: 429,
  full: 429,
  broken: 500,
  away: 503,
} as const satisfies Record<Told, ContentfulStatusCode>;

const idShape = /^[\w-]{22}$/;
const headersShape = z.object({
  "shipmate-timestamp": z.string().regex(/^\d{1,12}$/),
  "shipmate-delivery": z.string().regex(/^[\x21-\x7e]{1,200}$/),
  "shipmate-signature": z.string().regex(/^v1=[0-9a-f]{64}$/i),
  "shipmate-event": z.string().min(1).max(200).optional(),
});
/** After so long a sender may well try again: longer than a restart takes. */
const awaySeconds = 30;
/** More than all webhooks there can be. */
const mostProven = 256;

/** POST /hooks/ID: a signed call from outside. */
export function hookRoutes({ receiveHook, clock, log }: HookRoutesDeps): Hono {
  const guesses = createGuesses(clock);
  // Whoever guesses from behind the same proxy must not shut out who has the secret.
  const proven = new Set<string>();

  function refuse(context: Context, what: Told) {
    guesses.wrong(fromWhere(context));
    return tell(context, what);
  }

  const app = new Hono();
  app.onError(
    onBroken(log, "a webhook could not be taken", (context, what) =>
      tell(context, what, what === "away" ? awaySeconds : undefined),
    ),
  );
  app.post(
    "/:id",
    async (context, next) => {
      const isGuessing = guesses.tooMany(fromWhere(context)) && !proven.has(context.req.param("id"));
      return isGuessing ? tell(context, "too_often", retrySeconds) : next();
    },
    bodyLimit({ maxSize: webhookLimits.bytes, onError: (context) => refuse(context, "too_long") }),
    async (context) => {
      const call = await readCall(context, context.req.param("id"));
      if (typeof call === "string") return refuse(context, call);
      const answer = await receiveHook(call);
      switch (answer.kind) {
        case "unknown":
        case "unsigned":
        case "out_of_time":
        case "unreadable":
          return refuse(context, answer.kind);
        case "too_often":
          return tell(context, answer.kind, answer.seconds);
        case "full":
          return tell(context, answer.kind, retrySeconds);
        case "accepted":
        case "already":
        case "filtered":
        case "paused":
          if (proven.size >= mostProven) proven.clear();
          proven.add(call.id);
          return tell(context, answer.kind);
      }
    },
  );
  app.all("/:id", (context) => {
    context.header("Allow", "POST");
    return tell(context, "method");
  });
  return app;
}

async function readCall(context: Context, id: string): Promise<WebhookCall | "unknown" | "format" | "headers"> {
  if (!idShape.test(id)) return "unknown";
  const format = formatOf(context.req.header("content-type"));
  if (format === undefined) return "format";
  const headers = headersShape.safeParse(context.req.header());
  if (!headers.success) return "headers";
  return {
    id,
    timestamp: headers.data["shipmate-timestamp"],
    delivery: headers.data["shipmate-delivery"],
    signature: Buffer.from(headers.data["shipmate-signature"].slice("v1=".length), "hex"),
    event: headers.data["shipmate-event"],
    format,
    body: new Uint8Array(await context.req.arrayBuffer()),
  };
}

function formatOf(contentType: string | undefined): WebhookCall["format"] | undefined {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "text/plain") return "text";
  return /^application\/(?:json|[\w.-]+\+json)$/.test(type) ? "json" : undefined;
}

function tell(context: Context, what: Told, retryAfterSeconds?: number) {
  if (retryAfterSeconds !== undefined) context.header("Retry-After", String(retryAfterSeconds));
  context.header("Cache-Control", "no-store");
  const status = statuses[what];
  // What was refused may not have been read to its end: the next call must not be sent after it.
  if (status >= 400) context.header("Connection", "close");
  const text = wordsFor(undefined).outside.hookAnswers[what];
  return context.json(status < 300 ? { status: text } : { error: text }, status);
}
