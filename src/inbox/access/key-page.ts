import { blockOf, cover, isThere, type Keys, readAccounts } from "../../access/index.ts";
import type { Mailbox } from "../../mailbox/index.ts";
import type { Outbox } from "../../outbox/index.ts";
import { allows, type People } from "../../people/index.ts";
import type { Clock } from "../../shared/index.ts";
import type { WebFormHandler } from "../../web-forms/index.ts";
import { wordsFor } from "../../words/index.ts";
import type { Action } from "../action.ts";
import { handled } from "../outcome.ts";
import { destination, type PersonScene } from "../scene.ts";

const lifetimeMinutes = 15;
const fieldName = "key";

/** Gives out a page that takes a key: in private, whoever's chat the button was in. */
export const offerKeyPage: Action = async (scene) => {
  const { unit, deps, person, event } = scene;
  const words = scene.words.access;
  const to = await privateChat(scene);
  if (to === null) return { outcome: handled, answer: words.writeFirst, stays: true };
  const { url, opensAnywhere } = await deps.webForms.issue(unit, {
    purpose: "api_key",
    personId: person.id,
    title: words.keyPage.title,
    intro: words.keyPage.intro,
    fields: [{ name: fieldName, label: words.keyPage.label, secret: true, long: false }],
    payload: {},
    expiresAt: new Date(deps.clock.now().getTime() + lifetimeMinutes * 60_000),
  });
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: {
      text: words.keyCard(lifetimeMinutes, opensAnywhere),
      links: [{ label: words.openKeyPage, url }],
      notify: true,
    },
    to,
    purpose: "card",
    lane: `owner:${to.address.channel}`,
    dedupKey: `key-page:${scene.connectionId}:${event.key}`,
  });
  return { outcome: handled, answer: scene.place.kind === "dm" ? undefined : words.keyInPrivate };
};

async function privateChat(scene: PersonScene) {
  if (scene.place.kind === "dm") return destination(scene);
  return scene.deps.people.dmOf(scene.unit.db, scene.person.id, scene.connectionId);
}

export interface KeyPageDeps {
  readonly keys: Pick<Keys, "set">;
  readonly people: Pick<People, "get" | "dmOf">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly mailbox: Pick<Mailbox, "endLimit">;
  readonly clock: Clock;
}

/** Takes the key that was written into the page: from somebody who still may, and for what waits already. */
export function createKeyPage(deps: KeyPageDeps): WebFormHandler {
  const { keys, people, outbox, mailbox, clock } = deps;
  return async (unit, { personId, values }) => {
    const person = await people.get(unit.db, personId);
    const words = wordsFor(person?.locale).access;
    if (!person || !allows(person.role, "admin")) return { kind: "invalid", text: words.notAllowedAnyMore };
    const problem = await keys.set(unit, values[fieldName] ?? "", personId);
    if (problem !== null) return { kind: "invalid", text: words.notAKey };
    const { plan } = await readAccounts(unit.db);
    if (isThere(plan) && blockOf(plan, clock.now()) !== undefined) await cover(unit.db, "plan");
    await mailbox.endLimit(unit);
    const to = await people.dmOf(unit.db, personId);
    if (to !== null) {
      await outbox.enqueue(unit, {
        op: "post",
        post: { text: words.keySet, notify: false },
        to,
        purpose: "notice",
        lane: `owner:${to.address.channel}`,
        dedupKey: `key-set:${personId}:${clock.now().getTime()}`,
      });
    }
    return { kind: "done", text: words.keyTaken };
  };
}
