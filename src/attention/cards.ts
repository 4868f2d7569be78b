import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Destination, Outbox, SentCard } from "../outbox/index.ts";
import type { People } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import type { Unit } from "../storage/index.ts";
import { type Words, wordsFor } from "../words/index.ts";
import type { StoredItem } from "./attention.store.ts";
import { closedCard } from "./card.ts";
import { drawCard, type FaceDeps, type Seat } from "./card-face.ts";
import { cardFile } from "./card-text.ts";
import type { PressedMessage } from "./types.ts";

export interface CardDeps extends FaceDeps {
  readonly outbox: Pick<Outbox, "enqueue" | "cardsOf">;
  readonly people: Pick<People, "owners" | "dmOf">;
  /** Where long details are kept as files until they were uploaded; absolute. */
  readonly folder: string;
}

interface Copy extends Seat {
  readonly lane: string;
}

/** Posts the card where it was asked, and copies where those are who may decide. All copies carry the same tokens. */
export async function postCards(
  unit: Unit,
  deps: CardDeps,
  item: StoredItem,
  home: {
    readonly to: Destination;
    readonly replyTo?: string | undefined;
    readonly alsoPrivately?: boolean | undefined;
  },
): Promise<void> {
  const draw = await drawCard(unit, deps, item);
  const file = await storeFile(deps.folder, item);
  const copies = await copiesOf(unit, deps, item, home);
  for (const [index, copy] of copies.entries()) {
    const replyTo = copy.atHome ? home.replyTo : undefined;
    const base = baseOf(item, copy);
    if (file !== null) {
      const upload = { ...file, ...(replyTo === undefined ? {} : { replyTo }) };
      await deps.outbox.enqueue(unit, {
        ...base,
        op: "upload",
        file: upload,
        purpose: "file",
        dedupKey: `attention:${item.id}:file:${index}`,
      });
    }
    await deps.outbox.enqueue(unit, {
      ...base,
      op: "post",
      post: { ...(await draw(copy)), replyTo, notify: true },
      purpose: "card",
      speaker: item.speaker,
      attentionId: item.id,
      dedupKey: `attention:${item.id}:card:${index}`,
    });
  }
}

/** Draws every copy anew, with buttons of its own: those of before are left to whoever still sees them. */
export async function redrawCards(unit: Unit, deps: CardDeps, item: StoredItem): Promise<void> {
  const draw = await drawCard(unit, deps, item);
  const drawing = newId();
  for (const card of await deps.outbox.cardsOf(unit.db, item.id)) {
    const seat = await seatOf(unit, deps, item, card);
    await deps.outbox.enqueue(unit, {
      ...editOf(item, card),
      post: { ...(await draw(seat)), notify: false },
      dedupKey: `attention:${item.id}:drawn:${drawing}:${card.postId}`,
    });
  }
}

async function seatOf(unit: Unit, deps: CardDeps, item: StoredItem, card: SentCard): Promise<Seat> {
  if (card.conversationId !== null) return homeSeat(item, card.to);
  for (const { id, locale } of [...requesterOf(item), ...(await deps.people.owners(unit.db))]) {
    const to = await deps.people.dmOf(unit.db, id, card.to.connectionId);
    if (to !== null && isSamePlace(to, card.to)) return { to: card.to, locale, atHome: false, readerId: id };
  }
  return { to: card.to, locale: null, atHome: false, readerId: null };
}

function homeSeat(item: StoredItem, to: Destination): Seat {
  const readerId = to.placeKind === "dm" ? item.requesterPersonId : null;
  return { to, locale: item.requesterLocale, atHome: true, readerId };
}

function editOf(item: StoredItem, card: SentCard) {
  return {
    op: "edit",
    target: { postId: card.postId },
    to: card.to,
    purpose: "card",
    speaker: item.speaker,
    lane: card.lane,
    attentionId: item.id,
    ...(card.conversationId === null ? {} : { conversationId: card.conversationId }),
  } as const;
}

function baseOf(item: StoredItem, copy: Copy) {
  const { to, lane } = copy;
  return copy.atHome
    ? { to, lane, conversationId: item.conversationId, ...(item.runId === null ? {} : { runId: item.runId }) }
    : { to, lane };
}

