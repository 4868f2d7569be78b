import type { DeletionEvent, EditEvent } from "../chat/index.ts";
import { longestSaid } from "../places/index.ts";
import type { Unit } from "../storage/index.ts";
import { cut } from "./clean.ts";
import type { InboxDeps } from "./deps.ts";
import { eraseAnswer, eraseMessage, findAnswer } from "./history/index.ts";
import { changeText, findCopies, type StoredMessage } from "./message.store.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { changeSeen, type Whereabouts } from "./seen.store.ts";

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

/** A deletion: our copies go, wherever they are, and what has not been started is not started. */
export async function takeDeletion(change: Change<DeletionEvent>): Promise<Outcome> {
  const { unit, deps } = change;
  const where = whereabouts(change);
  const { copies, wasSeen } = await eraseMessage({ unit, deps, where });
  if (copies > 0) return handled;
  const answer = await findAnswer(unit.db, where);
  if (answer === undefined) return dropped(wasSeen ? "not_addressed" : "unknown_message");
  await eraseAnswer({ unit, deps, where }, answer);
  return handled;
}

function whereabouts({ connectionId, event }: Change<EditEvent | DeletionEvent>): Whereabouts {
  return { connectionId, channel: event.place.channel, messageId: event.messageId };
}
