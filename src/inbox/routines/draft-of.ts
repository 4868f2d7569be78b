import { type KeptDraft, keepDraft, type Routine, type RoutineDraft } from "../../routines/index.ts";
import { knownZone, newId } from "../../shared/index.ts";
import type { PersonScene } from "../scene.ts";
import { draftView } from "./draft-view.ts";
import { hereOf } from "./here.ts";
import type { RoutinePost } from "./tokens.ts";

/** What holds of a new routine where nothing else was said: it is made here, and makes up for what it missed. */
export function freshDraft(scene: PersonScene) {
  return {
    timezone: knownZone(scene.person.timezone) ?? "UTC",
    missed: "run_once",
    atLimit: "wait",
    home: hereOf(scene),
    newSecret: false,
  } as const satisfies Partial<RoutineDraft>;
}

/** Keeps a draft of whoever asks. Nothing runs before somebody presses Create, or Save. */
export async function keepOwn(
  { unit, person }: PersonScene,
  about: Pick<KeptDraft, "teammateId" | "routineId" | "draft">,
): Promise<KeptDraft> {
  const kept: KeptDraft = { ...about, id: newId(), personId: person.id, status: "open" };
  await keepDraft(unit.db, { ...kept, byTeammate: false });
  return kept;
}

/** The parts of a routine as it is, to be changed one by one. */
export async function editCard(scene: PersonScene, routine: Routine): Promise<RoutinePost> {
  const { id, teammateId, kind, name, instruction, trigger, timezone, missed, atLimit, home } = routine;
  const plan = { kind, name, instruction, trigger, timezone, missed, atLimit, home };
  const draft = { ...plan, destinations: [...routine.destinations], newSecret: false };
  const kept = await keepOwn(scene, { teammateId, routineId: id, draft });
  return draftView(scene, kept, { view: "parts" });
}
