import { plain } from "../chat/index.ts";
import { type PostOfReport, reportWith } from "../routines/index.ts";
import type { Db } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import type { ClaimedPost } from "./claim.store.ts";
import { placeTitle } from "./posts.store.ts";
import { hearerOf, reportTrouble } from "./report-trouble.ts";
import type { NewPost, OwnerDirectory } from "./types.ts";

/** Something that will not be posted, for the owner, or for the author of the routine whose report it is. */
export interface Failure {
  readonly post: ClaimedPost;
  readonly kind: "rejected" | "gone" | "unreachable";
  readonly detail: string;
}

const prefix = "post-failed";

/**
 * What is told of a post that will never arrive: once a place or thread, kind and day for one that is gone, and for a
 * routine's reports; once a post otherwise. Null when there is nobody to tell, or when this *is* such a notice.
 */
export async function failureNotice(
  db: Db,
  people: OwnerDirectory,
  connectionId: string,
  failure: Failure,
  now: Date,
): Promise<NewPost | null> {
  const { post, kind, detail } = failure;
  if (post.dedupKey.startsWith(`${prefix}:`) || isSaidByAnother(failure)) return null;
  const report = post.ofRun ? await reportWith(db, post.id) : undefined;
  const hearer = await hearerOf(db, people, connectionId, report);
  if (hearer === null) return null;
  const { to, locale } = hearer;
  const { channel, thread } = post.address;
  if (to.connectionId === connectionId && to.address.channel === channel && kind === "gone") return null;
  const words = wordsFor(locale).outbox;
  const named = await placeTitle(db, connectionId, channel);
  const title = named === null ? words.unnamedPlace : plain(named);
  // Whether the whole place is gone or one thread of it, only somebody there can tell.
  const place = thread === undefined ? title : words.threadIn(title);
  const text =
    report === undefined
      ? words[kind](place, detail)
      : reportTrouble(report, { op: post.op, kind, detail, place, locale });
  return {
    op: "post",
    post: { text, notify: true },
    to,
    purpose: "notice",
    lane: `${prefix}:${to.address.channel}`,
    dedupKey: `${prefix}:${kind}:${aboutOf(failure, connectionId, report, now)}`,
  };
}

/** A thread that cannot be made in a place that is gone: what was to stand in it tells that. One that keeps its old name is no news. */
function isSaidByAnother({ post, kind }: Failure): boolean {
  return post.op === "open_thread" && (kind === "gone" || post.address.thread !== undefined);
}

function aboutOf({ post, kind }: Failure, connectionId: string, report: PostOfReport | undefined, now: Date): string {
  const day = now.toISOString().slice(0, 10);
  if (report !== undefined) {
    const where = `${report.routineId}:${report.placeId}:${report.thread}`;
    // Each report asks for the thread anew, in case it may be made by then.
    return post.op === "open_thread" ? `no-thread:${where}` : `report:${where}:${day}`;
  }
  const { channel, thread } = post.address;
  return kind === "gone" ? `${connectionId}:${channel}:${thread ?? ""}:${day}` : post.id;
}
