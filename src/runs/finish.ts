import { cleanText } from "../chat/index.ts";
import { newId, redact } from "../shared/index.ts";
import { inTransaction, type Unit } from "../storage/index.ts";
import { addUsage, originOf } from "../usage/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { postAnswer, postLiveViewGone, type Said, tellOwner } from "./answer.ts";
import { addAnswer } from "./history.store.ts";
import { lookAtInstructions } from "./keep-instructions.ts";
import type { Outcome } from "./outcome.ts";
import { endRoutine } from "./routine-end.ts";
import * as store from "./runs.store.ts";
import type { RunDeps } from "./settings.ts";
import { confirmThread } from "./threads.store.ts";
import { wordsAtEnd } from "./words-at-end.ts";

type Closing = Promise<{ readonly messageId?: string | undefined }>;

/** How long the answer waits for the live view to let go of its message; what is later is removed on its own. */
const viewGraceMs = 250;

/**
 * Ends a run: its row, its deliveries, what still waits for a person, the ledger and the answer change together, so that
 * after a crash all of it happened or none. Repeating it does nothing. Resolves with false when the run had ended before.
 */
export async function finish(deps: RunDeps, run: ActiveRun, given: Outcome): Promise<boolean> {
  const outcome = storable(given);
  const closing: Closing = run.view?.close() ?? Promise.resolve({});
  await run.timeline.flush();
  const view = await within(closing, viewGraceMs);
  const said = await wordsAtEnd(deps, run, outcome);
  if (outcome.kind === "completed" && run.access !== undefined) await deps.access.worked(deps.db, run.access);
  const keepInstructions = await lookAtInstructions(deps, run);
  let lastPostId: string | undefined;
  const ended = await inTransaction(deps.db, deps.log, async (unit) => {
    if (!(await store.endRun(unit.db, run.context.runId, endOf(deps, run, outcome, said)))) return false;
    await deps.attention.cancelRun(unit, run.context.runId, closedBecause(outcome));
    await settleDeliveries(deps, unit, run, outcome, said);
    await keepUsage(deps, unit, run);
    if (outcome.kind === "completed" && run.threadId !== undefined && run.turnId !== undefined) {
      await confirmThread(unit.db, run.threadId);
    }
    if (outcome.kind === "completed") await deps.memories.commit(unit, run.context.runId, deps.clock.now());
    else await deps.memories.discard(unit, run.context.runId);
    await keepAnswer(deps, unit, run, said);
    if (said.unsaid) await tellOwner(deps, unit, run, said);
    else lastPostId = await postEnd(deps, unit, run, said);
    if (view !== undefined) await postLiveViewGone(deps, unit, run, view.messageId, lastPostId);
    unit.afterCommit(() => deps.mailbox.wakeAfter(lane(run)));
    return true;
  });
  if (view === undefined) void removeLater(deps, run, closing, lastPostId);
  await keepInstructions();
  return ended;
}

function postEnd(deps: RunDeps, unit: Unit, run: ActiveRun, said: Said): Promise<string | undefined> {
  return run.routine === undefined ? postAnswer(deps, unit, run, said) : endRoutine(deps, unit, run, run.routine, said);
}

/** Ends a run that nobody wants any more, before Codex had it; what it was about is not done. Nothing is told. */
export async function drop(deps: RunDeps, run: ActiveRun): Promise<void> {
  const { runId } = run.context;
  const end = { status: "interrupted", reply: null, errorCode: "cancelled", error: null, tokens: null } as const;
  await inTransaction(deps.db, deps.log, async (unit) => {
    if (!(await store.endRun(unit.db, runId, { ...end, at: deps.clock.now() }))) return;
    await deps.mailbox.settleRun(unit, runId, { status: "cancelled", errorCode: null });
    unit.afterCommit(() => deps.mailbox.wakeAfter(lane(run)));
  });
}

/**
 * Takes a run back that Codex never took: its deliveries keep their places in the line. Nothing is told.
 */
