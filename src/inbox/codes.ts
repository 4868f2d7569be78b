import { z } from "zod";
import { issueTokens } from "../attention/index.ts";
import type { MessageEvent } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import { getConnection } from "../places/index.ts";
import { type Action, redraw } from "./action.ts";
import { greetKnown, greetNewcomer } from "./greeting.ts";
import { countGuesses, countWrongCodes } from "./inbox.store.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { byPerson, type PersonScene, plain, type Scene, say } from "./scene.ts";

const guessWindowMs = 10 * 60_000;
const guesses = 5;
/** No code is shorter than this, so an ordinary "hello" is never taken for a guess. */
const shortestCode = 8;
const longestCode = 64;
const confirmMs = 10 * 60_000;

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

const dayMs = 24 * 60 * 60_000;

/** Once a day; a native command is answered each time, since its giver waits for it. */
export async function tellStranger(scene: Scene): Promise<Outcome> {
  const { unit, deps, identity, event } = scene;
  const toldAt = identity.strangerToldAt?.getTime() ?? 0;
  const isNative = event.kind === "command" && event.interaction !== undefined;
  if (isNative || deps.clock.now().getTime() - toldAt >= dayMs) {
    await deps.people.markStrangerTold(unit, identity.id);
    await say(scene, await strangerText(scene));
  }
  return dropped((await deps.people.hasOwner(unit.db)) ? "stranger" : "not_set_up");
}

export async function strangerText({ unit, deps, words }: Scene): Promise<string> {
  const [owner] = await deps.people.owners(unit.db);
  return owner === undefined ? words.people.notSetUp : words.people.stranger(plain(owner.displayName));
}

/** Says so here, and to the person where they were known before: somebody else may have got hold of the code. */
async function greetLinked(scene: Scene, person: Person): Promise<void> {
  const { unit, deps, identity, connectionId, event, words } = scene;
  await say(scene, words.people.linked(plain(person.displayName), words.people.roleNames[person.role]));
  const elsewhere = await deps.people.dmBeside(unit.db, person.id, identity.id);
  if (!elsewhere) return;
  const connection = await getConnection(unit.db, connectionId);
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: { text: words.people.linkedElsewhere(plain(identity.displayName), connection?.platform ?? ""), notify: true },
    to: elsewhere,
    purpose: "notice",
    lane: `person:${person.id}`,
    dedupKey: `inbox:${connectionId}:${event.key}:linked`,
  });
}

const confirmSchema = z.object({ hash: z.string() });

async function askToConfirm(
  scene: PersonScene,
  { person: maker, hash }: { readonly person: Person; readonly hash: string },
): Promise<void> {
  const { unit, deps, person } = scene;
  const words = scene.words.people;
  const tokens = await issueTokens(unit, {
    choices: [
      { key: "yes", action: "link_confirm", payload: { hash } },
      { key: "no", action: "link_leave", payload: {} },
    ],
    personId: person.id,
    expiresAt: new Date(deps.clock.now().getTime() + confirmMs),
  });
  const [theirs, yours] = [words.roleNames[maker.role], words.roleNames[person.role]];
  await say(scene, words.confirmLink(plain(maker.displayName), theirs, yours), {
    purpose: "card",
    notify: true,
    buttons: [
      [
        { label: words.confirmYes, token: tokens.yes, style: "danger" },
        { label: words.confirmNo, token: tokens.no },
      ],
    ],
  });
}

export const confirmLink: Action = async (scene, payload, card) => {
  const { unit, deps, identity, words } = scene;
  const result = await deps.people.confirmLink(unit, identity, confirmSchema.parse(payload).hash);
  if (result.outcome !== "linked") {
    await redraw(scene, card, { text: words.people.expiredCode });
    return { outcome: dropped("wrong_code"), answer: words.people.expiredCode };
  }
  const { person } = result;
  await redraw(scene, card, { text: words.people.linkedNow(plain(person.displayName)) });
  await greetLinked(scene, person);
  return { outcome: handled };
};

export const leaveLink: Action = async (scene, _payload, card) => {
  await redraw(scene, card, { text: scene.words.people.notLinked });
  return { outcome: handled };
};
