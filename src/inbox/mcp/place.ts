import { z } from "zod";
import type { Link, OnlyFor, Post } from "../../chat/index.ts";
import type { McpServers } from "../../mcp/index.ts";
import type { Destination, NewPost, Outbox } from "../../outbox/index.ts";
import type { Unit } from "../../storage/index.ts";
import { type Card, redraw, type UseEvent } from "../action.ts";
import type { CommandScene } from "../command.ts";
import { asPrefixed } from "../command-words.ts";
import { destination, type PersonScene, say } from "../scene.ts";

export type McpPost = Pick<Post, "text" | "buttons" | "selects"> & { readonly links?: readonly Link[] | undefined };

/** Where a card is that is answered on later, by another process maybe, and in which words. */
const placeShape = z.object({
  connectionId: z.uuid(),
  channel: z.string(),
  thread: z.string().optional(),
  placeKind: z.enum(["dm", "group", "channel", "forum"]),
  lane: z.string(),
  locale: z.string().nullable(),
  commandPrefix: z.string().optional(),
  /** Of the card: our post, or a message by the platform's id. */
  target: z.union([z.object({ postId: z.uuid() }), z.object({ messageId: z.string() })]),
  onlyFor: z.object({ userId: z.string(), interaction: z.object({ id: z.string() }).loose().optional() }).optional(),
});
export type CardPlace = z.infer<typeof placeShape>;

export function readPlace(told: unknown): CardPlace | null {
  return placeShape.safeParse(told).data ?? null;
}

type Request = Omit<Parameters<McpServers["request"]>[1], "personId" | "told">;

/** Shows that something is being done, and asks for it; the same card tells what came of it. */
export async function begin(
  scene: PersonScene<UseEvent> | (PersonScene & CommandScene),
  card: Card | null,
  shown: McpPost,
  request: Request,
): Promise<void> {
  const { unit, deps, person } = scene;
  const told = await show(scene, card, shown);
  await deps.mcp.request(unit, { ...request, personId: person.id, ...(told === null ? {} : { told }) });
}

async function show(scene: PersonScene, card: Card | null, shown: McpPost): Promise<CardPlace | null> {
  const { connectionId, place, event, deps, person } = scene;
  const { channel, thread } = destination(scene).address;
  const common = {
    connectionId,
    channel,
    ...(thread === undefined ? {} : { thread }),
    placeKind: place.kind,
    lane: `place:${place.id}`,
    locale: person.locale,
    ...prefixOf(deps.adapters.get(connectionId)?.capabilities.commandPrefix),
  };
  if (card?.messageId !== undefined) {
    await redraw(scene, card, shown);
    return { ...common, target: { messageId: card.messageId }, ...onlyForOf(card.onlyFor) };
  }
  const [postId] = await say(scene, shown.text, { ...shown, part: "mcp", purpose: "card" });
  if (postId === undefined) return null;
  const alone =
    place.kind === "dm" || event.kind !== "command"
      ? undefined
      : { userId: event.author.id, interaction: event.interaction };
  return { ...common, target: { postId }, ...onlyForOf(alone) };
}

/** Where a post of ours is, in somebody's private chat. */
export function postIn(
  to: Destination,
  {
    postId,
    lane,
    locale,
    commandPrefix,
  }: Pick<CardPlace, "lane" | "locale"> & { postId: string; commandPrefix: string | undefined },
): CardPlace {
  const { channel, thread } = to.address;
  const { connectionId, placeKind } = to;
  const address = { channel, ...(thread === undefined ? {} : { thread }) };
  return { connectionId, ...address, placeKind, lane, locale, ...prefixOf(commandPrefix), target: { postId } };
}

function prefixOf(commandPrefix: string | undefined) {
  return commandPrefix === undefined ? {} : { commandPrefix };
}

function onlyForOf(onlyFor: OnlyFor | undefined): Pick<CardPlace, "onlyFor"> {
  if (onlyFor === undefined) return {};
  const { userId, interaction } = onlyFor;
  return { onlyFor: { userId, ...(interaction === undefined ? {} : { interaction: { ...interaction } }) } };
}

/** Draws such a card anew. */
export async function drawAt(
  outbox: Pick<Outbox, "enqueue">,
  unit: Unit,
  place: CardPlace,
  { shown, dedupKey }: { readonly shown: McpPost; readonly dedupKey: string },
): Promise<void> {
  const { connectionId, channel, thread, placeKind, lane, commandPrefix, target, onlyFor } = place;
  const post: NewPost = {
    op: "edit",
    target,
    post: { ...shown, text: asPrefixed(commandPrefix, shown.text), notify: false, onlyFor },
    to: { connectionId, address: { channel, thread }, placeKind },
    purpose: "card",
    lane,
    dedupKey,
  };
  await outbox.enqueue(unit, post);
}
