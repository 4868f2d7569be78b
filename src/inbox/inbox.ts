import type {
  Address,
  Completion,
  DeletionEvent,
  EditEvent,
  Form,
  InboundEvent,
  MessageEvent,
  Sink,
} from "../chat/index.ts";
import { inTransaction, isPassing, type Unit } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import { answerAfterCommit, takeButton, takeForm } from "./buttons.ts";
import { takeDeletion, takeEdit } from "./changes.ts";
import { cleanEvent } from "./clean.ts";
import { takeLinkCode } from "./codes.ts";
import { takeCommand } from "./commands/index.ts";
import { complete } from "./complete.ts";
import { defaultLimits, type InboxDeps, type InboxLimits } from "./deps.ts";
import { formFor } from "./forms.ts";
import { admit, mayAskThere } from "./gate.ts";
import { takeHome } from "./home.ts";
import { recordArrival, settle } from "./inbox.store.ts";
import { takeMembership } from "./membership.ts";
import { takeMessage } from "./messages.ts";
import { type DropReason, dropped, handled, type Outcome } from "./outcome.ts";
import { takeCardReply } from "./questions.ts";
import { takeReplyForm } from "./reply-forms.ts";
import type { AuthoredEvent, Scene } from "./scene.ts";
import { stopDraft } from "./stop.ts";
import { takeUpload } from "./take-upload.ts";
import { hear, isBeneathUs, remember, takeTalk } from "./talk.ts";
import { fetchUpload, type Upload } from "./uploads.ts";

export interface Inbox {
  /** What an adapter hands its events to. Resolves when the event and what became of it are stored; rejects when nothing was. */
  sink(connectionId: string): Sink;
  /** What `AdapterDeps.form`, `complete` and `mayAsk` answer. None of them writes anything. */
  form(connectionId: string, token: string, userId: string): Promise<Form | undefined>;
  complete(connectionId: string, what: Completion, typed: string, userId: string): Promise<readonly string[]>;
  mayAsk(connectionId: string, place: Address, userId: string): Promise<boolean>;
}

/** Events in, deliveries out: one transaction each, so an event either happened with everything it caused or not at all. */
export function createInbox(deps: InboxDeps): Inbox {
  const limits = { ...defaultLimits, ...deps.limits };
  const patience = createPatience();
  return {
    sink: (connectionId) => async (event) => {
      const taken = { deps, limits, connectionId, event: cleanEvent(event) };
      try {
        await take(taken);
        patience.forget(taken);
      } catch (error) {
        if (isPassing(error) || patience.bear(taken)) throw error;
        await giveUp(taken, error);
        patience.forget(taken);
      }
    },
    form: (connectionId, token, userId) => formFor(deps, { connectionId, token, userId }),
    complete: (connectionId, what, typed, userId) => complete(deps, { connectionId, what, typed, userId }),
    mayAsk: (connectionId, place, userId) => mayAskThere(deps, { connectionId, place, userId }),
  };
}

const mostTries = 6;

/** How often events failed for a reason that does not pass. Forgetting it with the process only means a few tries more. */
function createPatience() {
  const failures = new Map<string, number>();
  const nameOf = ({ connectionId, event }: Taken) => `${connectionId} ${event.key}`;
  return {
    forget: (taken: Taken) => void failures.delete(nameOf(taken)),
    /** False when it was offered often enough. */
    bear(taken: Taken): boolean {
      const count = (failures.get(nameOf(taken)) ?? 0) + 1;
      failures.set(nameOf(taken), count);
      return count < mostTries;
    },
  };
}

/** What can never be taken must not hold up everything behind it: it is written down as broken, and `/why` and the log say so. */
async function giveUp({ deps, connectionId, event }: Taken, error: unknown): Promise<void> {
  const arrival = { connectionId, event, outcome: dropped("broken"), now: deps.clock.now() };
  await recordArrival(deps.db, arrival);
  deps.log.error(
    { err: error, connectionId, key: event.key, kind: event.kind },
    "an event could not be taken and is given up",
  );
}

interface Taken {
  readonly deps: InboxDeps;
  readonly limits: InboxLimits;
  readonly connectionId: string;
  readonly event: InboundEvent;
}

