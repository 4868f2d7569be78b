import type { Db } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import type { ClaimedPost } from "./claim.store.ts";
import { placeTitle } from "./posts.store.ts";
import type { NewPost, OwnerDirectory } from "./types.ts";

/** Something that will not be posted, for the owner. */
export interface Failure {
  readonly post: ClaimedPost;
  readonly kind: "rejected" | "gone" | "unreachable";
  readonly detail: string;
}

const prefix = "post-failed";

/**
 * What the owner is told about a post that will never arrive: once a place or thread, kind and day for one that is gone, once a post otherwise.
 * Null when there is nobody to tell, or when this *is* such a notice.
 */
export async function failureNotice(
  db: Db,
  people: OwnerDirectory,
  connectionId: string,
  failure: Failure,
  now: Date,
): Promise<NewPost | null> {
  const { post, kind, detail } = failure;
  if (post.dedupKey.startsWith(`${prefix}:`)) return null;
  const [owner] = await people.owners(db);
  const to =
    owner === undefined ? null : ((await people.dmOf(db, owner.id, connectionId)) ?? (await people.dmOf(db, owner.id)));
  if (owner === undefined || to === null) return null;
  const { channel, thread } = post.address;
  if (to.connectionId === connectionId && to.address.channel === channel && kind === "gone") return null;
  const words = wordsFor(owner.locale).outbox;
  const title = (await placeTitle(db, connectionId, channel)) ?? words.unnamedPlace;
  // Whether the whole place is gone or one thread of it, only somebody there can tell.
  const place = thread === undefined ? title : words.threadIn(title);
  const about =
    kind === "gone" ? `${connectionId}:${channel}:${thread ?? ""}:${now.toISOString().slice(0, 10)}` : post.id;
  return {
    op: "post",
    post: { text: words[kind](place, detail), notify: true },
    to,
    purpose: "notice",
    lane: `${prefix}:${to.address.channel}`,
    dedupKey: `${prefix}:${kind}:${about}`,
  };
}
