import type { Collect, InboundFile, MessageEvent, Quote } from "../chat/index.ts";
import { conversationKind, ensureConversation } from "../places/index.ts";
import { isKeyAlone, keepKeyOut } from "./access/index.ts";
import { cut, longestText } from "./clean.ts";
import { joinParts, joinThought } from "./collect.ts";
import { insertMessage, type NewMessage } from "./message.store.ts";
import { isMuteWord, takeMuteWord } from "./mute.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { addressees } from "./recipient.ts";
import { findRoute, type Recipient, type Route } from "./route.store.ts";
import { plain, type Scene, say, threadOf } from "./scene.ts";
import { isStopWord, stopHere } from "./stop.ts";
import { welcomeInPassing } from "./welcome.ts";

/** What somebody wants done, however they said it: a message, `/ask`, or a button that stands for a text. */
export interface Wish {
  readonly text: string;
  readonly files: readonly InboundFile[];
  readonly quote: Quote | null;
  readonly forwardedFrom: string | null;
  readonly platformMessageId: string | null;
  readonly sentAt: Date;
  readonly collect: Collect | null;
  /** The teammates chosen by name. */
  readonly teammateIds: readonly string[];
}

/** A message of somebody who may ask here: a control word, an empty mention, a part of a thought, or work. */
export async function takeMessage(given: Scene<MessageEvent>): Promise<Outcome> {
  const scene = await keepKeyOut(given);
  const { event } = scene;
  if (scene !== given && isKeyAlone(event)) return handled;
  if (isStopWord(event)) return stopHere(scene, "answer");
  const muted = isMuteWord(event) && (await takeMuteWord(scene));
  if (muted) return muted;
  if (isEmpty(event)) {
    const route = await chooseRoute(scene, toWish(event, []));
    const [first] = route.recipients;
    if (!first) return sayAway(scene, route);
    await say(scene, scene.words.inbox.empty(first.teammateName));
    return dropped("empty");
  }
  // Names in somebody else's words address nobody here.
  const chosen = event.forwardedFrom === undefined ? await addressees(scene, event.text) : [];
  return takeWish(scene, toWish(event, chosen));
}

/** Words alone, without a message of the platform's behind them. */
export function wishOf(text: string, sentAt: Date): Wish {
  return {
    text,
    files: [],
    quote: null,
    forwardedFrom: null,
    platformMessageId: null,
    sentAt,
    collect: null,
    teammateIds: [],
  };
}

export function toWish(event: MessageEvent, teammateIds: readonly string[]): Wish {
  return {
    text: event.text,
    files: event.files,
    quote: event.quote ?? null,
    forwardedFrom: event.forwardedFrom ?? null,
    platformMessageId: event.messageId,
    sentAt: event.sentAt,
    collect: event.collect ?? null,
    teammateIds,
  };
}

/** Our name alone: not worth a run. With somebody else's message quoted it says "look at this". */
export function isEmpty(event: MessageEvent): boolean {
  const pointsAtSomething = event.quote !== undefined && !event.quote.fromUs && (event.quote.text ?? "") !== "";
  return event.text.trim() === "" && event.files.length === 0 && !pointsAtSomething;
}

/** Stores what somebody wants and puts it into the mailbox of each teammate it is for. */
export async function takeWish(scene: Scene, wish: Wish): Promise<Outcome> {
  const thought = wish.collect && (await joinThought(scene, wish, wish.collect));
  if (thought) return thought;
  const route = await chooseRoute(scene, wish);
  if (route.openPaste !== null && wish.collect === null) {
    const joined = await joinParts(scene, wish, { messageId: route.openPaste, waitMs: null });
    if (joined) return joined;
  }
  if (route.isStored) return dropped("duplicate");
  if (route.away.length > 0) await sayAway(scene, route);
  if (route.recipients.length === 0) return dropped("away");
  const recipients: Recipient[] = [];
  for (const recipient of route.recipients) {
    if (!(await isTooMuch(scene, recipient))) recipients.push(recipient);
  }
  return recipients.length === 0 ? dropped("too_many_waiting") : store(scene, wish, recipients);
}

