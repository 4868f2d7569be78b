import { allows, type Person } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import { type Actor, authorityProblem, changedFields, isTeammate, moreAsking, personBehind } from "./authority.ts";
import { freeHandle, mostTeammates, newcomer, type Profile, type ProfileProblem, problemIn } from "./profile.ts";
import * as store from "./teammates.store.ts";
import type { Creation, NewProfile, Saved, Teammate } from "./teammates.ts";

export async function createTeammate(unit: Unit, by: Actor, given: NewProfile, creation: Creation): Promise<Saved> {
  const base = baseFor(by);
  const wrong = authorityProblem(by, given, base) ?? problemIn(given);
  if (wrong) return refused(wrong);
  await store.lockNames(unit.db);
  const made = creation.key && (await store.byCreationKey(unit.db, creation.key));
  if (made) return { kind: "saved", teammate: made };
  const crowded = await newNameProblem(unit.db, given.name);
  if (crowded) return refused(crowded);
  const handle = freeHandle(given.name, await store.handles(unit.db));
  const teammate: Teammate = { ...base, id: newId(), handle, ...given };
  await store.add(unit.db, teammate, { ...creation, ...originOf(by) });
  const { name, title, job } = teammate;
  await trace(unit, by, teammate.id, "teammate_created", { handle, name, title, job });
  return { kind: "saved", teammate };
}

/** How somebody new begins: a teammate's child thinks as its maker does, and asks at least as much. */
function baseFor(by: Actor): typeof newcomer | Omit<Teammate, "id" | "handle" | "name" | "title" | "job"> {
  if (!isTeammate(by)) return newcomer;
  const { model, effort, autonomy } = by.teammate;
  return { ...newcomer, model, effort, autonomy: moreAsking(autonomy, newcomer.autonomy) };
}

function originOf(by: Actor) {
  return { createdBy: personBehind(by)?.id ?? null, createdByTeammate: isTeammate(by) ? by.teammate.id : null };
}

/** Somebody new with everything of a teammate but its name, its memory and its conversations. */
export async function copyTeammate(
  unit: Unit,
  by: Person,
  id: string,
  copy: { readonly name: string; readonly key?: string | undefined },
): Promise<Saved> {
  await store.lockNames(unit.db);
  const made = copy.key && (await store.byCreationKey(unit.db, copy.key));
  if (made) return { kind: "saved", teammate: made };
  const model = await store.lock(unit.db, id);
  if (!model) return refused("gone");
  const { autonomy, access } = model;
  const wrong = authorityProblem(by, { autonomy, access }, newcomer) ?? problemIn({ name: copy.name });
  const problem = wrong ?? (await newNameProblem(unit.db, copy.name));
  if (problem) return refused(problem);
  const handle = freeHandle(copy.name, await store.handles(unit.db));
  const teammate: Teammate = { ...model, id: newId(), handle, name: copy.name };
  await store.copy(unit.db, id, { ...teammate, key: copy.key, createdBy: by.id });
  await trace(unit, by, teammate.id, "teammate_created", { handle, name: copy.name, copyOf: id });
  return { kind: "saved", teammate };
}

export async function updateTeammate(unit: Unit, by: Actor, id: string, change: Partial<Profile>): Promise<Saved> {
  if (change.name !== undefined) await store.lockNames(unit.db);
  const before = await store.lock(unit.db, id);
  if (!before) return refused("gone");
  const wrong = authorityProblem(by, change, before) ?? problemIn(change) ?? (await nameProblem(unit.db, id, change));
  if (wrong) return refused(wrong);
  const data = differences(before, change);
  if (Object.keys(data).length === 0) return { kind: "saved", teammate: before };
  await store.change(unit.db, id, change);
  await trace(unit, by, id, "teammate_changed", data);
  return { kind: "saved", teammate: { ...before, ...change } };
}

/** Keeps everything and takes no new work. Somebody has to stay. */
export async function hideTeammate(unit: Unit, by: Person, id: string): Promise<Saved> {
  const { found, problem } = await forHiding(unit, by, id);
  if (!found) return refused(problem);
  if (found.hidden) return { kind: "saved", teammate: found };
  if ((await store.list(unit.db)).length === 1) return refused("last_one");
  await store.setHidden(unit.db, id, true);
  await trace(unit, by, id, "teammate_hidden", {});
  return { kind: "saved", teammate: found };
}

/** Takes work again. What must be settled before that (runs that were missed meanwhile) belongs here, before the mark goes. */
export async function showTeammate(unit: Unit, by: Person, id: string): Promise<Saved> {
  const { found, problem } = await forHiding(unit, by, id);
  if (!found) return refused(problem);
  if (!found.hidden) return { kind: "saved", teammate: found };
  await store.setHidden(unit.db, id, false);
  await trace(unit, by, id, "teammate_shown", {});
  return { kind: "saved", teammate: found };
}

/** One at a time: two who hide the last two at once would leave nobody. */
async function forHiding({ db }: Unit, by: Person, id: string) {
  if (!allows(by.role, "admin")) return { found: undefined, problem: "not_allowed" } as const;
  await store.lockNames(db);
  return { found: (await store.everyone(db)).find((each) => each.id === id), problem: "gone" } as const;
}

async function newNameProblem(db: Db, name: string): Promise<ProfileProblem | null> {
  const others = await store.everyone(db);
  if (others.length >= mostTeammates) return "too_many";
  return isTaken(name, others) ? "name_taken" : null;
}

async function nameProblem(db: Db, id: string, { name }: Partial<Profile>): Promise<ProfileProblem | null> {
  if (name === undefined) return null;
  const others = (await store.everyone(db)).filter((each) => each.id !== id);
  return isTaken(name, others) ? "name_taken" : null;
}

/** Whoever is asked for by name is one: no name is another's name or handle. */
export function isTaken(name: string, others: readonly Pick<Teammate, "name" | "handle">[]): boolean {
  const wanted = name.toLowerCase();
  return others.some((other) => other.name.toLowerCase() === wanted || other.handle === wanted);
}

function differences(before: Teammate, change: Partial<Profile>): Record<string, { from: unknown; to: unknown }> {
  return Object.fromEntries(
    changedFields(change, before).map((field) => [field, { from: before[field], to: change[field] }]),
  );
}

function trace({ db }: Unit, by: Actor, teammateId: string, action: string, data: object): Promise<void> {
  const entry = isTeammate(by) ? { ...data, byTeammate: by.teammate.id } : data;
  return audit(db, { personId: personBehind(by)?.id ?? null, teammateId, action, target: teammateId, data: entry });
}

function refused(problem: ProfileProblem): Saved {
  return { kind: "refused", problem };
}
