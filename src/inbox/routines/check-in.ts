import { type KeptDraft, keepDraft, mayMakeRoutines } from "../../routines/index.ts";
import { knownZone, newId } from "../../shared/index.ts";
import type { Teammate } from "../../teammates/index.ts";
import { type PersonScene, threadOf } from "../scene.ts";
import { draftView } from "./draft-view.ts";
import { nameFor } from "./read-wish.ts";
import type { RoutinePost } from "./tokens.ts";

/** Whether a check-in may be offered: in private, to somebody who may have routines. */
export function mayCheckIn(scene: PersonScene): boolean {
  return scene.place.kind === "dm" && mayMakeRoutines(scene.person);
}

/** Keeps a check-in as it is offered, and draws its card. Nothing runs before somebody presses Create. */
export async function checkInDraft(scene: PersonScene, teammate: Teammate): Promise<RoutinePost> {
  const { unit, deps, person, place, event, words } = scene;
  const { checkIn } = words.routineTalk;
  const others = await deps.routines.list(unit.db, { teammateId: teammate.id });
  const taken = others.map(({ name }) => name);
  const kept: KeptDraft = {
    id: newId(),
    teammateId: teammate.id,
    routineId: null,
    personId: person.id,
    status: "open",
    draft: {
      kind: "check_in",
      name: nameFor(checkIn.name(person.displayName), taken),
      instruction: checkIn.instruction,
      trigger: { kind: "schedule", schedule: { kind: "weekdays", at: "09:00" } },
      timezone: knownZone(person.timezone) ?? "UTC",
      destinations: [],
      missed: "run_once",
      atLimit: "wait",
      home: { placeId: place.id, thread: threadOf(event) },
      newSecret: false,
    },
  };
  await keepDraft(unit.db, { ...kept, byTeammate: false });
  return draftView(scene, kept, { view: "draft" });
}
