import type { InboundEvent, Sink } from "../chat/index.ts";
import { inTransaction, isPassing, type Unit } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import { answerAfterCommit, takeButton } from "./buttons.ts";
import { takeDeletion, takeEdit } from "./changes.ts";
import { cleanEvent } from "./clean.ts";
import { takeCommand } from "./commands/index.ts";
import { defaultLimits, type InboxDeps, type InboxLimits } from "./deps.ts";
import { admit } from "./gate.ts";
import { recordArrival, settle } from "./inbox.store.ts";
import { takeMembership } from "./membership.ts";
import { takeMessage } from "./messages.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import type { AuthoredEvent, Scene } from "./scene.ts";
import { stopDraft } from "./stop.ts";
import { concernsUs, takeTalk } from "./talk.ts";

export interface Inbox {
  /** What an adapter hands its events to. Resolves when the event and what became of it are stored; rejects when nothing was. */
  sink(connectionId: string): Sink;
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
  const outcome = await inTransaction(deps.db, deps.log, async (unit) => {
    const arrival = { connectionId, event, outcome: early ?? handled, now: deps.clock.now() };
    if (!(await recordArrival(unit.db, arrival))) {
      if (event.kind === "button") answerAfterCommit({ unit, deps, connectionId, event });
      return dropped("duplicate");
    }
    if (early && !(await isTalkForUs(taken, unit, early))) return early;
    return event.kind === "deletion" ? forgetMessage(taken, unit, event) : carryOut(taken, unit, event);
  });
  if (outcome.kind === "dropped") {
    const level = outcome.reason === "not_addressed" ? "debug" : "info";
    deps.log[level]({ connectionId, key: event.key, kind: event.kind, reason: outcome.reason }, "an event was dropped");
  }
}

/** What needs no look at all: other bots, what came too late, and talk in a group that is not meant for us. */
function clearlyNothing({ deps, limits, event }: Taken): Outcome | null {
  if (event.kind === "deletion" || event.kind === "membership") return null;
  if (event.author.isBot) return dropped("bot");
  if (event.kind !== "message" && event.kind !== "command") return null;
  if (deps.clock.now().getTime() - event.sentAt.getTime() > limits.staleAfterMs) return dropped("stale");
  return event.kind === "message" && event.addressed === "ambient" ? dropped("not_addressed") : null;
}

async function isTalkForUs({ deps, connectionId, event }: Taken, unit: Unit, early: Outcome): Promise<boolean> {
  const isTalk = early.kind === "dropped" && early.reason === "not_addressed";
  if (event.kind !== "message" || !isTalk) return false;
  return concernsUs({ db: unit.db, connectionId, event, now: deps.clock.now() });
}

async function carryOut(taken: Taken, unit: Unit, event: AuthoredEvent): Promise<Outcome> {
  const { deps, limits, connectionId } = taken;
  const dmChannel = event.place.kind === "dm" ? event.place.channel : undefined;
  const identity = await deps.people.meet(unit, connectionId, event.author, dmChannel);
  const place = await deps.places.ensure(unit, connectionId, event.place);
  const { person } = identity;
  const words = wordsFor(person?.locale ?? event.author.locale);
  const outcome = await dispatch({ unit, deps, limits, connectionId, event, identity, person, place, words });
  await settle(unit.db, { connectionId, key: event.key, outcome, placeId: place.id, identityId: identity.id });
  return outcome;
}

async function dispatch(scene: Scene): Promise<Outcome> {
  const { event } = scene;
  switch (event.kind) {
    case "message": {
      if (event.addressed === "ambient") return takeTalk({ ...scene, event });
      return (await admit(scene, event.text)) ?? takeMessage({ ...scene, event });
    }
    case "command": {
      answerAfterCommit(scene);
      return (await admit(scene, event.name === "start" ? event.argument : "")) ?? takeCommand({ ...scene, event });
    }
    case "edit":
      return takeEdit({ unit: scene.unit, deps: scene.deps, placeId: scene.place.id, event });
    case "button":
      return takeButton({ ...scene, event });
    case "form":
    case "home":
      return dropped("not_addressed");
    case "stop":
      return stopDraft({ ...scene, event });
    case "membership":
      return takeMembership({ ...scene, event });
  }
}

async function forgetMessage(
  { deps, connectionId }: Taken,
  unit: Unit,
  event: Extract<InboundEvent, { kind: "deletion" }>,
): Promise<Outcome> {
  const place = await deps.places.ensure(unit, connectionId, event.place);
  const outcome = await takeDeletion({ unit, deps, placeId: place.id, event });
  await settle(unit.db, { connectionId, key: event.key, outcome, placeId: place.id, identityId: null });
  return outcome;
}
