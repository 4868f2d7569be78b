import { allows, type Person } from "../../people/index.ts";
import type { Routine } from "../../routines/index.ts";
import type { PersonScene, Scene } from "../scene.ts";

/** Whether somebody may run, change and delete it. The routines room decides; this only spares people buttons of no use. */
export function mayChange(person: Person, { author }: Routine): boolean {
  return allows(person.role, "manager") || (author?.id === person.id && allows(person.role, "member"));
}

/** What somebody may see of it here: their own, what has to do with this place, and everything for those who look after all. */
export function maySee({ person, place }: PersonScene, routine: Routine): boolean {
  return allows(person.role, "member") && (mayChange(person, routine) || isOf(routine, place.id));
}

/** The routines that concern whoever looks: in a shared place that place's, alone with us one's own, or all. */
export async function routinesHere({ unit, deps, person, place }: PersonScene): Promise<Routine[]> {
  if (!allows(person.role, "member")) return [];
  if (place.kind !== "dm") return deps.routines.list(unit.db, { placeId: place.id });
  const all = await deps.routines.list(unit.db);
  return all.filter((routine) => mayChange(person, routine) || isOf(routine, place.id));
}

function isOf({ home, destinations }: Routine, placeId: string): boolean {
  return home.placeId === placeId || destinations.some((each) => each.placeId === placeId);
}

export function mayMake({ person }: Scene): boolean {
  return person !== null && allows(person.role, "member");
}
