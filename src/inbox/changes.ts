import type { DeletionEvent, EditEvent } from "../chat/index.ts";
import { longestSaid } from "../places/index.ts";
import type { Unit } from "../storage/index.ts";
import { cut } from "./clean.ts";
import type { InboxDeps } from "./deps.ts";
import {
  changeText,
  dropQuotes,
  findCopies,
  markDeleted,
  type StoredMessage,
  waitingDeliveries,
} from "./message.store.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { changeSeen, dropQuestion, dropSeen, type Whereabouts } from "./seen.store.ts";

interface Change<Event> {
  readonly unit: Unit;
  readonly deps: InboxDeps;
  readonly connectionId: string;
  readonly event: Event;
}

/**
 * An edit: before the start it replaces the text, during the turn it also becomes a correction, after the end it is
 * only stored; for each teammate who got the message. A changed link preview is no edit.
 */
export async function takeEdit(change: Change<EditEvent>): Promise<Outcome> {
  const { unit, event } = change;
  const where = whereabouts(change);
  const wasSeen = await changeSeen(unit.db, where, cut(event.text, longestSaid).text);
  const copies = await findCopies(unit.db, where);
  if (copies.length === 0) return dropped(wasSeen ? "not_addressed" : "unknown_message");
  const outcomes = [];
  for (const copy of copies) outcomes.push(await changeCopy(change, copy));
  return outcomes.find((outcome) => outcome.kind === "handled") ?? outcomes[0] ?? handled;
}

async function changeCopy({ unit, deps, event }: Change<EditEvent>, message: StoredMessage): Promise<Outcome> {
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

/** A deletion: our copies of the text go, and what has not been started is not started. */
export async function takeDeletion(change: Change<DeletionEvent>): Promise<Outcome> {
  const { unit } = change;
  const where = whereabouts(change);
  const wasSeen = await dropSeen(unit.db, where);
  await dropQuotes(unit.db, where);
  await dropQuestion(unit.db, where);
  const copies = await findCopies(unit.db, where);
  if (copies.length === 0) return dropped(wasSeen ? "not_addressed" : "unknown_message");
  for (const copy of copies) await deleteCopy(change, copy);
  return handled;
}

async function deleteCopy({ unit, deps }: Change<DeletionEvent>, message: StoredMessage): Promise<void> {
  await markDeleted(unit.db, message.id, deps.clock.now());
  const [owner] = await deps.people.owners(unit.db);
  for (const waiting of await waitingDeliveries(unit.db, message.id)) {
    const requester = waiting.requesterPersonId && (await deps.people.get(unit.db, waiting.requesterPersonId));
    const by = requester || owner;
    if (by) await deps.mailbox.cancelDelivery(unit, waiting.id, by);
  }
}

function whereabouts({ connectionId, event }: Change<EditEvent | DeletionEvent>): Whereabouts {
  return { connectionId, channel: event.place.channel, messageId: event.messageId };
}
