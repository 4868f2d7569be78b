import type { DeletionEvent, EditEvent } from "../chat/index.ts";
import type { Unit } from "../storage/index.ts";
import type { InboxDeps } from "./deps.ts";
import { changeText, findMessage, markDeleted, type StoredMessage, waitingDeliveries } from "./message.store.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";

interface Change<Event> {
  readonly unit: Unit;
  readonly deps: InboxDeps;
  readonly placeId: string;
  readonly event: Event;
}

/**
 * An edit: before the start it replaces the text, during the turn it also becomes a correction, after the end it is
 * only stored. A changed link preview is no edit.
 */
export async function takeEdit({ unit, deps, placeId, event }: Change<EditEvent>): Promise<Outcome> {
  const message = await findMessage(unit.db, placeId, event.messageId);
  if (!message) return dropped("unknown_message");
  if (message.text === event.text) return dropped("unchanged");
  if (message.textWasJoined) return dropped("merged_text");
  await changeText(unit.db, message.id, event.text, event.editedAt);
  if (isUnderway(message.status)) {
    unit.afterCommit(() => deps.queues.add("control", { kind: "edited", messageId: message.id }));
  }
  return handled;
}

function isUnderway(status: StoredMessage["status"]): boolean {
  return status === "starting" || status === "running";
}

/** A deletion: our copy of the text goes, and what has not been started is not started. */
export async function takeDeletion({ unit, deps, placeId, event }: Change<DeletionEvent>): Promise<Outcome> {
  const message = await findMessage(unit.db, placeId, event.messageId);
  if (!message) return dropped("unknown_message");
  await markDeleted(unit.db, message.id, deps.clock.now());
  const [owner] = await deps.people.owners(unit.db);
  for (const waiting of await waitingDeliveries(unit.db, message.id)) {
    const requester = waiting.requesterPersonId && (await deps.people.get(unit.db, waiting.requesterPersonId));
    const by = requester || owner;
    if (by) await deps.mailbox.cancelDelivery(unit, waiting.id, by);
  }
  return handled;
}