export async function takeBack(deps: RunDeps, run: ActiveRun, readyAt: Date): Promise<void> {
  const end = { status: "failed", reply: null, errorCode: "not_started", error: null, tokens: null } as const;
  const view = await run.view?.close();
  await inTransaction(deps.db, deps.log, async (unit) => {
    if (!(await store.endRun(unit.db, run.context.runId, { ...end, at: deps.clock.now() }))) return;
    await deps.memories.discard(unit, run.context.runId);
    await deps.mailbox.putBack(unit, { runId: run.context.runId }, { reason: "teammate-restarting", readyAt });
    if (view !== undefined) await postLiveViewGone(deps, unit, run, view.messageId, undefined);
    unit.afterCommit(() => deps.mailbox.wakeAfter(lane(run)));
  });
}

/** PostgreSQL takes neither NUL nor half a surrogate pair: an answer with one in it could never be stored. */
function storable(outcome: Outcome): Outcome {
  switch (outcome.kind) {
    case "completed":
      return { ...outcome, text: cleanText(outcome.text) };
    case "stopped":
    case "cut":
      return { ...outcome, partial: cleanText(outcome.partial) };
    case "failed":
      return { ...outcome, partial: cleanText(outcome.partial), detail: cleanText(outcome.detail) };
  }
}

function lane(run: ActiveRun) {
  return { conversationId: run.context.conversationId, teammateId: run.context.teammate.id };
}

function endOf(deps: RunDeps, run: ActiveRun, outcome: Outcome, said: Said): store.EndedRun {
  const tokens = run.record.usage() ?? null;
  const at = deps.clock.now();
  const reply = said.spoken === "" ? null : redact(said.spoken);
  switch (outcome.kind) {
    case "completed":
      return { status: "completed", reply, errorCode: null, error: null, tokens, at };
    case "stopped":
      return { status: "interrupted", reply, errorCode: "stopped", error: null, tokens, at };
    case "cut":
      return { status: "interrupted", reply, errorCode: "restart", error: null, tokens, at };
    case "failed": {
      const error = outcome.detail === "" ? null : redact(outcome.detail);
      return { status: "failed", reply, errorCode: said.errorCode ?? outcome.code, error, tokens, at };
    }
  }
}

function closedBecause(outcome: Outcome): "turn_ended" | "stopped" | "restart" {
  switch (outcome.kind) {
    case "stopped":
      return "stopped";
    case "cut":
      return "restart";
    case "completed":
    case "failed":
      return "turn_ended";
  }
}

async function settleDeliveries(
  deps: RunDeps,
  unit: Unit,
  run: ActiveRun,
  outcome: Outcome,
  said: Said,
): Promise<void> {
  const { runId } = run.context;
  if (said.heldUntil !== undefined) {
    const reason = said.unsaid ? "teammate-restarting" : "usage-limit";
    await deps.mailbox.putBack(unit, { runId }, { reason, readyAt: said.heldUntil });
  }
  const ended = outcome.kind === "completed" || outcome.kind === "failed" ? outcome.kind : "interrupted";
  const status = said.routine?.kind === "skipped" ? "cancelled" : ended;
  await deps.mailbox.settleRun(unit, runId, { status, errorCode: said.errorCode ?? null });
}

async function keepUsage(deps: RunDeps, unit: Unit, run: ActiveRun): Promise<void> {
  const usage = run.record.usage();
  if (usage === undefined) return;
  await addUsage(unit.db, {
    runId: run.context.runId,
    teammateId: run.context.teammate.id,
    personId: run.context.requester?.id ?? null,
    payer: run.access?.payer ?? "plan",
    origin: originOf(run.context.trigger),
    model: run.model,
    used: usage,
    at: deps.clock.now(),
  });
}

/** What was said goes into the conversation's own history: a later thread may have to be told. */
async function keepAnswer(deps: RunDeps, unit: Unit, run: ActiveRun, said: Said): Promise<void> {
  if (said.spoken === "" || (said.routine !== undefined && said.routine.kind !== "report")) return;
  const { conversationId, teammate } = run.context;
  const answer = { id: newId(), conversationId, teammate, text: redact(said.spoken), at: deps.clock.now() };
  await addAnswer(unit.db, answer);
}

async function removeLater(
  deps: RunDeps,
  run: ActiveRun,
  closing: Closing,
  answerId: string | undefined,
): Promise<void> {
  try {
    const view = await closing;
    await inTransaction(deps.db, deps.log, (unit) => postLiveViewGone(deps, unit, run, view.messageId, answerId));
  } catch (error) {
    deps.log.warn({ err: error, runId: run.context.runId }, "a live view stays until the next start");
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
