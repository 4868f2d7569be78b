import { z } from "zod";
import type { OnlyFor, Post } from "../chat/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Unit } from "../storage/index.ts";
import { asPrefixed } from "./command-words.ts";
import { destination, type PersonScene } from "./scene.ts";

/** Where a card is, and in which words, as it is kept for whoever draws it again later: another process, maybe. */
export const unsentCardShape = z.object({
  connectionId: z.uuid(),
  channel: z.string(),
  thread: z.string().optional(),
  placeKind: z.enum(["dm", "group", "channel", "forum"]),
  lane: z.string(),
  locale: z.string().nullable(),
  commandPrefix: z.string().optional(),
});
/** Of a card that is not said yet: which post it becomes is known afterwards. */
export type UnsentCard = z.infer<typeof unsentCardShape>;

export const cardAddressShape = unsentCardShape.extend({
  /** Our post, or a message by the platform's id. */
  target: z.union([z.object({ postId: z.uuid() }), z.object({ messageId: z.string() })]),
  onlyFor: z.object({ userId: z.string(), interaction: z.looseObject({ id: z.string() }).optional() }).optional(),
});
export type CardAddress = z.infer<typeof cardAddressShape>;

/** What `say` shows in this scene. */
export function cardHere(scene: PersonScene): UnsentCard {
  const { connectionId, place, deps, person } = scene;
  const { channel, thread } = destination(scene).address;
  return {
    connectionId,
    channel,
    thread,
    placeKind: place.kind,
    lane: `place:${place.id}`,
    locale: person.locale,
    commandPrefix: deps.adapters.get(connectionId)?.capabilities.commandPrefix,
  };
}

/** The card that `say` just made of the scene. */
export function saidCard(scene: PersonScene, postId: string): CardAddress {
  const { event, told } = scene;
  const interaction = "interaction" in event ? event.interaction : undefined;
  const onlyFor = told.privately ? { userId: event.author.id, interaction } : undefined;
  return { ...cardHere(scene), target: { postId }, onlyFor: keptOnlyFor(onlyFor) };
}

/** The card that was pressed. */
export function pressedCard(
  scene: PersonScene,
  { messageId, onlyFor }: { readonly messageId: string; readonly onlyFor?: OnlyFor | undefined },
): CardAddress {
  return { ...cardHere(scene), target: { messageId }, onlyFor: keptOnlyFor(onlyFor) };
}

function keptOnlyFor(onlyFor: OnlyFor | undefined): CardAddress["onlyFor"] {
  return onlyFor && { userId: onlyFor.userId, interaction: onlyFor.interaction && { ...onlyFor.interaction } };
}

/** Draws such a card anew, without a sound. */
export async function drawAt(
  outbox: Pick<Outbox, "enqueue">,
  unit: Unit,
  card: CardAddress,
  { shown, dedupKey }: { readonly shown: Omit<Post, "notify">; readonly dedupKey: string },
): Promise<void> {
  const { connectionId, channel, thread, placeKind, lane, commandPrefix, target, onlyFor } = card;
  await outbox.enqueue(unit, {
    op: "edit",
    target,
    post: { ...shown, text: asPrefixed(commandPrefix, shown.text), notify: false, onlyFor },
    to: { connectionId, address: { channel, thread }, placeKind },
    purpose: "card",
    lane,
    dedupKey,
  });
}
