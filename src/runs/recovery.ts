import { inTransaction } from "../storage/index.ts";
import { newActiveRun, type QueuedFile } from "./active-run.ts";
import { postLiveViewGone } from "./answer.ts";
import { loadDeliveries } from "./deliveries.store.ts";
import { runsWithAbandonedView } from "./live-view.store.ts";
import * as left from "./recovery.store.ts";
import { createRun, firstTry, type Run } from "./run.ts";
import { loadContext } from "./run-context.store.ts";
import * as store from "./runs.store.ts";
import type { RunDeps } from "./settings.ts";
import { loadFacts } from "./start.ts";
import { createTimelineWriter } from "./timeline-writer.ts";

const atATime = 4;

/**
 * Settles what an earlier process left: before anything new is claimed, every run of this computer is adopted, joined again,
 * told as cut off, or put back in line. `adopt` is called for each before anything can happen to it.
 */
export async function recover(deps: RunDeps, adopt: (run: Run) => void): Promise<void> {
  const runs = await left.unsettledRuns(deps.db, deps.settings.computer);
  await recoverRuns(
    deps,
    runs.map(({ id }) => id),
    adopt,
  );
  await settleStrandedSteers(deps);
  await removeAbandonedViews(deps);
}

async function recoverRuns(deps: RunDeps, runIds: readonly string[], adopt: (run: Run) => void): Promise<void> {
  if (runIds.length === 0) return;
  const reachable = await codexAnswers(deps);
  const waiting = [...runIds];
  const one = async () => {
    for (let runId = waiting.shift(); runId !== undefined; runId = waiting.shift()) {
      await recoverRun(deps, runId, reachable, adopt);
    }
  };
  await Promise.all(Array.from({ length: atATime }, one));
}

export interface StrayHost {
  isOurs(run: left.UnsettledRun): boolean;
  adopt(run: Run): void;
  stop(runId: string): Promise<void>;
}

/**
 * Looks for what a broken connection to the database or a lost queue kept from this process: runs of this computer that are in
 * nobody's hands, and Stops nobody heard of. Runs seen twice in a row are taken up as after a restart, since what ends just now
 * is seen only once.
 */
export function createStrayWatch(deps: RunDeps, { isOurs, adopt, stop }: StrayHost): () => Promise<void> {
  let suspects = new Set<string>();
  let busy = false;
  return async () => {
    if (busy) return;
    busy = true;
    try {
      const runs = await left.unsettledRuns(deps.db, deps.settings.computer);
      const stray = runs.filter((run) => !isOurs(run)).map(({ id }) => id);
      const sure = stray.filter((id) => suspects.has(id));
      suspects = new Set(stray);
      if (sure.length > 0) deps.log.warn({ runs: sure }, "took up runs that nobody had in hand");
      await recoverRuns(deps, sure, adopt);
      for (const run of runs) if (run.stopRequestedAt !== null && isOurs(run)) await stop(run.id);
    } catch (error) {
      deps.log.warn({ err: error }, "could not look for runs that nobody has in hand");
    } finally {
      busy = false;
    }
  };
}

async function codexAnswers(deps: RunDeps): Promise<boolean> {
  try {
    await deps.connection.ready({ timeoutMs: deps.limits.reconcileMs });
    return true;
  } catch (error) {
    deps.log.error({ err: error }, "Codex does not answer: what ran before the restart cannot be taken up");
    return false;
  }
}

async function recoverRun(deps: RunDeps, runId: string, reachable: boolean, adopt: (run: Run) => void): Promise<void> {
  const [context, deliveries, stop, said, seq, files] = await Promise.all([
    loadContext(deps.db, runId),
    loadDeliveries(deps.db, { runId }),
    store.runForStop(deps.db, runId),
    left.toldSoFar(deps.db, runId),
    left.lastEventNumber(deps.db, runId),
    left.queuedFiles(deps.db, runId),
  ]);
  if (context === undefined) return;
  const briefing = context.routineId === null ? undefined : await deps.routines.briefing(deps.db, runId);
  // A turn that goes on shows a new one.
  await inTransaction(deps.db, deps.log, (unit) => postLiveViewGone(deps, unit, { context }, undefined, undefined));
  const timeline = createTimelineWriter({ db: deps.db, runId, log: deps.log, nextSeq: seq + 1 });
  const state = newActiveRun({
    context,
    briefing,
    deliveries,
    timeline,
    now: deps.clock.now(),
    saidBefore: said,
    files: files.map(toFile),
  });
  if (stop?.stopper_id != null) {
    state.stop = { kind: "person", personId: stop.stopper_id, name: stop.stopper_name };
  }
  const { conversationId, teammate } = context;
  const facts = await loadFacts(deps, { runId, conversationId, teammateId: teammate.id });
  const run = createRun(deps, state, facts, firstTry);
  adopt(run);
  await run.recover(reachable);
}

function toFile(file: left.StoredQueuedFile): QueuedFile {
  const { path, name, caption, key = path } = file;
  return { path, name, caption, key, size: 0, order: 0 };
}

/** Messages said into a turn by a process that died before it knew whether they arrived. */
async function settleStrandedSteers(deps: RunDeps): Promise<void> {
  for (const { id, threadId, outcome } of await left.strandedSteers(deps.db, deps.settings.computer)) {
    try {
      const turn = threadId === null ? undefined : await deps.threads.findTurn(threadId, { clientUserMessageId: id });
      await inTransaction(deps.db, deps.log, async (unit) => {
        if (turn === undefined) await deps.mailbox.putBack(unit, { deliveryId: id });
        else await deps.mailbox.settleDelivery(unit, id, outcome);
      });
    } catch (error) {
      deps.log.warn({ err: error, deliveryId: id }, "it stays open whether a message joined its turn");
    }
  }
}

/** Progress messages of runs that are over: nobody else knows of them any more. */
async function removeAbandonedViews(deps: RunDeps): Promise<void> {
  for (const runId of await runsWithAbandonedView(deps.db)) {
    const context = await loadContext(deps.db, runId);
    if (context === undefined) continue;
    await inTransaction(deps.db, deps.log, (unit) => postLiveViewGone(deps, unit, { context }, undefined, undefined));
  }
}
