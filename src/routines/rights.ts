import { allows, type Person } from "../people/index.ts";
import type { Role } from "../storage/index.ts";
import type { Routine } from "./types.ts";

export function mayMakeRoutines(person: Person | null): person is Person {
  return person !== null && allows(person.role, "member");
}

/** Whether somebody may run, change and delete a routine: whose it is, and managers and above. */
export function mayChangeRoutine(person: Person | null, { author }: Pick<Routine, "author">): boolean {
  if (!mayMakeRoutines(person)) return false;
  return allows(person.role, "manager") || author?.id === person.id;
}

/** Whether somebody may say what another's routine does: it acts with its author's rights, so nobody below the author. */
export function mayRewriteRoutine(
  person: Person | null,
  routine: Pick<Routine, "author"> & { readonly authorRole: Role | null },
): boolean {
  const { author, authorRole } = routine;
  if (person === null || !mayChangeRoutine(person, routine)) return false;
  return author?.id === person.id || authorRole === null || allows(person.role, authorRole);
}

/** Whether it was made there, or reports there. */
export function isAboutPlace({ home, destinations }: Pick<Routine, "home" | "destinations">, placeId: string): boolean {
  return home.placeId === placeId || destinations.some((each) => each.placeId === placeId);
}
