import type { Collect, InboundFile, MessageEvent, Quote } from "../chat/index.ts";
import { conversationKind, ensureConversation } from "../places/index.ts";
import { cut, longestText } from "./clean.ts";
import { joinParts, joinThought } from "./collect.ts";
import { insertMessage, type NewMessage } from "./message.store.ts";
import { dropped, type Outcome } from "./outcome.ts";
import { addressee } from "./recipient.ts";
import { findRoute, type Route } from "./route.store.ts";
import { type Scene, say, threadOf } from "./scene.ts";
import { isStopWord, stopHere } from "./stop.ts";

/** What somebody wants done, however they said it: a message, `/ask`, or a button that stands for a text. */
export interface Wish {
  readonly text: string;
  readonly files: readonly InboundFile[];
  readonly quote: Quote | null;
  readonly forwardedFrom: string | null;
  readonly platformMessageId: string | null;
  readonly sentAt: Date;
  readonly collect: Collect | null;
  /** The teammate chosen by name. */
  readonly teammateId: string | null;
}

/** A message of somebody who may ask here: a control word, an empty mention, a part of a thought, or work. */
export async function takeMessage(scene: Scene<MessageEvent>): Promise<Outcome> {
  const { event } = scene;
  if (isStopWord(event)) return stopHere(scene, "answer");
  if (isEmpty(event)) {
    const [teammate] = await scene.deps.teammates.list(scene.unit.db);
    await say(scene, scene.words.inbox.empty(teammate?.name ?? ""));
    return dropped("empty");
  }
  return takeWish(scene, toWish(event, await addressee(scene, event.text)));
}

export function toWish(event: MessageEvent, teammateId: string | null): Wish {
  return {
    text: event.text,
    files: event.files,
    quote: event.quote ?? null,
    forwardedFrom: event.forwardedFrom ?? null,
    platformMessageId: event.messageId,
    sentAt: event.sentAt,
    collect: event.collect ?? null,
    teammateId,
  };
}

/** Our name alone: not worth a run. With somebody else's message quoted it says "look at this". */
function isEmpty(event: MessageEvent): boolean {
  const pointsAtSomething = event.quote !== undefined && !event.quote.fromUs && (event.quote.text ?? "") !== "";
  return event.text.trim() === "" && event.files.length === 0 && !pointsAtSomething;
}

/** Stores what somebody wants and puts it into the mailbox of the teammate it is for. */
export async function takeWish(scene: Scene, wish: Wish): Promise<Outcome> {
  const thought = wish.collect && (await joinThought(scene, wish, wish.collect));
  if (thought) return thought;
  const route = await chooseRoute(scene, wish);
  if (route.openPaste !== null && wish.collect === null) {
    const joined = await joinParts(scene, wish, { messageId: route.openPaste, waitMs: null });
    if (joined) return joined;
  }
  if (await isTooMuch(scene, route)) return dropped("too_many_waiting");
  return store(scene, wish, route);
}

async function chooseRoute(scene: Scene, wish: Wish): Promise<Route> {
  const question = {
    connectionId: scene.connectionId,
    channel: scene.place.channel,
    placeId: scene.place.id,
    thread: threadOf(scene.event),
    chosen: wish.teammateId,
    repliedTo: wish.quote?.fromUs ? wish.quote.messageId : null,
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

/** Says so when too much waits already, instead of a queue that grows out of sight. */
async function isTooMuch(scene: Scene, route: Route): Promise<boolean> {
  const { words, limits } = scene;
  if (route.waitingForPerson >= limits.waitingPerPerson) {
    await say(scene, words.inbox.tooManyYours(route.waitingForPerson, route.teammateName), { notify: true });
    return true;
  }
  if (route.waitingForTeammate >= limits.waitingPerTeammate) {
    await say(scene, words.inbox.tooManyAll(route.teammateName), { notify: true });
    return true;
  }
  return false;
}

async function store(scene: Scene, wish: Wish, route: Route): Promise<Outcome> {
  const { unit, deps, place, person, event, words } = scene;
  const conversationId = route.conversationId ?? (await newConversation(scene, route.teammateId));
  const { text, wasCut } = cut(wish.text);
  const readyAt = wish.collect ? new Date(deps.clock.now().getTime() + wish.collect.waitMs) : undefined;
  const message: NewMessage = {
    conversationId,
    placeId: place.id,
    thread: threadOf(event),
    personId: person?.id ?? null,
    authorName: scene.identity.displayName,
    text,
    platformMessageId: wish.platformMessageId,
    quote: wish.quote,
    forwardedFrom: wish.forwardedFrom,
    collect: wish.collect && readyAt ? { collect: wish.collect, until: readyAt } : null,
    sentAt: wish.sentAt,
    files: wish.files,
  };
  const messageId = await insertMessage(unit.db, message);
  if (messageId === undefined) return dropped("duplicate");
  if (wasCut) await say(scene, words.inbox.cut(longestText));
  await deps.mailbox.deliver(unit, {
    messageId,
    teammateId: route.teammateId,
    conversationId,
    requesterPersonId: person?.id ?? null,
    trigger: "message",
    idempotencyKey: `message:${messageId}:${route.teammateId}`,
    readyAt,
  });
  return { kind: "delivered", messageId };
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
