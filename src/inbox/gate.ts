import { mayAsk } from "../places/index.ts";
import { greetNewcomer } from "./greeting.ts";
import { countWrongCodes } from "./inbox.store.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { askWhoMayAsk } from "./place-card.ts";
import { plain, type Scene, say } from "./scene.ts";

const dayMs = 24 * 60 * 60_000;
const guessWindowMs = 10 * 60_000;
const guesses = 5;
/** No code is shorter than this, so an ordinary "hello" is never taken for a guess. */
const shortestCode = 8;
const longestCode = 64;

/** Lets people through who may ask here: null. Anyone else gets at most one sentence, and what became of it is returned. `code` is what might be a code. */
export async function admit(scene: Scene, code: string): Promise<Outcome | null> {
  const { place, person } = scene;
  if (mayAsk(place, person)) return null;
  if (person === null) return place.kind === "dm" ? meetStranger(scene, code.trim()) : silence(scene);
  if (place.access === "closed") {
    await askWhoMayAsk(scene);
    return dropped("place_closed");
  }
  return dropped("not_allowed");
}

/** Strangers in shared places get no answer at all: a bot that explains itself to everybody is noise. */
async function silence(scene: Scene): Promise<Outcome> {
  if (scene.place.access !== "closed") return dropped("stranger");
  return dropped((await scene.deps.people.hasOwner(scene.unit.db)) ? "place_closed" : "not_set_up");
}

async function meetStranger(scene: Scene, text: string): Promise<Outcome> {
  if (looksLikeCode(text)) return tryCode(scene, text);
  return tellStranger(scene);
}

async function tellStranger(scene: Scene): Promise<Outcome> {
  const { unit, deps, identity, words } = scene;
  const [owner] = await deps.people.owners(unit.db);
  const toldAt = identity.strangerToldAt?.getTime() ?? 0;
  if (deps.clock.now().getTime() - toldAt >= dayMs) {
    await deps.people.markStrangerTold(unit, identity.id);
    await say(scene, owner === undefined ? words.people.notSetUp : words.people.stranger(plain(owner.displayName)));
  }
  return dropped(owner === undefined ? "not_set_up" : "stranger");
}

function looksLikeCode(text: string): boolean {
  // Some type a space for the dash.
  const written = text.replace(/^(\w{4})\s(\w{4})$/u, "$1-$2");
  return written.length >= shortestCode && written.length <= longestCode && !/\s/u.test(written);
}

async function tryCode(scene: Scene, code: string): Promise<Outcome> {
  const { unit, deps, identity, words } = scene;
  const since = new Date(deps.clock.now().getTime() - guessWindowMs);
  if ((await countWrongCodes(unit.db, identity.id, since)) >= guesses) return dropped("too_many_codes");
  const result = await deps.people.redeem(unit, identity, code, localeOf(scene));
  switch (result.outcome) {
    case "claimed":
    case "joined":
      await greetNewcomer({ ...scene, person: result.person }, result.outcome);
      return handled;
    case "member":
      return handled;
    case "expired":
      await say(scene, words.people.expiredCode);
      return dropped("wrong_code");
    case "used":
      await say(scene, words.people.usedCode);
      return dropped("wrong_code");
    case "wrong":
      // Somebody's one long word is no code: they get the sentence for strangers, but it counts as a guess all the same.
      if (!/[\d-]/u.test(code)) await tellStranger(scene);
      else await say(scene, words.people.wrongCode);
      return dropped("wrong_code");
  }
}

function localeOf(scene: Scene): string | undefined {
  return scene.event.author.locale;
}
