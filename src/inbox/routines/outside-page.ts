import type { Post } from "../../chat/index.ts";
import type { Destination } from "../../outbox/index.ts";
import type { NewWebForm } from "../../web-forms/index.ts";
import type { Pressed } from "../action.ts";
import { handled } from "../outcome.ts";
import { canBePrivate, destination, type PersonScene, say } from "../scene.ts";

const lifetimeMinutes = 15;

export interface PageOffer extends Pick<NewWebForm, "purpose" | "title" | "intro" | "button" | "payload"> {
  /** What is said above the link to the page. */
  readonly text: (minutes: number, opensAnywhere: boolean) => string;
  /** Tells two pages apart that one press gives. */
  readonly part: string;
}

/** Whether somebody can be told something alone, whatever place they are in. */
export async function reachesAlone(scene: PersonScene): Promise<boolean> {
  return canBePrivate(scene) || (await privateChat(scene)) !== null;
}

/** Gives out a page that shows something once: in private, whoever's chat the button was in. Ask `reachesAlone` first. */
export async function offerPage(scene: PersonScene, { text, part, ...page }: PageOffer): Promise<Pressed> {
  const { unit, deps, person, words } = scene;
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMinutes * 60_000);
  const form = { ...page, personId: person.id, fields: [], expiresAt };
  const { url, opensAnywhere } = await deps.webForms.issue(unit, form);
  const post = { text: text(lifetimeMinutes, opensAnywhere), links: [{ label: words.outside.openPage, url }] };
  const to = await privateChat(scene);
  if (to === null || scene.place.kind === "dm") {
    await say(scene, post.text, { ...post, part, purpose: "card" });
    return { outcome: handled };
  }
  return sendAlone(scene, to, { ...post, part });
}

/** Shows a card in somebody's private chat, to whoever pressed elsewhere. */
export async function sendAlone(
  { unit, deps, connectionId, event, words }: PersonScene,
  to: Destination,
  { part, ...post }: Pick<Post, "text" | "buttons" | "links"> & { readonly part: string },
): Promise<Pressed> {
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: { ...post, notify: true },
    to,
    purpose: "card",
    lane: `owner:${to.address.channel}`,
    dedupKey: `${part}:${connectionId}:${event.key}`,
  });
  return { outcome: handled, answer: words.outside.sentInPrivate };
}

export async function privateChat(scene: PersonScene) {
  if (scene.place.kind === "dm") return destination(scene);
  return scene.deps.people.dmOf(scene.unit.db, scene.person.id, scene.connectionId);
}
