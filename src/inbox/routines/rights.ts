import { isAboutPlace, mayChangeRoutine, mayMakeRoutines, type Routine } from "../../routines/index.ts";
import type { PersonScene } from "../scene.ts";

/** What somebody may see of it here: their own, what has to do with this place, and everything for those who look after all. */
export function maySee({ person, place }: PersonScene, routine: Routine): boolean {
  return mayMakeRoutines(person) && (mayChangeRoutine(person, routine) || isAboutPlace(routine, place.id));
}

/** The routines that concern whoever looks: in a shared place that place's, alone with us one's own, or all. */
export async function routinesHere(scene: PersonScene): Promise<Routine[]> {
  const { unit, deps, person, place } = scene;
  if (!mayMakeRoutines(person)) return [];
  if (place.kind !== "dm") return deps.routines.list(unit.db, { placeId: place.id });
  const all = await deps.routines.list(unit.db);
  return all.filter((routine) => maySee(scene, routine));
}
