import type { Person } from "../../people/index.ts";
import type { KeptDraft, Routine } from "../../routines/index.ts";
import { newId } from "../../shared/index.ts";

/** A routine as it is, for somebody to change. */
export function draftOf(person: Person, routine: Routine): KeptDraft {
  const { kind, name, instruction, trigger, timezone, missed, atLimit, home } = routine;
  const plan = { kind, name, instruction, trigger, timezone, missed, atLimit, home };
  return {
    id: newId(),
    teammateId: routine.teammateId,
    routineId: routine.id,
    personId: person.id,
    draft: { ...plan, destinations: [...routine.destinations], newSecret: false },
    status: "open",
  };
}