/** Who would answer. */
export async function chooseRoute(scene: Scene, wish: Wish): Promise<Route> {
  const question = {
    connectionId: scene.connectionId,
    channel: scene.place.channel,
    placeId: scene.place.id,
    thread: threadOf(scene.event),
    chosen: wish.teammateIds,
    repliedTo: wish.quote?.fromUs ? wish.quote.messageId : null,
    messageId: wish.platformMessageId,
    personId: scene.person?.id ?? null,
    authorName: scene.identity.displayName,
    now: scene.deps.clock.now(),
  };
  const route = await findRoute(scene.unit.db, question);
  if (route) return route;
  await scene.deps.teammates.ensureDefault(scene.unit);
  const second = await findRoute(scene.unit.db, question);
  if (!second) throw new Error("there is no teammate to ask");
  return second;
}

/** One line for what is meant for somebody who takes nothing now, and who can help instead. */
async function sayAway(scene: Scene, { recipients, away, standIn }: Route): Promise<Outcome> {
  const instead = recipients.length > 0 || standIn === null ? undefined : plain(standIn);
  await say(scene, scene.words.teammates.away(away.map(plain), instead), { part: "away" });
  return dropped("away");
}

/** Says so when too much waits already, instead of a queue that grows out of sight. */
async function isTooMuch(scene: Scene, recipient: Recipient): Promise<boolean> {
  const { words, limits } = scene;
  const { teammateId, teammateName, waitingForPerson, waitingForTeammate } = recipient;
  const options = { notify: true, part: `full:${teammateId}` };
  if (waitingForPerson >= limits.waitingPerPerson) {
    await say(scene, words.inbox.tooManyYours(waitingForPerson, teammateName), options);
    return true;
  }
  if (waitingForTeammate >= limits.waitingPerTeammate) {
    await say(scene, words.inbox.tooManyAll(teammateName), options);
    return true;
  }
  return false;
}

async function store(scene: Scene, wish: Wish, recipients: readonly Recipient[]): Promise<Outcome> {
  const { text, wasCut } = cut(wish.text);
  const messageIds: string[] = [];
  for (const recipient of recipients) {
    const messageId = await deliver(scene, { ...wish, text }, recipient);
    if (messageId !== undefined) messageIds.push(messageId);
  }
  const [messageId] = messageIds;
  if (messageId === undefined) return dropped("duplicate");
  if (wasCut) await say(scene, scene.words.inbox.cut(longestText));
  return { kind: "delivered", messageId };
}

/** Stores a copy of the message for one teammate, in the conversation they have here; undefined when it is there already. */
async function deliver(scene: Scene, wish: Wish, recipient: Recipient): Promise<string | undefined> {
  const { unit, deps, place, person, event } = scene;
  const { teammateId } = recipient;
  if (recipient.conversationId === null && place.kind === "dm") await welcomeInPassing(scene, teammateId);
  const conversationId = recipient.conversationId ?? (await newConversation(scene, teammateId));
  const readyAt = wish.collect ? new Date(deps.clock.now().getTime() + wish.collect.waitMs) : undefined;
  const message: NewMessage = {
    conversationId,
    placeId: place.id,
    thread: threadOf(event),
    personId: person?.id ?? null,
    authorName: scene.identity.displayName,
    text: wish.text,
    platformMessageId: wish.platformMessageId,
    quote: wish.quote,
    forwardedFrom: wish.forwardedFrom,
    collect: wish.collect && readyAt ? { collect: wish.collect, until: readyAt } : null,
    sentAt: wish.sentAt,
    files: wish.files,
  };
  const messageId = await insertMessage(unit.db, message);
  if (messageId === undefined) return undefined;
  await deps.mailbox.deliver(unit, {
    messageId,
    teammateId,
    conversationId,
    requesterPersonId: person?.id ?? null,
    trigger: "message",
    idempotencyKey: `message:${messageId}:${teammateId}`,
    readyAt,
  });
  return messageId;
}

async function newConversation(scene: Scene, teammateId: string): Promise<string> {
  const thread = threadOf(scene.event);
  const { id } = await ensureConversation(scene.unit, {
    placeId: scene.place.id,
    teammateId,
    thread,
    kind: conversationKind(scene.place.kind, thread),
  });
  return id;
}