async function take(taken: Taken): Promise<void> {
  const { deps, connectionId, event } = taken;
  const early = clearlyNothing(taken);
  const upload = early === null ? await fetchUpload(deps, connectionId, event) : undefined;
  const outcome = await inTransaction(deps.db, deps.log, async (unit) => {
    const arrival = { connectionId, event, outcome: early ?? handled, now: deps.clock.now() };
    const arrived = await recordArrival(unit.db, arrival);
    if (arrived === "known") {
      if (event.kind === "button" || event.kind === "form") answerAfterCommit({ unit, deps, connectionId, event });
      return dropped("duplicate");
    }
    if (arrived === "deleted") return keepAway(unit, taken);
    if (early === talk && event.kind === "message") return overhear(taken, unit, event);
    if (early) return early;
    return event.kind === "edit" || event.kind === "deletion"
      ? alterMessage(taken, unit, event)
      : carryOut(taken, unit, event, upload);
  });
  if (outcome.kind === "dropped") {
    const level = everyday.has(outcome.reason) ? "debug" : "info";
    deps.log[level]({ connectionId, key: event.key, kind: event.kind, reason: outcome.reason }, "an event was dropped");
  }
}

async function keepAway(unit: Unit, { connectionId, event }: Taken): Promise<Outcome> {
  const outcome = dropped("deleted");
  await settle(unit.db, { connectionId, key: event.key, outcome });
  return outcome;
}

/** What people say among themselves, as far as we know when it arrives. */
const talk = dropped("not_addressed");
const everyday: ReadonlySet<DropReason> = new Set(["not_addressed", "muted", "aside", "for_somebody_else"]);

/** What needs no look at all, or hardly one: other bots, what came too late, and talk in a group that is not meant for us. */
function clearlyNothing({ deps, limits, event }: Taken): Outcome | null {
  if (event.kind === "deletion" || event.kind === "membership") return null;
  if (event.author.isBot) return dropped("bot");
  if (event.kind !== "message" && event.kind !== "command") return null;
  if (deps.clock.now().getTime() - event.sentAt.getTime() > limits.staleAfterMs) return dropped("stale");
  return event.kind === "message" && (event.addressed === "ambient" || isBeneathUs(event)) ? talk : null;
}

/** Talk means us all the same where it goes on with something. Whatever comes of it, it is remembered in places that were opened to us. */
async function overhear(taken: Taken, unit: Unit, event: MessageEvent): Promise<Outcome> {
  const { deps, connectionId } = taken;
  const heard = await hear({ unit, connectionId, event, teammates: deps.teammates, now: deps.clock.now() });
  const outcome = heard.event ? await carryOut(taken, unit, heard.event) : dropped(heard.reason);
  if (outcome.kind !== "dropped") return outcome;
  if (heard.placeId !== null) await remember(unit.db, heard.placeId, event);
  if (outcome.reason !== talk.reason) await settle(unit.db, { connectionId, key: event.key, outcome });
  return outcome;
}

async function carryOut(taken: Taken, unit: Unit, event: AuthoredEvent, upload?: Upload): Promise<Outcome> {
  const { deps, limits, connectionId } = taken;
  const dmChannel = event.place.kind === "dm" ? event.place.channel : undefined;
  const identity = await deps.people.meet(unit, connectionId, event.author, dmChannel);
  const place = await deps.places.ensure(unit, connectionId, event.place);
  const { person } = identity;
  const words = wordsFor(person?.locale ?? event.author.locale);
  const told = { privately: false };
  const scene = { unit, deps, limits, connectionId, event, identity, person, place, words, told, upload };
  const outcome = await dispatch(scene);
  await settle(unit.db, { connectionId, key: event.key, outcome, placeId: place.id, identityId: identity.id });
  return outcome;
}

async function dispatch(scene: Scene): Promise<Outcome> {
  const { event } = scene;
  switch (event.kind) {
    case "message": {
      if (event.addressed === "ambient") return takeTalk({ ...scene, event });
      return (
        (await takeReplyForm(scene, event)) ??
        (await takeCardReply(scene, event)) ??
        (await admit(scene, event.text)) ??
        (await takeLinkCode({ ...scene, event })) ??
        (await takeUpload({ ...scene, event })) ??
        takeMessage({ ...scene, event })
      );
    }
    case "command": {
      const bringsCode = event.name === "start" || event.name === "link";
      const outcome =
        (await admit(scene, bringsCode ? event.argument : "")) ?? (await takeCommand({ ...scene, event }));
      if (!scene.told.privately) answerAfterCommit(scene);
      return outcome;
    }
    case "button":
      return takeButton({ ...scene, event });
    case "form":
      return takeForm({ ...scene, event });
    case "home":
      return takeHome({ ...scene, event });
    case "stop":
      return stopDraft({ ...scene, event });
    case "membership":
      return takeMembership({ ...scene, event });
  }
}

/** What happens to a message that was sent before: nobody has to be met for it. */
async function alterMessage(
  { deps, connectionId }: Taken,
  unit: Unit,
  event: EditEvent | DeletionEvent,
): Promise<Outcome> {
  const change = { unit, deps, connectionId };
  const outcome =
    event.kind === "edit" ? await takeEdit({ ...change, event }) : await takeDeletion({ ...change, event });
  await settle(unit.db, { connectionId, key: event.key, outcome });
  return outcome;
}
