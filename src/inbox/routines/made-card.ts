import type { Routine } from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { key, listKey } from "./routine-card.ts";
import { stateText } from "./run-words.ts";
import { buttonRows, type Key, type RoutinePost } from "./tokens.ts";

/** One line once it is made, or changed, and what people do next. */
export async function madeCard(
  scene: PersonScene,
  routine: Routine,
  became: "created" | "changed",
): Promise<RoutinePost> {
  const { done, buttons } = scene.words.routines;
  const isWebhook = routine.trigger.kind === "webhook";
  const row: Key[] = [
    { ...key(scene, routine, "test"), label: buttons.runTest },
    key(scene, routine, routine.active ? "pause" : "resume"),
    ...(isWebhook ? [key(scene, routine, "secret")] : []),
  ];
  return {
    text: done[became](plain(routine.name), stateText(scene, routine)),
    buttons: await buttonRows(scene, [row]),
  };
}

/** Asks once more before it is gone. */
export async function sureCard(scene: PersonScene, routine: Routine): Promise<RoutinePost> {
  const { buttons, deleteSure } = scene.words.routines;
  const payload = { routineId: routine.id };
  const row: Key[] = [
    { label: buttons.deleteNow, action: "routine_delete", payload, style: "danger" },
    { label: buttons.keep, action: "routine_show", payload },
  ];
  return { text: deleteSure(plain(routine.name)), buttons: await buttonRows(scene, [row]) };
}

/** A line, and the way to the others. */
export async function goneCard(scene: PersonScene, text: string): Promise<RoutinePost> {
  return { text, buttons: await buttonRows(scene, [[listKey(scene)]]) };
}