async function copiesOf(
  unit: Unit,
  deps: CardDeps,
  item: StoredItem,
  home: { readonly to: Destination; readonly alsoPrivately?: boolean | undefined },
): Promise<readonly Copy[]> {
  const copies: Copy[] = [{ ...homeSeat(item, home.to), lane: `conversation:${item.conversationId}` }];
  const isForOwners = item.risk === "high" || item.requesterPersonId === null;
  const readers = [
    ...(home.alsoPrivately ? requesterOf(item) : []),
    ...(isForOwners ? await deps.people.owners(unit.db) : []),
  ];
  for (const { id, locale } of readers) {
    const to = await deps.people.dmOf(unit.db, id, home.to.connectionId);
    if (to === null || copies.some((copy) => isSamePlace(copy.to, to))) continue;
    const lane = `attention:${item.id}:${to.address.channel}`;
    copies.push({ to, lane, locale, atHome: false, readerId: id });
  }
  return copies;
}

function requesterOf({ requesterPersonId: id, requesterLocale: locale }: StoredItem) {
  return id === null ? [] : [{ id, locale }];
}

function isSamePlace(a: Destination, b: Destination): boolean {
  return a.connectionId === b.connectionId && a.address.channel === b.address.channel;
}

/** The file is there before its row is committed; without the row it is only a file nobody asks for. */
async function storeFile(folder: string, item: StoredItem): Promise<{ path: string; name: string } | null> {
  const file = cardFile(item.details);
  if (file === null) return null;
  const path = join(folder, `${item.id}-${file.name}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path, file.text, { mode: 0o600 });
  return { path, name: file.name };
}

/** What a card says at its end, in the place where it is. */
export type CardEnding = (words: Words, card: Pick<Destination, "connectionId">) => string;

/** Takes the buttons off every copy and says how it ended. */
export async function closeCards(
  unit: Unit,
  outbox: CardDeps["outbox"],
  item: StoredItem,
  ending: CardEnding,
): Promise<void> {
  const words = wordsFor(item.requesterLocale);
  for (const card of await outbox.cardsOf(unit.db, item.id)) {
    await outbox.enqueue(unit, {
      ...editOf(item, card),
      post: closedCard(item, ending(words, card.to), words, card.conversationId === null),
      dedupKey: `attention:${item.id}:closed:${card.postId}`,
    });
  }
}

/**
 * Closes a copy that we do not know of: its receipt was lost when we were killed, and a press on it is how we learn that it is there.
 */
export async function closeStray(
  unit: Unit,
  outbox: CardDeps["outbox"],
  item: StoredItem,
  pressed: PressedMessage,
  ending: CardEnding,
): Promise<void> {
  const { to, messageId } = pressed;
  if (messageId === undefined) return;
  const cards = await outbox.cardsOf(unit.db, item.id);
  const known = cards.some((card) => isSamePlace(card.to, to) && card.messageId === messageId);
  if (known) return;
  const words = wordsFor(item.requesterLocale);
  await outbox.enqueue(unit, {
    op: "edit",
    target: { messageId },
    post: closedCard(item, ending(words, to), words),
    to,
    purpose: "card",
    speaker: item.speaker,
    lane: cards.find((card) => isSamePlace(card.to, to))?.lane ?? `attention:${item.id}:${to.address.channel}`,
    attentionId: item.id,
    dedupKey: `attention:${item.id}:stray:${to.address.channel}:${messageId}`,
  });
}

/** One new message that notifies: where the deciders are, as an answer to the card. */
export async function remind(unit: Unit, outbox: CardDeps["outbox"], item: StoredItem): Promise<void> {
  const cards = await outbox.cardsOf(unit.db, item.id);
  const elsewhere = cards.filter((card) => card.conversationId === null);
  const words = wordsFor(item.requesterLocale);
  const text = (item.details.kind === "question" ? words.questions : words.approval).reminder(item.teammateName);
  for (const card of elsewhere.length > 0 ? elsewhere : cards.slice(0, 1)) {
    const replyTo = card.messageId === null ? {} : { replyTo: card.messageId };
    await outbox.enqueue(unit, {
      op: "post",
      post: { text, notify: true, ...replyTo },
      to: card.to,
      purpose: "notice",
      speaker: item.speaker,
      lane: card.lane,
      requiresPostId: card.postId,
      dedupKey: `attention:${item.id}:reminder:${card.postId}`,
      ...(card.conversationId === null ? {} : { conversationId: card.conversationId }),
    });
  }
}
