import { z } from "zod";
import { issueTokens } from "../attention/index.ts";
import { handled, type Outcome } from "./outcome.ts";
import { destination, type PersonScene, plain, type Scene, say } from "./scene.ts";

const askAgainMs = 24 * 60 * 60_000;
const lifetimeMs = 7 * 24 * 60 * 60_000;

/** Asks once (and once a day while nobody decides) who may ask here; only an owner or admin can press. */
export async function askWhoMayAsk(scene: Scene): Promise<void> {
  const { unit, deps, place, words } = scene;
  const now = deps.clock.now().getTime();
  if (place.askedAccessAt && now - place.askedAccessAt.getTime() < askAgainMs) return;
  const [owner] = await deps.people.owners(unit.db);
  if (owner === undefined) return;
  const choice = <Key extends string>(key: Key) =>
    ({ key, action: "place_access", payload: { placeId: place.id, access: key } }) as const;
  const tokens = await issueTokens(unit, {
    choices: [choice("everyone"), choice("members"), choice("owner")],
    minRole: "admin",
    expiresAt: new Date(now + lifetimeMs),
  });
  await deps.places.markAccessAsked(unit, place.id);
  await say(scene, words.places.ask(plain(owner.displayName)), {
    purpose: "card",
    notify: true,
    part: "access",
    buttons: [
      [
        { label: words.places.everyone, token: tokens.everyone },
        { label: words.places.team, token: tokens.members },
        { label: words.places.onlyOwner, token: tokens.owner },
      ],
    ],
  });
}

export const placeAccessPayload = z.object({ placeId: z.uuid(), access: z.enum(["everyone", "members", "owner"]) });

/** Carries the choice out and closes the card with who decided what. */
export async function openPlace(
  scene: PersonScene<ButtonScene>,
  payload: z.infer<typeof placeAccessPayload>,
): Promise<{ outcome: Outcome; answer: string }> {
  const { unit, deps, person, words, event } = scene;
  await deps.places.setAccess(unit, payload.placeId, payload.access, person);
  const [owner] = await deps.people.owners(unit.db);
  const { opened } = words.places;
  const what =
    payload.access === "owner" ? opened.owner(owner?.displayName ?? person.displayName) : opened[payload.access];
  await deps.outbox.enqueue(unit, {
    op: "edit",
    target: { messageId: event.messageId },
    post: { text: words.places.openedBy(plain(what), plain(person.displayName)), notify: false },
    to: destination(scene),
    purpose: "card",
    lane: `place:${scene.place.id}`,
    dedupKey: `inbox:${scene.connectionId}:${event.key}:access`,
  });
  return { outcome: handled, answer: what };
}

type ButtonScene = Extract<PersonScene["event"], { kind: "button" }>;
