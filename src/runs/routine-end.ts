import { issueTokens } from "../attention/index.ts";
import type { Button, Post } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Unit } from "../storage/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { notifies, type Said, shownAgain, tellOwner } from "./answer.ts";
import { cancelHeldButton, payButtons } from "./model-trouble.ts";
import { postReport } from "./report.ts";
import { titleOf } from "./report-text.ts";
import type { RoutineState } from "./routine-run.ts";
import type { RunDeps } from "./settings.ts";
import { joined } from "./words-of-failure.ts";

/** Makes a routine's run end as it was decided, in the transaction that ends the run. Gives the last part of what is posted where it was made. */
export async function endRoutine(
  deps: RunDeps,
  unit: Unit,
  run: ActiveRun,
  { briefing }: RoutineState,
  said: Said,
): Promise<string | undefined> {
  const { routineRunId } = briefing;
  const end = said.routine;
  switch (end?.kind) {
    case "report":
      if (end.failure !== null) await deps.routines.setFailure(unit, routineRunId, end.failure);
      return postReport(deps, unit, run, { ...briefing, failure: end.failure }, said);
    case "quiet":
      await deps.routines.setQuiet(unit, routineRunId);
      return briefing.source === "manual" ? sayNothingNew(deps, unit, run, briefing.name) : undefined;
    case "skipped":
      await deps.routines.setSkipped(unit, routineRunId, "limit");
      return undefined;
    case "told":
      if (end.failure !== null) await deps.routines.setFailure(unit, routineRunId, end.failure);
      await tellOwner(deps, unit, run, said);
      return tellAuthor(deps, unit, run, { routineRunId, routineId: briefing.routineId, to: end.to, said });
    case "unsaid":
    case undefined:
      return undefined;
  }
}

/** Whoever wanted it now waits for a word. Without a sound, where it was made. */
async function sayNothingNew(deps: RunDeps, unit: Unit, { context, words }: ActiveRun, name: string) {
  const { to, runId, conversationId } = context;
  const { postIds } = await deps.outbox.enqueue(unit, {
    op: "post",
    post: { text: joined(titleOf(name), words.reports.nothingNew), notify: false },
    to,
    purpose: "notice",
    lane: `conversation:${conversationId}`,
    dedupKey: `answer:${runId}`,
    conversationId,
    runId,
  });
  return postIds.at(-1);
}

interface Telling {
  readonly routineRunId: string;
  readonly routineId: string;
  readonly to: Destination;
  readonly said: Said;
}

/** One message, with what the run left behind. Of one that waits for a limit, once, however often it meets it. */
async function tellAuthor(deps: RunDeps, unit: Unit, run: ActiveRun, telling: Telling): Promise<string | undefined> {
  const { routineRunId, to, said } = telling;
  const { conversationId, runId, to: home } = run.context;
  const isHome = to.connectionId === home.connectionId && to.address.channel === home.address.channel;
  const lane = isHome ? `conversation:${conversationId}` : `routine:${telling.routineId}`;
  const common = { to, lane, runId, ...(isHome ? { conversationId } : {}) };
  const { postIds } = await deps.outbox.enqueue(unit, {
    ...common,
    op: "post",
    post: { text: said.text, buttons: await buttons(unit, run, telling), notify: notifies(run, said) },
    purpose: "notice",
    dedupKey: said.heldUntil === undefined ? `answer:${runId}` : `routine-held:${routineRunId}`,
  });
  for (const [index, { path, name, caption }] of run.files.entries()) {
    await deps.outbox.enqueue(unit, {
      ...common,
      op: "upload",
      file: { path, name, caption },
      purpose: "file",
      dedupKey: `file:${runId}:${index}`,
    });
  }
  return isHome ? postIds.at(-1) : undefined;
}

async function buttons(unit: Unit, run: ActiveRun, { routineId, to, said }: Telling): Promise<Post["buttons"]> {
  const shown = shownAgain(said);
  const { context, words } = run;
  const there = { words, context: { ...context, place: { ...context.place, kind: to.placeKind } } };
  const pay = said.limitOf === undefined ? [] : await payButtons(unit, there, said.limitOf, shown ?? "");
  const last =
    said.heldUntil === undefined
      ? await runAgainButton(unit, run, routineId, shown)
      : await cancelHeldButton(unit, run, shown ?? "");
  return pay.length === 0 ? [[last]] : [pay, [last]];
}

/** A run of its own, for its author and managers; where the notice is short, it loses its button then. */
async function runAgainButton(
  unit: Unit,
  { context, words }: ActiveRun,
  routineId: string,
  said: string | undefined,
): Promise<Button> {
  const { token } = await issueTokens(unit, {
    choices: [{ key: "token", action: "routine_run", payload: { routineId, said } }],
    personId: context.requester?.id,
    minRole: "manager",
  });
  return { label: words.reports.runAgain, token };
}
