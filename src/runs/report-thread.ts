import type { Destination } from "../outbox/index.ts";
import { ownThreadKey, type ReportTarget, type RoutineBriefing, setOwnThread } from "../routines/index.ts";
import type { Unit } from "../storage/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { RunDeps } from "./settings.ts";

/** A report on its way to one place. */
export interface Posting {
  readonly deps: RunDeps;
  readonly unit: Unit;
  readonly run: ActiveRun;
  readonly briefing: RoutineBriefing;
  readonly target: ReportTarget;
}

/** Where in a place a report goes. */
interface At {
  /** The thread, as far as it is known; "" outside threads. */
  readonly thread: string;
  /** The post that makes the thread. */
  readonly threadPostId?: string | undefined;
}

/**
 * The thread of a report. Where a routine has one of its own, its first report has it made, and it goes by the routine's
 * name: one that people gave it stays until the routine itself is renamed.
 */
export async function threadFor(posting: Posting): Promise<At> {
  const { unit, briefing, target } = posting;
  const { own, thread } = target;
  if (own === null) return { thread };
  const { destinationId, threadId, postId, name } = own;
  if (threadId === null && postId !== null) return { thread, threadPostId: postId };
  if (threadId === null) {
    const threadPostId = await open(posting, ownThreadKey(destinationId, briefing.routineRunId), "");
    if (threadPostId === undefined) return { thread };
    await setOwnThread(unit.db, destinationId, { threadId: null, postId: threadPostId, name: briefing.name });
    return { thread, threadPostId };
  }
  if (name !== briefing.name) await open(posting, `thread-name:${destinationId}:${briefing.routineRunId}`, threadId);
  await setOwnThread(unit.db, destinationId, { threadId, name: briefing.name });
  return { thread: threadId };
}

/** In a lane of its own: what goes into the thread waits for this post by itself. */
async function open(
  { deps, unit, run, briefing, target }: Posting,
  dedupKey: string,
  thread: string,
): Promise<string | undefined> {
  const { runId, conversationId } = run.context;
  const { postIds } = await deps.outbox.enqueue(unit, {
    op: "open_thread",
    title: briefing.name,
    to: destinationOf(target, thread),
    purpose: "answer",
    lane: `thread:${target.own?.destinationId ?? target.placeId}`,
    dedupKey,
    conversationId,
    runId,
  });
  return postIds[0];
}

export function destinationOf({ connectionId, channel, kind }: ReportTarget, thread: string): Destination {
  return { connectionId, address: { channel, ...(thread === "" ? {} : { thread }) }, placeKind: kind };
}
