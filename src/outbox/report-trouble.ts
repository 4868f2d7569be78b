import { plain } from "../chat/index.ts";
import { lostThread, ownThreadKey, type PostOfReport, setOwnThread } from "../routines/index.ts";
import type { Db, Unit } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import type { ClaimedPost } from "./claim.store.ts";
import { moveToThread } from "./posts.store.ts";
import type { Destination, NewPost, OwnerDirectory } from "./types.ts";

/**
 * A report was to go into the thread that its routine has there, and somebody deleted that: it gets a new one, once a report,
 * and what waits for the old one goes there. False where that is not so.
 */
export async function threadAnew(
  unit: Unit,
  enqueue: (unit: Unit, post: NewPost) => Promise<{ readonly postIds: readonly string[] }>,
  connectionId: string,
  post: ClaimedPost,
): Promise<boolean> {
  const lost = post.address.thread === undefined ? undefined : await lostThread(unit.db, post.id);
  if (lost === undefined) return false;
  const { postIds } = await enqueue(unit, {
    op: "open_thread",
    title: lost.routineName,
    to: { connectionId, address: { channel: post.address.channel }, placeKind: post.placeKind },
    purpose: "answer",
    lane: `thread:${lost.destinationId}`,
    dedupKey: ownThreadKey(lost.destinationId, lost.routineRunId),
    conversationId: lost.conversationId ?? undefined,
    runId: lost.runId ?? undefined,
  });
  const [postId] = postIds;
  if (postId === undefined) return false;
  await setOwnThread(unit.db, lost.destinationId, { threadId: null, postId, name: lost.routineName });
  await moveToThread(unit.db, { lane: lost.lane, thread: post.address.thread ?? "", postId });
  return true;
}

/** Whom a report's trouble is told: its routine's author, or the owner where nobody can be told there. */
export async function hearerOf(
  db: Db,
  people: OwnerDirectory,
  connectionId: string,
  report: PostOfReport | undefined,
): Promise<{ readonly to: Destination; readonly locale: string | null } | null> {
  const owners = await people.owners(db);
  for (const person of [report?.author ?? undefined, owners[0]]) {
    if (person === undefined) continue;
    const to = (await people.dmOf(db, person.id, connectionId)) ?? (await people.dmOf(db, person.id));
    if (to !== null) return { to, locale: person.locale };
  }
  return null;
}

/** What its author is told of a report that will not arrive, or that has to do without its thread. */
export function reportTrouble(
  report: PostOfReport,
  trouble: {
    readonly op: ClaimedPost["op"];
    readonly kind: "rejected" | "gone" | "unreachable";
    readonly detail: string;
    readonly place: string;
    readonly locale: string | null;
  },
): string {
  const words = wordsFor(trouble.locale).reports;
  const name = plain(report.routineName);
  if (trouble.op === "open_thread") return words.noThread(name, trouble.place, trouble.detail);
  return words.notPosted[trouble.kind](name, trouble.place, trouble.detail);
}
