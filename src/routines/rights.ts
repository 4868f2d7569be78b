import { allows, type Person } from "../people/index.ts";
import type { Routine } from "./types.ts";

export function mayMakeRoutines(person: Person | null): person is Person {
  return person !== null && allows(person.role, "member");
}

/** Whether somebody may run, change and delete a routine: whose it is, and managers and above. */
export function mayChangeRoutine(person: Person | null, { author }: Pick<Routine, "author">): boolean {
  if (!mayMakeRoutines(person)) return false;
  return allows(person.role, "manager") || author?.id === person.id;
}

/** Whether it was made there, or reports there. */
export function isAboutPlace({ home, destinations }: Pick<Routine, "home" | "destinations">, placeId: string): boolean {
  return home.placeId === placeId || destinations.some((each) => each.placeId === placeId);
}
