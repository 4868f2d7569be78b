import { allows, type Person } from "../people/index.ts";
import type { Place } from "./places.ts";

/** Whether somebody may give work to a teammate in a place; null is a stranger. Fails closed. */
export function mayAsk(place: Pick<Place, "kind" | "access">, person: Person | null): boolean {
  if (place.kind === "dm") return person !== null;
  switch (place.access) {
    case "closed":
      return false;
    case "owner":
      return person?.role === "owner";
    case "members":
      return person !== null && allows(person.role, "member");
    case "everyone":
      return true;
  }
}
