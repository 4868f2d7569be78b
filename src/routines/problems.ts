import type { Person } from "../people/index.ts";
import { mayAsk, reachablePlaces } from "../places/index.ts";
import type { Clock } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type * as store from "./routines.store.ts";
import type { NewRoutine, RoutineProblem } from "./routines.ts";
import * as saving from "./save.store.ts";
import { isZone, problemIn } from "./schedule.ts";
import { type RoutineDestination, type RoutinePlan, routineLimits, triggerSchema } from "./types.ts";

/** The plan as it is stored: the name on one line, no place twice. */
export function tidied<Plan extends Partial<RoutinePlan>>(plan: Plan): Plan {
  return {
    ...plan,
    ...(plan.name === undefined ? {} : { name: plan.name.replace(/\s+/gu, " ").trim() }),
    ...(plan.instruction === undefined ? {} : { instruction: plan.instruction.trim() }),
    ...(plan.trigger === undefined ? {} : { trigger: triggerSchema.parse(plan.trigger) }),
    ...(plan.destinations === undefined ? {} : { destinations: eachOnce(plan.destinations) }),
  };
}

function eachOnce(destinations: readonly RoutineDestination[]): readonly RoutineDestination[] {
  const places = destinations.map(({ placeId, thread }) => `${placeId} ${thread}`);
  return destinations.filter((_, at) => places.indexOf(places[at] ?? "") === at);
}

interface Wanted {
  /** With whose rights its runs act; null where that is nobody any more. */
  readonly author: Person | null;
  readonly routine: NewRoutine;
  /** What of it is new, where something is changed. */
  readonly before: store.StoredRoutine | undefined;
}

/** What keeps it from being saved; rights are asked about before. */
export async function problemOf(db: Db, clock: Clock, wanted: Wanted): Promise<RoutineProblem | null> {
  return (
    textProblem(wanted) ?? timeProblem(clock, wanted) ?? (await crowdProblem(db, wanted)) ?? placeProblem(db, wanted)
  );
}

function textProblem({ routine: { name, instruction, destinations } }: Wanted): RoutineProblem | null {
  const limits = routineLimits;
  if (name === "") return { kind: "name_empty" };
  if ([...name].length > limits.name) return { kind: "name_too_long" };
  if (instruction === "") return { kind: "instruction_empty" };
  if (instruction.length > limits.instruction) return { kind: "instruction_too_long" };
  if (destinations.length > limits.destinations) return { kind: "too_many_destinations", limit: limits.destinations };
  return null;
}

/** A time that has passed meanwhile is none, where it is the one that was saved. */
function timeProblem(clock: Clock, { routine: { trigger, timezone }, before }: Wanted): RoutineProblem | null {
  if (before !== undefined && !isRetriggered(before, { trigger, timezone })) return null;
  if (!isZone(timezone)) return { kind: "schedule", problem: { kind: "zone", zone: timezone } };
  if (trigger.kind !== "schedule") return null;
  const problem = problemIn(trigger.schedule, timezone, clock.now());
  return problem && { kind: "schedule", problem };
}

/** Whether it would be due at other times, or started otherwise. */
export function isRetriggered(
  before: Pick<RoutinePlan, "trigger" | "timezone">,
  { trigger = before.trigger, timezone = before.timezone }: Partial<RoutinePlan>,
): boolean {
  // Both were read by one schema, so that their keys stand in one order.
  return timezone !== before.timezone || JSON.stringify(trigger) !== JSON.stringify(before.trigger);
}

async function crowdProblem(db: Db, { routine, before }: Wanted): Promise<RoutineProblem | null> {
  const { teammateId, name, trigger } = routine;
  const crowd = await saving.crowd(db, { teammateId, name, besides: before?.id ?? null });
  if (crowd.nameTaken) return { kind: "name_taken" };
  const { perTeammate, webhooks } = routineLimits;
  if (before === undefined && crowd.ofTeammate >= perTeammate) return { kind: "too_many", limit: perTeammate };
  const isNew = trigger.kind === "webhook" && before?.trigger.kind !== "webhook";
  return isNew && crowd.webhooks >= webhooks ? { kind: "too_many", limit: webhooks } : null;
}

/** Where it is made its author must be heard; and reports go only where the author may ask, so not into others' private chats. */
async function placeProblem(db: Db, { author, routine, before }: Wanted): Promise<RoutineProblem | null> {
  const { teammateId, home, destinations } = routine;
  const teammate = await saving.teammateOf(db, teammateId);
  if (teammate === undefined || (teammate.hidden && before === undefined)) return { kind: "no_teammate" };
  if (before === undefined) {
    const place = await saving.placeOf(db, home.placeId);
    if (place === undefined || place.archived || !mayAsk(place, author))
      return { kind: "place", placeId: home.placeId };
  }
  if (before !== undefined && sameDestinations(before.destinations, destinations)) return null;
  const elsewhere = destinations.filter(({ placeId }) => placeId !== home.placeId);
  if (elsewhere.length === 0) return null;
  const open = author === null ? [] : await reachablePlaces(db, author, teammate.handle);
  const closed = elsewhere.find(({ placeId }) => !open.some(({ id }) => id === placeId));
  return closed === undefined ? null : { kind: "place", placeId: closed.placeId };
}

/**
 * What keeps a routine from going on as somebody else's: it would work with their rights and memories, and report to places that
 * another one chose, such as that one's private chat.
 */
export async function takeOverProblem(
  db: Db,
  person: Person,
  { teammateId, home, destinations }: Pick<store.StoredRoutine, "teammateId" | "home" | "destinations">,
): Promise<RoutineProblem | null> {
  const teammate = await saving.teammateOf(db, teammateId);
  const place = await saving.placeOf(db, home.placeId);
  const open = new Set((await reachablePlaces(db, person, teammate?.handle ?? "")).map(({ id }) => id));
  const isAtHome = place?.kind === "dm" ? open.has(home.placeId) : place !== undefined && mayAsk(place, person);
  if (!isAtHome) return { kind: "place", placeId: home.placeId };
  for (const { placeId } of destinations) {
    const isGone = (await saving.placeOf(db, placeId))?.archived ?? true;
    if (placeId !== home.placeId && !isGone && !open.has(placeId)) return { kind: "place", placeId };
  }
  return null;
}

export function sameDestinations(some: readonly RoutineDestination[], others: readonly RoutineDestination[]): boolean {
  const told = (each: RoutineDestination) => JSON.stringify([each.placeId, each.thread, each.ownThread]);
  return some.length === others.length && some.every((each, at) => told(each) === told(others[at] ?? each));
}
