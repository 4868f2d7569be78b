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

const dayMs = 24 * 60 * 60_000;
/** How long what has done its work is kept: platforms repeat an event within days, and `/why` looks no further back. */
const keptMs = 30 * dayMs;
/** So much at a time, so that no statement holds up a conversation. */
const rowsAtATime = 1000;
const runsAtATime = 100;
/** What became of a routine's due times is looked up for longer. */
const routineRunsKeptMs = 90 * dayMs;

/** Deletes what nobody needs any more: noted events, sent posts, used buttons, timelines, what was said around us. Messages, runs and what was used stay. */
export async function forgetOld({ db, cardFolder, clock, log }: RetentionDeps): Promise<void> {
  const agoMs = (ms: number) => new Date(clock.now().getTime() - ms);
  const before = agoMs(keptMs);
  const runsBefore = agoMs(routineRunsKeptMs);
  const callsBefore = agoMs(webhookLimits.receiptsKeptDays * dayMs);
  const gone = {
    events: await toTheEnd(() => forgetEvents(db, before, rowsAtATime)),
    posts: await toTheEnd(() => forgetPosts(db, before, rowsAtATime)),
    digests: await toTheEnd(() => forgetDigests(db, before, rowsAtATime)),
    routineRuns: await toTheEnd(() => forgetRuns(db, runsBefore, rowsAtATime)),
    calls: await toTheEnd(() => forgetReceipts(db, callsBefore, rowsAtATime)),
    tokens: await toTheEnd(() => forgetTokens(db, before, rowsAtATime)),
    timeline: await toTheEnd(() => forgetTimelines(db, before, runsAtATime)),
    seen: await toTheEnd(() => forgetSeen(db, before, rowsAtATime)),
    pages: await toTheEnd(() => forgetForms(db, before, rowsAtATime)),
    files: await forgetCardFiles(cardFolder, before),
  };
  if (Object.values(gone).some((count) => count > 0))
    log.info({ ...gone, before }, "deleted what was kept long enough");
}

async function toTheEnd(some: () => Promise<number>): Promise<number> {
  let all = 0;
  for (let gone = await some(); gone > 0; gone = await some()) all += gone;
  return all;
}
