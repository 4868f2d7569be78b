import { cleanText, type Persona, plain } from "../chat/index.ts";
import { conversationKind, ensureConversation } from "../places/index.ts";
import {
  addDigest,
  addReport,
  type ReportTarget,
  type RoutineBriefing,
  reportTargets,
  setReportMessage,
} from "../routines/index.ts";
import { newId, redact } from "../shared/index.ts";
import type { Unit } from "../storage/index.ts";
import { personaOf } from "../teammates/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { notifies, type Said } from "./answer.ts";
import { addAnswer } from "./history.store.ts";
import { type ReportText, reportText } from "./report-text.ts";
import { destinationOf, type Posting, threadFor } from "./report-thread.ts";
import type { RunDeps } from "./settings.ts";

/**
 * Puts what a routine's run has to say into the outbox: once a place and run, however often its end is repeated, and in a lane of
 * its own for each place, so that none waits for another. Gives the last part in the place where the routine was made, if it goes there.
 */
export async function postReport(
  deps: RunDeps,
  unit: Unit,
  run: ActiveRun,
  briefing: RoutineBriefing,
  said: Said,
): Promise<string | undefined> {
  const text = reportText(run, briefing, said.text, deps.clock.now());
  const team = await deps.teammates.list(unit.db);
  let atHome: string | undefined;
  // Who tries a routine wants to see its report, and nobody else yet.
  const onlyHome = briefing.source === "test";
  for (const target of await reportTargets(unit.db, briefing.routineId, onlyHome)) {
    const posting = { deps, unit, run, briefing, target };
    if (target.isArchived) {
      await tellNotThere(posting);
      continue;
    }
    const lastId = await postTo(posting, text, {
      notify: notifies(run, said),
      persona: personaIn(target, run, team.length > 1),
    });
    if (target.placeId === run.context.place.id) atHome = lastId;
  }
  return atHome;
}

interface Look {
  readonly notify: boolean;
  readonly persona: Persona | undefined;
}

async function postTo(posting: Posting, text: ReportText, look: Look): Promise<string | undefined> {
  const { deps, unit, run, target } = posting;
  const { runId, conversationId, teammate } = run.context;
  const { threadsBeneath = false } = deps.adapters.get(target.connectionId)?.capabilities ?? {};
  const at = await threadFor(posting);
  const isBeneath = threadsBeneath && at.thread === "" && at.threadPostId === undefined;
  const common = { to: destinationOf(target, at.thread), lane: laneOf(posting), conversationId, runId };
  const { postIds } = await deps.outbox.enqueue(unit, {
    ...common,
    op: "post",
    post: { text: text.whole, ...look },
    purpose: "answer",
    speaker: personaOf(teammate),
    dedupKey: keyOf(posting, "report"),
    threadPostId: at.threadPostId,
    restBeneath: isBeneath,
  });
  const [postId] = postIds;
  if (postId === undefined) return undefined;
  for (const [index, file] of run.files.entries()) {
    await deps.outbox.enqueue(unit, {
      ...common,
      op: "upload",
      file: { path: file.path, name: file.name, caption: file.caption },
      purpose: "file",
      dedupKey: `${keyOf(posting, "report-file")}:${index}`,
      threadPostId: isBeneath ? postId : at.threadPostId,
    });
  }
  await remember(posting, text, { postId, thread: at.thread, mayBeginThreads: at.thread === "" });
  return postIds.at(-1);
}

/** Where the report stands: as the place's history has it, for its delivery, and for whoever is asked about it. */
async function remember(
  { deps, unit, run, briefing, target }: Posting,
  text: ReportText,
  at: { readonly postId: string; readonly thread: string; readonly mayBeginThreads: boolean },
): Promise<void> {
  const { teammate } = run.context;
  const now = deps.clock.now();
  const { placeId } = target;
  const { routineRunId } = briefing;
  const kind = conversationKind(target.kind, at.thread);
  const { id } = await ensureConversation(unit, { placeId, teammateId: teammate.id, thread: at.thread, kind });
  const report = { routineRunId, placeId, thread: target.thread, postId: at.postId, outcome: null };
  if (!(await addReport(unit.db, report))) return;
  const messageId = newId();
  await addAnswer(unit.db, {
    id: messageId,
    conversationId: id,
    teammate,
    text: redact(cleanText(text.whole)),
    at: now,
  });
  await setReportMessage(unit.db, at.postId, messageId);
  const digest = {
    routineRunId,
    teammateId: teammate.id,
    placeId,
    thread: at.thread,
    postId: at.postId,
    text: text.digest,
    at: now,
  };
  await addDigest(unit.db, { ...digest, forReplies: false });
  if (at.mayBeginThreads) await addDigest(unit.db, { ...digest, forReplies: true });
}

/** We were removed from there: that is no failure of the run, and its author can mend it. Once a place and day. */
async function tellNotThere({ deps, unit, run, briefing, target }: Posting): Promise<void> {
  const { runId } = run.context;
  const { routineRunId, routineId, name, author } = briefing;
  const { placeId, thread } = target;
  await addReport(unit.db, { routineRunId, placeId, thread, postId: newId(), outcome: "failed" });
  const [owner] = await deps.people.owners(unit.db);
  const to =
    (author === null ? null : await deps.people.dmOf(unit.db, author.id)) ??
    (owner === undefined ? null : await deps.people.dmOf(unit.db, owner.id));
  if (to === null) return;
  const words = run.words.reports;
  const day = deps.clock.now().toISOString().slice(0, 10);
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: {
      text: words.notThere(plain(name), target.title === null ? words.unnamedPlace : plain(target.title)),
      notify: true,
    },
    to,
    purpose: "notice",
    lane: `report-trouble:${to.address.channel}`,
    dedupKey: `report-not-there:${routineId}:${placeId}:${thread}:${day}`,
    runId,
  });
}

/** With several teammates in a place a report says whose it is on every platform, as an answer does. */
function personaIn(target: ReportTarget, run: ActiveRun, severalWork: boolean): Persona | undefined {
  return severalWork && target.kind !== "dm" && !target.isOwnBot ? personaOf(run.context.teammate) : undefined;
}

function laneOf({ briefing, target }: Posting): string {
  return `report:${briefing.routineId}:${target.placeId}:${target.thread}`;
}

function keyOf({ run, briefing, target }: Posting, what: string): string {
  const { runId, trigger } = run.context;
  const which = trigger === "routine" ? briefing.routineRunId : `${briefing.routineRunId}:${runId}`;
  return `${what}:${which}:${target.placeId}:${target.thread}`;
}
