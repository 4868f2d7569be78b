import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Clock, Log } from "../shared/index.ts";
import { wordsFor } from "../words/index.ts";
import { createGuesses, fromWhere, type Guesses } from "./guesses.ts";
import { contentPolicy, type FormPage, formPage, plainPage, shownPage } from "./page.ts";

type Shown = Pick<FormPage, "title" | "intro" | "fields" | "button">;

interface Parts {
  readonly title: string;
  readonly texts: readonly { readonly label: string; readonly text: string }[];
}

/** Pages that are filled in once, by their token. Null and `over`: unknown, used up or run out, which nobody is told apart. */
export interface FormDesk {
  open(token: string): Promise<Shown | null>;
  submit(
    token: string,
    values: Readonly<Record<string, string>>,
  ): Promise<
    | { readonly kind: "done"; readonly text: string; readonly shown?: Parts | undefined }
    | { readonly kind: "over" }
    | { readonly kind: "invalid"; readonly text: string; readonly form: Shown }
    | { readonly kind: "invalid"; readonly problem: "empty" | "too_long"; readonly form: Shown }
  >;
}

export interface FormRoutesDeps {
  readonly forms: FormDesk;
  readonly clock: Clock;
  readonly log: Log;
}

const mostBytes = 64 * 1024;
/** What is told instead of a page, and how HTTP says it. */
const statuses = { over: 404, elsewhere: 403, tooLong: 413, tooOften: 429 } as const;

/** GET shows a page and uses nothing up, since chats look at links before people do; POST takes what was written. */
export function formRoutes({ forms, clock, log }: FormRoutesDeps): Hono {
  const guesses = createGuesses(clock);
  const app = new Hono();
  app.onError((error, context) => {
    log.error({ err: error }, "a page could not be served");
    const words = wordsFor(undefined).pages;
    return context.html(plainPage(words.sorryTitle, words.broken), 500);
  });
  app.use("/:token", privately(), slowly(guesses));
  app.get("/:token", async (context) => {
    const form = await forms.open(context.req.param("token"));
    return form === null ? over(context, guesses) : context.html(formPage(form));
  });
  app.post(
    "/:token",
    bodyLimit({ maxSize: mostBytes, onError: (context) => tell(context, "tooLong") }),
    async (context) => {
      if (!isFromHere(context)) return tell(context, "elsewhere");
      const submitted = await forms.submit(context.req.param("token"), await written(context));
      switch (submitted.kind) {
        case "done":
          return thanks(context, submitted);
        case "over":
          return over(context, guesses);
        case "invalid":
          return context.html(formPage({ ...submitted.form, problem: problemOf(submitted) }), 422);
      }
    },
  );
  return app;
}

function thanks(context: Context, { text, shown }: { readonly text: string; readonly shown?: Parts | undefined }) {
  if (shown !== undefined) return context.html(shownPage(shown.title, text, shown.texts));
  const words = wordsFor(undefined).pages;
  return context.html(plainPage(words.doneTitle, `${text}\n${words.doneHint}`));
}

function problemOf(submitted: { readonly text: string } | { readonly problem: "empty" | "too_long" }): string {
  if ("text" in submitted) return submitted.text;
  const words = wordsFor(undefined).pages;
  return submitted.problem === "empty" ? words.empty : words.tooLong;
}

/** No cache, no search engine, no frame and no other page gets to know of it. */
function privately(): MiddlewareHandler {
  const policy = contentPolicy();
  return async (context, next) => {
    await next();
    context.header("Content-Security-Policy", policy);
    context.header("Cache-Control", "no-store");
    context.header("Referrer-Policy", "no-referrer");
    context.header("X-Robots-Tag", "noindex, nofollow");
    context.header("X-Content-Type-Options", "nosniff");
    context.header("X-Frame-Options", "DENY");
  };
}

function slowly(guesses: Guesses): MiddlewareHandler {
  return async (context, next) => {
    if (guesses.tooMany(fromWhere(context))) return tell(context, "tooOften");
    return next();
  };
}

function over(context: Context, guesses: Guesses) {
  guesses.wrong(fromWhere(context));
  return tell(context, "over");
}

function tell(context: Context, what: keyof typeof statuses) {
  const words = wordsFor(undefined).pages;
  return context.html(plainPage(what === "over" ? words.overTitle : words.sorryTitle, words[what]), statuses[what]);
}

/**
 * Whether a browser sent it from our own page. With our referrer policy it says "null" for where it comes from, and the
 * newer header tells; without both it is no browser, and nobody else's page.
 */
function isFromHere(context: Context): boolean {
  const site = context.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = context.req.header("origin");
  if (origin === undefined || origin === "null") return true;
  return URL.canParse(origin) && new URL(origin).host === context.req.header("host");
}

async function written(context: Context): Promise<Readonly<Record<string, string>>> {
  const body = await context.req.parseBody();
  const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts);
}
