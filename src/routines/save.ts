import type { Person } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import { type Actor, isTeammate, personBehind } from "../teammates/index.ts";
import { dueAfter } from "./due.ts";
import { isRetriggered, problemOf, sameDestinations, tidied } from "./problems.ts";
import { mayChangeRoutine, mayMakeRoutines, mayRewriteRoutine } from "./rights.ts";
import * as store from "./routines.store.ts";
import type { NewRoutine, RoutineProblem, RoutineSaved, RoutinesDeps } from "./routines.ts";
import * as saving from "./save.store.ts";
import { settle } from "./settle.ts";
import type { RoutinePlan } from "./types.ts";
import { wakeFor } from "./wake.ts";

export async function createRoutine(
  deps: RoutinesDeps,
  unit: Unit,
  by: Actor,
  { given, key }: { readonly given: NewRoutine; readonly key: string | undefined },
): Promise<RoutineSaved> {
  const { db } = unit;
  const author = personBehind(by);
  if (!mayMakeRoutines(author)) return refused({ kind: "not_allowed" });
  const { teammateId, home, ...plan } = tidied(given);
  await saving.lockNames(db, teammateId);
  const made = key && (await saving.byCreationKey(db, key));
  if (made) return saved(db, made.id);
  const problem = await problemOf(db, deps.clock, {
    author,
    routine: { ...plan, teammateId, home },
    before: undefined,
  });
  if (problem) return refused(problem);
  const now = deps.clock.now();
  const row = {
    id: newId(),
    teammateId,
    plan,
    home,
    nextDueAt: firstDue(plan, now),
    createdBy: author.id,
    createdByTeammate: isTeammate(by) ? by.teammate.id : null,
    creationKey: key,
    now,
  };
  await saving.add(db, row);
  const { name, kind, trigger, timezone, destinations } = plan;
  await trace(unit, by, { id: row.id, teammateId }, "routine_created", { name, kind, trigger, timezone, destinations });
  wakeFor(deps, unit, row);
  return saved(db, row.id);
}

/** What would be refused, without writing anything. */
export async function checkRoutine(
  { clock }: RoutinesDeps,
  db: Db,
  by: Actor,
  { given, id }: { readonly given: NewRoutine; readonly id: string | undefined },
): Promise<RoutineProblem | null> {
  const routine = tidied(given);
  const person = personBehind(by);
  if (id === undefined) {
    if (!mayMakeRoutines(person)) return { kind: "not_allowed" };
    return problemOf(db, clock, { author: person, routine, before: undefined });
  }
  const before = await store.get(db, id);
  if (before === undefined) return { kind: "gone" };
  if (!mayRewriteRoutine(person, before))
    return { kind: mayChangeRoutine(person, before) ? "outranked" : "not_allowed" };
  return problemOf(db, clock, { author: (await saving.authorOf(db, id)) ?? null, routine, before });
}

/** What was due until now is settled by what it was; a changed trigger or zone counts from now. */
export async function updateRoutine(
  deps: RoutinesDeps,
  unit: Unit,
  by: Actor,
  { id, given }: { readonly id: string; readonly given: Partial<RoutinePlan> },
): Promise<RoutineSaved> {
  const { db } = unit;
  const held = await forChange(unit, by, id);
  if (held.problem) return refused(held.problem);
  if (!mayRewriteRoutine(held.person, held.routine)) return refused({ kind: "outranked" });
  const wanted = tidied(given);
  if (wanted.name !== undefined) await saving.lockNames(db, held.routine.teammateId);
  const author = (await saving.authorOf(db, id)) ?? null;
  const problem = await problemOf(db, deps.clock, {
    author,
    routine: { ...held.routine, ...wanted },
    before: held.routine,
  });
  if (problem) return refused(problem);
  const now = deps.clock.now();
  const plan = changed(held.routine, wanted);
  if (Object.keys(plan).length === 0) return { kind: "saved", routine: held.routine };
  const retriggered = isRetriggered(held.routine, plan);
  const before = retriggered ? await settled(deps, unit, held.routine, now) : held.routine;
  await saving.change(db, id, { plan, retriggered, ...lifeAfter(before, plan, retriggered, now) }, now);
  await trace(unit, by, before, "routine_changed", differences(before, plan));
  return reload(deps, unit, id);
}

