import { allows, type Person } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import { freeHandle, mostTeammates, newcomer, type Profile, type ProfileProblem, problemIn } from "./profile.ts";
import * as store from "./teammates.store.ts";
import type { NewProfile, Saved, Teammate } from "./teammates.ts";

export async function createTeammate(unit: Unit, by: Person, profile: NewProfile): Promise<Saved> {
  const wrong = authorityProblem(by, profile, newcomer) ?? problemIn(profile);
  if (wrong) return refused(wrong);
  await store.lockNames(unit.db);
  const others = await store.list(unit.db);
  if (others.length >= mostTeammates) return refused("too_many");
  if (isTaken(profile.name, others)) return refused("name_taken");
  const handle = freeHandle(profile.name, await store.handles(unit.db));
  const teammate: Teammate = { id: newId(), handle, ...newcomer, ...profile };
  await store.add(unit.db, teammate);
  const { name, title, job } = teammate;
  const data = { handle, name, title, job };
  await trace(unit, by, teammate.id, "teammate_created", data);
  return { kind: "saved", teammate };
}

export async function updateTeammate(unit: Unit, by: Person, id: string, change: Partial<Profile>): Promise<Saved> {
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

/** What this person may not do to such a teammate: anything below a manager, widening below an admin. */
function authorityProblem(
  by: Person,
  change: Partial<Profile>,
  before: Pick<Profile, "autonomy" | "access">,
): ProfileProblem | null {
  const alone = change.autonomy === "autonomous" && before.autonomy !== "autonomous";
  const widens = alone || (change.access === "full" && before.access !== "full");
  return allows(by.role, widens ? "admin" : "manager") ? null : "not_allowed";
}

async function nameProblem(db: Db, id: string, { name }: Partial<Profile>): Promise<ProfileProblem | null> {
  if (name === undefined) return null;
  const others = (await store.list(db)).filter((each) => each.id !== id);
  return isTaken(name, others) ? "name_taken" : null;
}

/** Whoever is asked for by name is one: no name is another's name or handle. */
export function isTaken(name: string, others: readonly Pick<Teammate, "name" | "handle">[]): boolean {
  const wanted = name.toLowerCase();
  return others.some((other) => other.name.toLowerCase() === wanted || other.handle === wanted);
}

function differences(before: Teammate, change: Partial<Profile>): Record<string, { from: unknown; to: unknown }> {
  const was: Partial<Record<string, unknown>> = { ...before };
  return Object.fromEntries(
    Object.entries(change)
      .filter(([field, to]) => was[field] !== to)
      .map(([field, to]) => [field, { from: was[field], to }]),
  );
}

function trace({ db }: Unit, by: Person, teammateId: string, action: string, data: object): Promise<void> {
  return audit(db, { personId: by.id, teammateId, action, target: teammateId, data });
}

function refused(problem: ProfileProblem): Saved {
  return { kind: "refused", problem };
}
