import { forgetCardFiles, forgetTokens } from "../attention/index.ts";
import { forgetEvents, forgetSeen } from "../inbox/index.ts";
import { forgetPosts } from "../outbox/index.ts";
import { forgetDigests, forgetReceipts, forgetRuns, webhookLimits } from "../routines/index.ts";
import { forgetTimelines } from "../runs/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import { forgetForms } from "../web-forms/index.ts";

export interface RetentionDeps {
  readonly db: Db;
  /** Where the details of cards are kept. */
  readonly cardFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long what has done its work is kept: platforms repeat an event within days, and `/why` looks no further back. */
const keptMs = 30 * 24 * 60 * 60_000;
/** So much at a time, so that no statement holds up a conversation. */
const rowsAtATime = 1000;
const runsAtATime = 100;
/** What became of a routine's due times is looked up for longer. */
const routineRunsKeptMs = 90 * 24 * 60 * 60_000;

/** Deletes what nobody needs any more: noted events, sent posts, used buttons, timelines, what was said around us. Messages, runs and what was used stay. */
export async function forgetOld({ db, cardFolder, clock, log }: RetentionDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs);
  const events = await toTheEnd(() => forgetEvents(db, before, rowsAtATime));
  const posts = await toTheEnd(() => forgetPosts(db, before, rowsAtATime));
  const digests = await toTheEnd(() => forgetDigests(db, before, rowsAtATime));
  const routineRunsBefore = new Date(clock.now().getTime() - routineRunsKeptMs);
  const routineRuns = await toTheEnd(() => forgetRuns(db, routineRunsBefore, rowsAtATime));
  const receiptsBefore = new Date(clock.now().getTime() - webhookLimits.receiptsKeptDays * 24 * 60 * 60_000);
  const calls = await toTheEnd(() => forgetReceipts(db, receiptsBefore, rowsAtATime));
  const tokens = await toTheEnd(() => forgetTokens(db, before, rowsAtATime));
  const timeline = await toTheEnd(() => forgetTimelines(db, before, runsAtATime));
  const seen = await toTheEnd(() => forgetSeen(db, before, rowsAtATime));
  const pages = await toTheEnd(() => forgetForms(db, before, rowsAtATime));
  const files = await forgetCardFiles(cardFolder, before);
  if (events + posts + digests + routineRuns + calls + tokens + timeline + seen + pages + files > 0) {
    log.info(
      { events, posts, digests, routineRuns, calls, tokens, timeline, seen, pages, files, before },
      "deleted what was kept long enough",
    );
  }
}

async function toTheEnd(some: () => Promise<number>): Promise<number> {
  let all = 0;
  for (let gone = await some(); gone > 0; gone = await some()) all += gone;
  return all;
}
