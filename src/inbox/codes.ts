import type { MessageEvent } from "../chat/index.ts";
import { greetKnown, greetNewcomer } from "./greeting.ts";
import { countGuesses, countWrongCodes } from "./inbox.store.ts";
import { askToConfirm, greetLinked } from "./link-card.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { byPerson, type Scene, say } from "./scene.ts";
import { tellStranger } from "./strangers.ts";

const guessWindowMs = 10 * 60_000;
const guesses = 5;
/** No code is shorter than this, so an ordinary "hello" is never taken for a guess. */
const shortestCode = 8;
const longestCode = 64;

/** Whether a stranger's text may be a code. */
export function looksLikeCode(text: string): boolean {
  // Some type a space for the dash.
  const written = text.replace(/^(\w{4})\s(\w{4})$/u, "$1-$2");
  return written.length >= shortestCode && written.length <= longestCode && !/\s/u.test(written);
}

/** Exactly a code as we write it, with any dash or a space. */
const codeShape = /^[2-9A-HJKMNP-Z]{4}[\s\p{Pd}]?[2-9A-HJKMNP-Z]{4}$/iu;

/**
 * A code that somebody we know sends in a direct message to be known there, too. Null when it is an ordinary message:
 * whatever does not link is one, but looks are limited like guesses.
 */
export async function takeLinkCode(scene: Scene<MessageEvent>): Promise<Outcome | null> {
  const { unit, deps, event, place, identity } = scene;
  const text = event.text.trim();
  const isBare = event.files.length === 0 && event.forwardedFrom === undefined && codeShape.test(text);
  if (!byPerson(scene) || place.kind !== "dm" || !isBare) return null;
  const where = { identityId: identity.id, placeId: place.id, since: windowStart(scene) };
  if ((await countGuesses(unit.db, where)) >= guesses) return null;
  return (await deps.people.isLinkCode(unit.db, text)) ? tryCode(scene, text) : null;
}

/** What a code in a direct message comes to. Five wrong ones in ten minutes, and the next ones meet silence. */
export async function tryCode(scene: Scene, code: string): Promise<Outcome> {
  const { unit, deps, identity, words } = scene;
  if ((await countWrongCodes(unit.db, identity.id, windowStart(scene))) >= guesses) return dropped("too_many_codes");
  const result = await deps.people.redeem(unit, identity, code, scene.event.author.locale);
  switch (result.outcome) {
    case "claimed":
    case "joined":
      await greetNewcomer({ ...scene, person: result.person }, result.outcome);
      return handled;
    case "linked":
      await greetLinked(scene, result.person);
      return handled;
    case "confirm":
      if (byPerson(scene)) await askToConfirm(scene, result);
      return handled;
    case "same":
      await say(scene, words.people.sameAccount);
      return handled;
    case "member":
      await greetKnown(scene);
      return handled;
    case "expired":
      await say(scene, words.people.expiredCode);
      return dropped("wrong_code");
    case "used":
      // Somebody we know opened the link of their invitation once more.
      await (byPerson(scene) ? greetKnown(scene) : say(scene, words.people.usedCode));
      return byPerson(scene) ? handled : dropped("wrong_code");
    case "wrong":
      await sayWrong(scene, code);
      return dropped("wrong_code");
  }
}

function windowStart({ deps }: Scene): Date {
  return new Date(deps.clock.now().getTime() - guessWindowMs);
}

/** Somebody's one long word is no code: they get the sentence for strangers, but it counts as a guess all the same. */
async function sayWrong(scene: Scene, code: string): Promise<void> {
  if (byPerson(scene) || /[\d-]/u.test(code)) await say(scene, scene.words.people.wrongCode);
  else await tellStranger(scene);
}
