import type { Post } from "../../chat/index.ts";
import type { Routine } from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { key, listKey } from "./routine-card.ts";
import { stateText } from "./run-words.ts";
import { issue, type Key, toButton } from "./tokens.ts";

/** One line once it is made, or changed, and what people do next. */
export async function madeCard(
  scene: PersonScene,
  routine: Routine,
  became: "created" | "changed",
): Promise<Pick<Post, "text" | "buttons">> {
  const { done, buttons } = scene.words.routines;
  const isWebhook = routine.trigger.kind === "webhook";
  const row: Key[] = [
    { ...key(scene, routine, "test"), label: buttons.runTest },
    key(scene, routine, routine.active ? "pause" : "resume"),
    ...(isWebhook ? [key(scene, routine, "secret")] : []),
  ];
  const token = await issue(scene, row);
  return {
    text: done[became](plain(routine.name), stateText(scene, routine)),
    buttons: [row.map((each) => toButton(each, token(each)))],
  };
}

/** Asks once more before it is gone. */
export async function sureCard(scene: PersonScene, routine: Routine): Promise<Pick<Post, "text" | "buttons">> {
  const { buttons, deleteSure } = scene.words.routines;
  const payload = { routineId: routine.id };
  const row: Key[] = [
    { label: buttons.deleteNow, action: "routine_delete", payload, style: "danger" },
    { label: buttons.keep, action: "routine_show", payload },
  ];
  const token = await issue(scene, row);
  return { text: deleteSure(plain(routine.name)), buttons: [row.map((each) => toButton(each, token(each)))] };
}

/** A line, and the way to the others. */
export async function goneCard(scene: PersonScene, text: string): Promise<Pick<Post, "text" | "buttons">> {
  const back = listKey(scene);
  const token = await issue(scene, [back]);
  return { text, buttons: [[toButton(back, token(back))]] };
}
