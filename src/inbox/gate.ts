import { allows } from "../people/index.ts";
import { mayAsk } from "../places/index.ts";
import { looksLikeCode, tellStranger, tryCode } from "./codes.ts";
import { dropped, type Outcome } from "./outcome.ts";
import { askWhoMayAsk } from "./place-card.ts";
import type { Scene } from "./scene.ts";

/** Lets people through who may ask here: null. Anyone else gets at most one sentence, and what became of it is returned. `code` is what might be a code. */
export async function admit(scene: Scene, code: string): Promise<Outcome | null> {
  const { place, person } = scene;
  if (mayAsk(place, person) || decidesAboutPlace(scene)) return null;
  if (person === null) return place.kind === "dm" ? meetStranger(scene, code.trim()) : silence(scene);
  if (place.access === "closed") {
    await askWhoMayAsk(scene);
    return dropped("place_closed");
  }
  return dropped("not_allowed");
}

/** Whoever may open a place can say `/place` there, closed or not. */
function decidesAboutPlace({ event, person }: Scene): boolean {
  return event.kind === "command" && event.name === "place" && person !== null && allows(person.role, "manager");
}

/** Strangers in shared places get no answer at all: a bot that explains itself to everybody is noise. */
async function silence(scene: Scene): Promise<Outcome> {
  if (scene.place.access !== "closed") return dropped("stranger");
  return dropped((await scene.deps.people.hasOwner(scene.unit.db)) ? "place_closed" : "not_set_up");
}

async function meetStranger(scene: Scene, text: string): Promise<Outcome> {
  return looksLikeCode(text) ? tryCode(scene, text) : tellStranger(scene);
}
