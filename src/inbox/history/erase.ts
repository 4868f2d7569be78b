import { realpath, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { redact } from "../../shared/index.ts";
import type { Unit } from "../../storage/index.ts";
import type { InboxDeps } from "../deps.ts";
import { dropQuotes, findCopies, markDeleted, type StoredMessage, waitingDeliveries } from "../message.store.ts";
import { dropQuestion, dropSeen, type Whereabouts } from "../seen.store.ts";
import * as store from "./erase.store.ts";

export interface Erasing {
  readonly unit: Unit;
  readonly deps: Pick<InboxDeps, "people" | "mailbox" | "clock" | "log">;
  readonly where: Whereabouts;
}

export interface Erased {
  /** How many teammates had got it. */
  readonly copies: number;
  /** It was heard without being meant for us. */
  readonly wasSeen: boolean;
  /** How many of them had not begun with it. */
  readonly cancelled: number;
  /** Conversations that go on in a fresh thread, since Codex knew it in the one they had. */
  readonly freshIn: readonly string[];
}

/**
 * Our copies of a message go, wherever they are: its text and files, what others quoted of it, what timelines and
 * handoffs hold of it. What has not been started is not started; work that goes on does go on.
 */
export async function eraseMessage({ unit, deps, where }: Erasing): Promise<Erased> {
  const now = deps.clock.now();
  await store.entomb(unit.db, where, now);
  const wasSeen = await dropSeen(unit.db, where);
  await dropQuotes(unit.db, where);
  await dropQuestion(unit.db, where);
  removeFiles({ unit, deps }, await store.dropAttachments(unit.db, where));
  const copies = await findCopies(unit.db, where);
  if (copies.length === 0) return { copies: 0, wasSeen, cancelled: 0, freshIn: [] };
  const ids = copies.map(({ id }) => id);
  await scrubTimelines(unit, ids, new Set(copies.flatMap(({ text }) => [text, redact(text)])));
  const freshIn = await store.endThreads(unit.db, ids, now);
  let cancelled = 0;
  for (const copy of copies) cancelled += await deleteCopy({ unit, deps, where }, copy);
  return { copies: copies.length, wasSeen, cancelled, freshIn };
}

async function deleteCopy({ unit, deps }: Erasing, message: StoredMessage): Promise<number> {
  await markDeleted(unit.db, message.id, deps.clock.now());
  const [owner] = await deps.people.owners(unit.db);
  const waiting = await waitingDeliveries(unit.db, message.id);
  for (const { id, requesterPersonId } of waiting) {
    const requester = requesterPersonId && (await deps.people.get(unit.db, requesterPersonId));
    const by = requester || owner;
    if (by) await deps.mailbox.cancelDelivery(unit, id, by);
  }
  return waiting.length;
}

/** A teammate's answer, or one file of it, out of all we keep. Gives the posts it stood in, and the conversation that goes on afresh. */
export async function eraseAnswer({ unit, deps, where }: Erasing, answer: store.AnswerPost) {
  const now = deps.clock.now();
  await store.entomb(unit.db, where, now);
  const posts = await store.emptyPosts(unit.db, answer, where);
  if (answer.purpose === "file") return { posts, freshIn: [] };
  for (const { messageId } of posts) {
    if (messageId !== null) await store.entomb(unit.db, { ...where, messageId }, now);
  }
  const said = await store.dropAnswer(unit.db, answer, now);
  return { posts, freshIn: said.length === 0 ? [] : await store.endThreads(unit.db, said, now) };
}

const mark = "[deleted]";
/** A word as short as "yes" stands everywhere, and tells nothing. */
const shortestScrubbed = 6;

async function scrubTimelines(unit: Unit, messageIds: readonly string[], texts: ReadonlySet<string>): Promise<void> {
  for (const text of texts) {
    if (text.trim().length < shortestScrubbed) continue;
    const events = await store.eventsWith(unit.db, messageIds, text);
    await store.changeEvents(
      unit.db,
      events.map(({ id, payload }) => ({ id, payload: without(payload, text) })),
    );
    await store.dropPieces(
      unit.db,
      events.map(({ id }) => id),
    );
  }
}

/** The same value with every string in it rid of a text. */
function without(value: unknown, text: string): unknown {
  if (typeof value === "string") return value.replaceAll(text, mark);
  if (Array.isArray(value)) return value.map((each) => without(each, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, without(each, text)]));
}

/** Files lie in a teammate's workspace, where a folder may have become a link meanwhile: nothing is deleted through one. */
function removeFiles({ unit, deps }: Pick<Erasing, "unit" | "deps">, paths: readonly string[]): void {
  if (paths.length === 0) return;
  unit.afterCommit(async () => {
    for (const path of paths) {
      const folder = await realpath(dirname(path)).catch(() => undefined);
      if (folder !== dirname(path)) continue;
      await rm(path, { force: true }).catch((error: unknown) =>
        deps.log.warn({ err: error }, "the file of a deleted message could not be removed"),
      );
    }
  });
}
