import type { MessageEvent } from "../chat/index.ts";
import { longestSaid } from "../places/index.ts";
import type { Db, Unit } from "../storage/index.ts";
import type { Teammates } from "../teammates/index.ts";
import { cut } from "./clean.ts";
import { joinParts } from "./collect.ts";
import { findOpenThought, lockCollection } from "./message.store.ts";
import { isEmpty, toWish } from "./messages.ts";
import { isMuteWord } from "./mute.ts";
import { mentionedIn } from "./naming.ts";
import { type DropReason, dropped, type Outcome } from "./outcome.ts";
import { type Scene, threadOf } from "./scene.ts";
import { keepSeen } from "./seen.store.ts";
import { isStopWord, stopHere } from "./stop.ts";
import { type Listening, listen } from "./threads.store.ts";

export interface Talk {
  readonly unit: Unit;
  readonly connectionId: string;
  readonly event: MessageEvent;
  readonly teammates: Pick<Teammates, "everyone">;
  readonly now: Date;
}

/** What talk that does not address us is to us. */
export interface Heard {
  /** What is to be done about it, if anything: an event that counts as addressed to us, or as a part of something that was. */
  readonly event: MessageEvent | null;
  /** Why nothing is. */
  readonly reason: DropReason;
  /** Where it may be remembered; null in a place that nobody opened to us. */
  readonly placeId: string | null;
}

/** Said in a thread beneath a message of ours, and no answer to any: people talk among themselves there, too. */
export function isBeneathUs({ addressed, quote, place }: MessageEvent): boolean {
  return addressed === "reply" && quote === undefined && place.thread !== undefined;
}

/** Whether talk around us means us all the same. */
export async function hear(talk: Talk): Promise<Heard> {
  const { event } = talk;
  const found = await listen(talk.unit.db, speaker(talk), event.collect, talk.now);
  const known = found && { ...found, isOurs: found.isOurs || isBeneathUs(event) };
  if (!known) return { event: null, reason: "not_addressed", placeId: null };
  const placeId = known.isOpen ? known.placeId : null;
  // Only people of ours have something to stop; whoever else says the word is not to be remembered for it.
  if ((isStopWord(event) && known.isPerson) || known.openThought !== null)
    return { event, reason: "not_addressed", placeId };
  const reason = known.isOpen ? await reasonToLetItBe(talk, known) : "not_addressed";
  return reason === null
    ? { event: { ...event, addressed: "mention" }, reason: "not_addressed", placeId }
    : { event: null, reason, placeId };
}

/** Null where it counts as addressed: it goes on in a thread of ours, or names a teammate as people type a mention. */
async function reasonToLetItBe(talk: Talk, { isOurs, isMuted, ownHandle }: Listening): Promise<DropReason | null> {
  const { event } = talk;
  if (isOurs && isMuteWord(event)) return null;
  if (isEmpty(event)) return "not_addressed";
  if (isAside(event)) return isOurs ? "aside" : "not_addressed";
  if (event.mentionsOthers) return isOurs ? "for_somebody_else" : "not_addressed";
  if (isOurs && !isMuted) return null;
  if (await namesUs(talk, ownHandle)) return null;
  return isOurs ? "muted" : "not_addressed";
}

/** People who talk among themselves in a thread of ours begin with this. */
function isAside(event: MessageEvent): boolean {
  return /^\s*!aside\b/iu.test(event.text);
}

/** A bot that is one teammate's own does not answer for the others. */
async function namesUs({ unit, event, teammates }: Talk, ownHandle: string | null): Promise<boolean> {
  if (!event.text.includes("@") || event.forwardedFrom !== undefined) return false;
  const all = await teammates.everyone(unit.db);
  const ours = ownHandle === null ? all : all.filter((teammate) => teammate.handle === ownHandle);
  return mentionedIn(event.text, ours).length > 0;
}

/** Keeps what people say around us in an opened place. */
export async function remember(db: Db, placeId: string, event: MessageEvent): Promise<void> {
  const { text } = cut(event.text, longestSaid);
  if (text.trim() === "") return;
  const { messageId, sentAt, author } = event;
  await keepSeen(db, { placeId, messageId, thread: threadOf(event), authorName: author.name, text, sentAt });
}

/** In a group only the first photo of an album and the first part of a paste carry our name. */
export async function takeTalk(scene: Scene<MessageEvent>): Promise<Outcome> {
  const { unit, deps, event, place } = scene;
  if (isStopWord(event)) return stopHere(scene, "silent");
  if (event.collect) await lockCollection(unit.db, place.id, event.collect);
  const messageId = await findOpenThought(unit.db, speaker(scene), event.collect, deps.clock.now());
  if (messageId === undefined) return dropped("not_addressed");
  const waitMs = event.collect?.waitMs ?? null;
  return (await joinParts(scene, toWish(event, []), { messageId, waitMs })) ?? dropped("not_addressed");
}

function speaker({ connectionId, event }: Pick<Talk, "connectionId" | "event">) {
  return { connectionId, channel: event.place.channel, thread: threadOf(event), userId: event.author.id };
}
