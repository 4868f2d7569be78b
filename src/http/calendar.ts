import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import type { Clock, Log } from "../shared/index.ts";
import { wordsFor } from "../words/index.ts";
import { onBroken } from "./broken.ts";
import { createGuesses, fromWhere, retrySeconds } from "./guesses.ts";

export interface CalendarRoutesDeps {
  /** The iCalendar file of an address, of one teammate where named; undefined where there is none. */
  readonly calendarFile: (token: string, teammate?: string) => Promise<string | undefined>;
  /** The address by which people know us. */
  readonly address: () => { readonly base: string };
  readonly clock: Clock;
  readonly log: Log;
}

const statuses = { elsewhere: 403, unknown: 404, tooOften: 429, broken: 500, away: 503 } as const;
const tokenShape = /^([\w-]{22})(?:\.ics)?$/;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** GET /calendar/TOKEN.ics: for programs that show calendars, never for a page in a browser. */
export function calendarRoutes({ calendarFile, address, clock, log }: CalendarRoutesDeps): Hono {
  const guesses = createGuesses(clock);
  const app = new Hono();
  app.onError(onBroken(log, "a calendar could not be shown", tell));
  app.get("/:token", async (context) => {
    // A page elsewhere must not get to it by way of a reader's browser, nor by a name that it points at us.
    if (context.req.header("origin") !== undefined) return tell(context, "elsewhere");
    if (!isOurHost(context.req.header("host"), address().base)) return tell(context, "elsewhere");
    if (guesses.tooMany(fromWhere(context))) return tell(context, "tooOften");
    const token = tokenShape.exec(context.req.param("token"))?.[1];
    const file = token === undefined ? undefined : await calendarFile(token, context.req.query("agent"));
    if (file === undefined) {
      guesses.wrong(fromWhere(context));
      return tell(context, "unknown");
    }
    return show(context, file);
  });
  return app;
}

function show(context: Context, file: string) {
  const tag = `"${createHash("sha256").update(file).digest("base64url")}"`;
  context.header("ETag", tag);
  context.header("Cache-Control", "private, no-cache");
  context.header("X-Content-Type-Options", "nosniff");
  context.header("Referrer-Policy", "no-referrer");
  const known = context.req
    .header("if-none-match")
    ?.split(",")
    .map((each) => each.trim().replace(/^W\//, ""));
  if (known?.includes(tag)) return context.body(null, 304);
  return context.body(file, 200, { "Content-Type": "text/calendar; charset=utf-8" });
}

function isOurHost(host: string | undefined, base: string): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return loopback.test(hostname) || hostname === new URL(base).hostname;
}

function tell(context: Context, what: keyof typeof statuses) {
  context.header("Cache-Control", "no-store");
  if (what === "tooOften" || what === "away") context.header("Retry-After", String(retrySeconds));
  return context.text(wordsFor(undefined).outside.calendarAnswers[what], statuses[what]);
}
