import type { MessageEvent, StopEvent } from "../chat/index.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { byPerson, destination, type PersonScene, type Scene, say, threadOf } from "./scene.ts";
import { lanesHere, runOfDraft } from "./stop.store.ts";

/** A message of only "stop" or "cancel": a control word, not something to work on. */
export function isStopWord(event: MessageEvent): boolean {
  return (
    event.files.length === 0 && event.forwardedFrom === undefined && /^(?:stop|cancel)[.!]*$/iu.test(event.text.trim())
  );
}

/**
 * Stops what this person asked for in this conversation and cancels what they still have waiting there. Goes past
 * every queue. `silent`: nobody is told when there was nothing, since the word was not meant for us then.
 */
export async function stopHere(scene: Scene, whenNothing: "answer" | "silent"): Promise<Outcome> {
  const { words } = scene;
  const { stopping, cancelled } = byPerson(scene) ? await stopOwn(scene) : { stopping: false, cancelled: 0 };
  if (stopping && cancelled === 0 && (await markStopped(scene))) return handled;
  if (stopping) await say(scene, words.inbox.stopping(cancelled));
  else if (cancelled > 0) await say(scene, words.inbox.cancelled(cancelled));
  else if (whenNothing === "silent") return dropped("not_addressed");
  else {
    await say(scene, words.inbox.nothingToStop);
    return dropped("nothing_to_stop");
  }
  return handled;
}

/** A sign on the word itself: that it stopped is said by the task that does. False where there is nothing to put it on. */
async function markStopped(scene: Scene): Promise<boolean> {
  const { unit, deps, connectionId, event } = scene;
  const messageId = event.kind === "message" || event.kind === "command" ? event.messageId : undefined;
  if (messageId === undefined || deps.adapters.get(connectionId)?.react === undefined) return false;
  await deps.outbox.enqueue(unit, {
    op: "react",
    messageId,
    reaction: "stopped",
    to: destination(scene),
    purpose: "reaction",
    lane: `react:${messageId}`,
    dedupKey: `inbox:${connectionId}:${event.key}:stopped`,
  });
  return true;
}

async function stopOwn(scene: PersonScene): Promise<{ stopping: boolean; cancelled: number }> {
  const { unit, deps, person, place, event } = scene;
  const thread = event.kind === "command" && event.wholePlace ? null : threadOf(event);
  const lanes = await lanesHere(unit.db, { placeId: place.id, thread, personId: person.id });
  let stopping = false;
  let cancelled = 0;
  for (const { conversationId, runId } of lanes) {
    // What waits goes first: else the lane would take the next message up as soon as the run is over.
    cancelled += await deps.mailbox.cancelQueued(unit, { conversationId, personId: person.id });
    if (runId !== null) stopping = (await deps.runs.stopRun(unit, runId, person)) === "stopping" || stopping;
  }
  return { stopping, cancelled };
}

/** The stop control that a platform puts on a native draft. */
export async function stopDraft(scene: Scene<StopEvent>): Promise<Outcome> {
  const { unit, deps, event } = scene;
  const runId = await runOfDraft(unit.db, event.draftId, scene.connectionId);
  if (runId === undefined) return dropped("nothing_to_stop");
  if (!byPerson(scene)) return dropped("refused");
  const result = await deps.runs.stopRun(unit, runId, scene.person);
  return result === "stopping" ? handled : dropped(result === "refused" ? "refused" : "nothing_to_stop");
}
