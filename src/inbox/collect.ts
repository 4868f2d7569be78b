import type { Collect } from "../chat/index.ts";
import { cut, longestText } from "./clean.ts";
import { extendMessage, findCollecting, holdWaiting, lockCollection } from "./message.store.ts";
import type { Wish } from "./messages.ts";
import type { Outcome } from "./outcome.ts";
import { type Scene, say } from "./scene.ts";

/** Joins a further part of an album or a paste to its first one; null for the first one, or when a run took that up already. */
export async function joinThought(scene: Scene, wish: Wish, collect: Collect): Promise<Outcome | null> {
  const { unit, place } = scene;
  await lockCollection(unit.db, place.id, collect);
  const messageId = await findCollecting(unit.db, place.id, collect);
  return messageId === undefined ? null : joinParts(scene, wish, { messageId, waitMs: collect.waitMs });
}

interface Target {
  readonly messageId: string;
  /** How long to wait for more; null when this is the last part. */
  readonly waitMs: number | null;
}

/** Adds a wish to a message that still waits, for each teammate with whom it does; null when it waits with none any more. */
export async function joinParts(scene: Scene, wish: Wish, { messageId, waitMs }: Target): Promise<Outcome | null> {
  const { unit, deps, words } = scene;
  if (wish.platformMessageId === null) return null;
  const copies = await holdWaiting(unit.db, messageId);
  const [first] = copies;
  if (!first) return null;
  const parts = [first.text, wish.text].filter((part) => part !== "");
  const { text, wasCut } = cut(parts.join("\n"));
  const readyAt = new Date(deps.clock.now().getTime() + (waitMs ?? 0));
  for (const waiting of copies) {
    await extendMessage(unit.db, {
      waiting,
      text,
      textWasJoined: parts.length > 1,
      quote: wish.quote,
      files: wish.files,
      platformMessageId: wish.platformMessageId,
      until: waitMs === null ? null : readyAt,
      readyAt,
    });
    unit.afterCommit(() => deps.mailbox.wake(waiting.conversationId, waitMs ?? 0));
  }
  if (wasCut) await say(scene, words.inbox.cut(longestText));
  return { kind: "merged", messageId };
}
