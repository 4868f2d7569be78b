import type { Here } from "../../routines/index.ts";
import { type PersonScene, threadOf } from "../scene.ts";

/** Where whoever asks is: what they make is made there. */
export function hereOf({ place, event }: PersonScene): Here {
  return { placeId: place.id, thread: threadOf(event) };
}
