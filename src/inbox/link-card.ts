import { z } from "zod";
import { issueTokens } from "../attention/index.ts";
import { allows, type Person } from "../people/index.ts";
import { getConnection } from "../places/index.ts";
import { type Action, redraw } from "./action.ts";
import { dropped, handled } from "./outcome.ts";
import { type PersonScene, plain, type Scene, say } from "./scene.ts";

/** Says so here, and to the person where they were known before: somebody else may have got hold of the code. */
export async function greetLinked(scene: Scene, person: Person): Promise<void> {
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

const confirmMs = 10 * 60_000;
const confirmSchema = z.object({ hash: z.string() });

/** Somebody known already is asked before their account is handed over. */
export async function askToConfirm(
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
  const together = allows(person.role, maker.role) ? person.role : maker.role;
  const roleNames = [words.roleNames[maker.role], words.roleNames[together]] as const;
  await say(scene, words.confirmLink(plain(maker.displayName), ...roleNames), {
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
