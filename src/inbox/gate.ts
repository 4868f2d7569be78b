import type { Address } from "../chat/index.ts";
import { allows } from "../people/index.ts";
import { mayAsk } from "../places/index.ts";
import { looksLikeCode, tryCode } from "./codes.ts";
import type { InboxDeps } from "./deps.ts";
import { dropped, type Outcome } from "./outcome.ts";
import { askWhoMayAsk, whoMayAskText } from "./place-card.ts";
import { canBePrivate, isNative, type Scene, say } from "./scene.ts";
import { strangerReason, strangerText, tellStranger } from "./strangers.ts";

/** Lets people through who may ask here: null. Anyone else gets at most one sentence, and what became of it is returned. `code` is what might be a code. */
export async function admit(scene: Scene, code: string): Promise<Outcome | null> {
  const { place, person } = scene;
  if (mayAsk(place, person) || decidesAboutPlace(scene)) return null;
  if (person === null) return place.kind === "dm" ? meetStranger(scene, code.trim()) : silence(scene);
  if (place.access === "closed") {
    if (!(await askWhoMayAsk(scene))) await tellGiver(scene, () => scene.words.places.closedHere);
    return dropped("place_closed");
  }
  await tellGiver(scene, () => whoMayAskText(scene, place.access));
  return dropped("not_allowed");
}

/** Whoever uses a native command sees that it was taken: without a word, alone to them, it would look broken. */
async function tellGiver(scene: Scene, text: () => string | Promise<string>): Promise<void> {
  if (isNative(scene.event) && canBePrivate(scene)) await say(scene, await text());
}

/** Whoever may open a place can say `/place` there, closed or not. */
function decidesAboutPlace({ event, person }: Scene): boolean {
  return event.kind === "command" && event.name === "place" && person !== null && allows(person.role, "manager");
}

/** Strangers in shared places get no answer that others read: a bot that explains itself to everybody is noise. */
async function silence(scene: Scene): Promise<Outcome> {
  await tellGiver(scene, () => strangerText(scene));
  if (scene.place.access !== "closed") return dropped("stranger");
  const reason = await strangerReason(scene);
  return dropped(reason === "stranger" ? "place_closed" : reason);
}

async function meetStranger(scene: Scene, text: string): Promise<Outcome> {
  return looksLikeCode(text) ? tryCode(scene, text) : tellStranger(scene);
}

/** The same before anything happened there; nobody where we never were. */
export async function mayAskThere(
  { db, people, places }: Pick<InboxDeps, "db" | "people" | "places">,
  asked: { readonly connectionId: string; readonly place: Address; readonly userId: string },
): Promise<boolean> {
  const place = await places.find(db, asked.connectionId, asked.place.channel);
  if (!place) return false;
  const identity = await people.find(db, asked.connectionId, asked.userId);
  return mayAsk(place, identity?.person ?? null);
}
