import { mayMakeRoutines, type RoutineDraft } from "../../routines/index.ts";
import type { Teammate } from "../../teammates/index.ts";
import type { PersonScene } from "../scene.ts";
import { freshDraft, keepOwn } from "./draft-of.ts";
import { draftView } from "./draft-view.ts";
import { nameFor } from "./read-wish.ts";
import type { RoutinePost } from "./tokens.ts";

/** Whether a check-in may be offered: in private, to somebody who may have routines. */
export function mayCheckIn(scene: PersonScene): boolean {
  return scene.place.kind === "dm" && mayMakeRoutines(scene.person);
}

/** Keeps a check-in as it is offered, and draws its card. */
export async function checkInDraft(scene: PersonScene, teammate: Teammate): Promise<RoutinePost> {
  const { unit, deps, person, words } = scene;
  const { checkIn } = words.routineTalk;
  const others = await deps.routines.list(unit.db, { teammateId: teammate.id });
  const names = others.map(({ name }) => name);
  const draft: RoutineDraft = {
    ...freshDraft(scene),
    kind: "check_in",
    name: nameFor(checkIn.name(person.displayName), names),
    instruction: checkIn.instruction,
    trigger: { kind: "schedule", schedule: { kind: "weekdays", at: "09:00" } },
    destinations: [],
  };
  const kept = await keepOwn(scene, { teammateId: teammate.id, routineId: null, draft });
  return draftView(scene, kept, { view: "draft" });
}