/** With a new trigger a routine that was over goes on, and with new destinations one whose places were gone. */
function lifeAfter(
  before: store.StoredRoutine,
  plan: Partial<RoutinePlan>,
  retriggered: boolean,
  now: Date,
): Pick<saving.Change, "active" | "stoppedBecause" | "nextDueAt"> {
  const revived =
    (before.stoppedBecause === "over" && retriggered) ||
    (before.stoppedBecause === "place" && plan.destinations !== undefined);
  const active = before.active || revived;
  if (!active) return {};
  const due = retriggered || revived ? { nextDueAt: firstDue({ ...before, ...plan }, now) } : {};
  return { active, stoppedBecause: null, ...due };
}

/** The routine after what is due of it was settled: that may have ended it. */
async function settled(
  deps: RoutinesDeps,
  unit: Unit,
  routine: store.StoredRoutine,
  now: Date,
): Promise<store.StoredRoutine> {
  if (!routine.active) return routine;
  await settle(deps, unit, routine, { now, skip: routine.hidden ? "hidden" : undefined });
  return (await store.get(unit.db, routine.id)) ?? routine;
}

type Held =
  | { readonly routine: store.StoredRoutine; readonly person: Person; readonly problem?: undefined }
  | { readonly routine?: undefined; readonly person?: undefined; readonly problem: RoutineProblem };

/** Holds a routine that somebody is about to change, until the end of the transaction. */
export async function forChange({ db }: Unit, by: Actor, id: string): Promise<Held> {
  const person = personBehind(by);
  const routine = await store.lock(db, id);
  if (routine === undefined) return { problem: { kind: "gone" } };
  if (person === null || !mayChangeRoutine(person, routine)) return { problem: { kind: "not_allowed" } };
  return { routine, person };
}

export async function reload(deps: RoutinesDeps, unit: Unit, id: string): Promise<RoutineSaved> {
  const routine = await store.get(unit.db, id);
  if (routine === undefined) return refused({ kind: "gone" });
  wakeFor(deps, unit, routine);
  return { kind: "saved", routine };
}

async function saved(db: Db, id: string): Promise<RoutineSaved> {
  const routine = await store.get(db, id);
  return routine ? { kind: "saved", routine } : refused({ kind: "gone" });
}

export function firstDue({ trigger, timezone }: Pick<RoutinePlan, "trigger" | "timezone">, now: Date): Date | null {
  return trigger.kind === "schedule" ? dueAfter({ schedule: trigger.schedule, timezone }, now, null) : null;
}

function changed(before: store.StoredRoutine, wanted: Partial<RoutinePlan>): Partial<RoutinePlan> {
  const { trigger, destinations, ...plain } = wanted;
  const fields = Object.entries(plain).filter(([field, value]) => before[field as keyof typeof plain] !== value);
  return {
    ...Object.fromEntries(fields),
    ...(trigger !== undefined && isRetriggered(before, { trigger }) ? { trigger } : {}),
    ...(destinations !== undefined && !sameDestinations(before.destinations, destinations) ? { destinations } : {}),
  };
}

/** What it was and what it is; of the instruction, which may be long, how long. */
function differences(before: RoutinePlan, plan: Partial<RoutinePlan>): Record<string, { from: unknown; to: unknown }> {
  const told = (field: string, value: unknown) =>
    field === "instruction" && typeof value === "string" ? { characters: value.length } : value;
  return Object.fromEntries(
    (Object.keys(plan) as (keyof RoutinePlan)[]).map((field) => [
      field,
      { from: told(field, before[field]), to: told(field, plan[field]) },
    ]),
  );
}

export function trace(
  { db }: Unit,
  by: Actor,
  { id, teammateId }: { readonly id: string; readonly teammateId: string },
  action: string,
  data: object,
): Promise<void> {
  const entry = isTeammate(by) ? { ...data, byTeammate: by.teammate.id } : data;
  return audit(db, { personId: personBehind(by)?.id ?? null, teammateId, action, target: id, data: entry });
}

export function refused(problem: RoutineProblem): { readonly kind: "refused"; readonly problem: RoutineProblem } {
  return { kind: "refused", problem };
}
