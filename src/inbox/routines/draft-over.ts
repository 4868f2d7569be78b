import { type Card, type Pressed, redraw } from "../action.ts";
import { handled } from "../outcome.ts";
import type { PersonScene } from "../scene.ts";

/** The card of a draft that was saved, dropped or replaced: its buttons go. */
export async function whenOver(scene: PersonScene, card: Card): Promise<Pressed> {
  const answer = scene.words.routines.draft.over;
  if (card.messageId !== undefined) await redraw(scene, card, { text: answer });
  return { outcome: handled, answer, stays: true };
}
