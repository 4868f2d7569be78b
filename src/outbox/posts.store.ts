import { sql } from "kysely";
import type { Db, PostStatus } from "../storage/index.ts";
import type { Attempt } from "./outcome.ts";
import type { NewPost, PostTarget, SentCard } from "./types.ts";

/** What happened to a post; `nextAt` only for a pending one. */
export interface Change {
  readonly id: string;
  readonly status: PostStatus;
  readonly messageId?: string | undefined;
  readonly nextAt?: Date | undefined;
  readonly attempts?: number | undefined;
  readonly maybeRepeat?: boolean | undefined;
  readonly error?: string | undefined;
}

/**
 * Inserts one row per body under `<key>#1`, `<key>#2` …; false when the key is there already. An edit or a reaction that
 * still waits is pointless once a newer one of the same message is there: it goes in the same statement.
 */
export async function insertParts(
  db: Db,
  post: NewPost,
  parts: readonly { readonly id: string; readonly body: object }[],
  now: Date,
): Promise<boolean> {
  const rows = parts.map(({ id, body }, index) => ({
    ...rowOf(post, now),
    id,
    body: JSON.stringify(body),
    dedup_key: `${post.dedupKey}#${index + 1}`,
  }));
  const [first, ...rest] = rows;
  if (first === undefined) return true;
  const added = db.with("added", (query) =>
    query
      .insertInto("posts")
      .values(first)
      .onConflict((conflict) => conflict.column("dedup_key").doNothing())
      .returning("id"),
  );
  const replaced = replacedBy(post);
  const whole = replaced === null ? added : added.with("replaced", (query) => supersede(query, post, replaced));
  const inserted = await whole.selectFrom("added").select("id").executeTakeFirst();
  if (inserted === undefined) return false;
  const further = post.restBeneath === true ? rest.map((row) => ({ ...row, thread_post_id: first.id })) : rest;
  if (further.length > 0) await db.insertInto("posts").values(further).execute();
  return true;
}

interface Replaced {
  readonly op: "react" | "edit";
  readonly target: PostTarget;
}

function replacedBy(post: NewPost): Replaced | null {
  switch (post.op) {
    case "post":
    case "upload":
    case "open_thread":
      return null;
    case "react":
      return { op: "react", target: { messageId: post.messageId } };
    case "edit":
      return { op: "edit", target: post.target };
    case "remove":
      return "buttonHash" in post.target ? null : { op: "edit", target: post.target };
  }
}

/** Does not see the row that its own statement adds. The words stand in the text so that the index on what is unsent serves. */
function supersede(query: Pick<Db, "updateTable">, post: NewPost, { op, target }: Replaced) {
  const older = query
    .updateTable("posts")
    .set({ status: "superseded", body: sql<string>`body ${withoutKeys}` })
    .where("connection_id", "=", post.to.connectionId)
    .where("channel", "=", post.to.address.channel)
    .where("op", "=", op)
    .where("status", "=", sql.lit("pending"))
    .where(sql<boolean>`exists (select 1 from added)`);
  return "postId" in target
    ? older.where("target_post_id", "=", target.postId)
    : older.where("target_message_id", "=", target.messageId);
}

function rowOf(post: NewPost, now: Date) {
  const target = post.op === "edit" || post.op === "remove" ? post.target : null;
  const targetMessageId =
    post.op === "react" ? post.messageId : target && "messageId" in target ? target.messageId : null;
  return {
    connection_id: post.to.connectionId,
    channel: post.to.address.channel,
    thread: post.to.address.thread ?? null,
    place_kind: post.to.placeKind,
    conversation_id: post.conversationId ?? null,
    run_id: post.runId ?? null,
    attention_id: post.attentionId ?? null,
    lane: post.lane,
    purpose: post.purpose,
    op: post.op,
    target_post_id: target && "postId" in target ? target.postId : null,
    target_message_id: targetMessageId,
    requires_post_id: post.requiresPostId ?? null,
    thread_post_id: post.threadPostId ?? null,
    next_at: now,
    created_at: now,
  };
}

/** The most messages one post was ever cut into: 100,000 characters at 2,000 each, with room. */
const mostParts = 200;

export async function idsOf(db: Db, dedupKey: string): Promise<readonly string[]> {
  const keys = Array.from({ length: mostParts }, (_, index) => `${dedupKey}#${index + 1}`);
  const rows = await db.selectFrom("posts").select("id").where("dedup_key", "in", keys).orderBy("seq").execute();
  return rows.map((row) => row.id);
}

/** A token, or the address of a link, may be worth something until it is used. */
const withoutKeys = sql.raw("- 'buttons' - 'selects' - 'links'");

/** Stores outcomes of what is being sent; the same statement frees the lanes. */
export async function storeChanges(db: Db, changes: readonly Change[], now: Date): Promise<void> {
  const rows = changes.map((change) => ({
    id: change.id,
    status: change.status,
    message_id: change.messageId,
    next_at: change.nextAt,
    attempts: change.attempts,
    maybe_repeat: change.maybeRepeat,
    error: change.error,
  }));
  // Once it is in the chat, no copy of what can be pressed stays here.
  await sql`
    update posts p set
      status = o.status,
      platform_message_id = coalesce(o.message_id, p.platform_message_id),
      next_at = coalesce(o.next_at, p.next_at),
      attempts = coalesce(o.attempts, p.attempts),
      maybe_repeat = coalesce(o.maybe_repeat, p.maybe_repeat),
      error = o.error,
      sent_at = case when o.status = 'sent' then ${now}::timestamptz end,
      body = case when o.status = 'pending' then p.body else p.body ${withoutKeys} end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o (id uuid, status text, message_id text, next_at timestamptz, attempts integer, maybe_repeat boolean, error text)
    where p.id = o.id and p.status in ('sending', 'pending')`.execute(db);
}

/** What was being sent when its process ended. */
export async function interrupted(db: Db, connectionId: string): Promise<readonly (Attempt & { id: string })[]> {
  const rows = await db
    .selectFrom("posts")
    .select(["id", "op", "purpose", "attempts", "maybe_repeat as maybeRepeat", "created_at as createdAt"])
    .select(sql<boolean>`body ->> 'onlyFor' is not null`.as("isPrivate"))
    .select(sql<boolean>`run_id is not null`.as("ofRun"))
    .where("connection_id", "=", connectionId)
    .where("status", "=", "sending")
    .orderBy("seq")
    .execute();
  return rows;
}

/** What is marked as being sent, and is not among `known`: nobody sends it. */
export async function putBackLost(db: Db, connectionId: string, known: readonly string[]): Promise<void> {
  await sql`
    update posts set status = 'pending'
    where connection_id = ${connectionId} and status = 'sending' and not id = any(${known}::uuid[])`.execute(db);
}

export async function cardsOf(db: Db, attentionId: string): Promise<readonly SentCard[]> {
  const rows = await db
    .selectFrom("posts")
    .select([
      "id",
      "connection_id",
      "channel",
      "thread",
      "place_kind",
      "lane",
      "conversation_id",
      "platform_message_id",
    ])
    .where("attention_id", "=", attentionId)
    .where("op", "=", "post")
    .where("purpose", "=", "card")
    .orderBy("seq")
    .execute();
  return rows.map((row) => ({
    postId: row.id,
    to: {
      connectionId: row.connection_id,
      address: { channel: row.channel, ...(row.thread === null ? {} : { thread: row.thread }) },
      placeKind: row.place_kind,
    },
    lane: row.lane,
    conversationId: row.conversation_id,
    messageId: row.platform_message_id,
  }));
}

export async function moveUnsent(db: Db, connectionId: string, from: string, to: string): Promise<void> {
  await db
    .updateTable("posts")
    .set({ channel: to })
    .where("connection_id", "=", connectionId)
    .where("channel", "=", from)
    // What is being sent to the old address now comes back.
    .where("status", "in", ["pending", "sending"])
    .execute();
}

/** What waits in a lane for a thread that is gone waits for the one that this post makes; what is being sent comes back. */
export async function moveToThread(
  db: Db,
  { lane, thread, postId }: { readonly lane: string; readonly thread: string; readonly postId: string },
): Promise<void> {
  await db
    .updateTable("posts")
    .set({ thread: null, thread_post_id: postId })
    .where("lane", "=", lane)
    .where("thread", "=", thread)
    .where("status", "in", ["pending", "sending"])
    .execute();
}

export async function placeTitle(db: Db, connectionId: string, channel: string): Promise<string | null> {
  const row = await db
    .selectFrom("places")
    .select("title")
    .where("connection_id", "=", connectionId)
    .where("channel", "=", channel)
    .executeTakeFirst();
  return row?.title ?? null;
}

/** Deletes posts from before then that are over and that nothing unfinished is about, at most `limit`. How many it were. */
export async function forgetPosts(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as (
      select p.id, p.status, p.run_id, p.lane from posts p
      where p.created_at < ${before} and p.status not in ('pending', 'sending')
        and not exists (select 1 from posts o where o.target_post_id = p.id and o.created_at >= ${before})
        and not exists (select 1 from posts o where o.target_post_id = p.id and o.status in ('pending', 'sending'))
        and not exists (select 1 from posts o where o.requires_post_id = p.id and o.status in ('pending', 'sending'))
        and not exists (select 1 from posts o where o.thread_post_id = p.id and o.status in ('pending', 'sending'))
        -- What is said in a routine's own thread is known by it.
        and not exists (select 1 from routine_destinations d where d.own_thread_post_id = p.id)
        and not exists (select 1 from deliveries d where d.queue_post_id = p.id and d.status = 'queued')
        and not exists (select 1 from attention a where a.id = p.attention_id and a.status = 'open')
      order by p.created_at limit ${limit}),
    -- Whether a report arrived is asked for longer than the post is kept.
    kept as (
      update routine_reports r set outcome = case when old.status = 'sent' and not exists (
          select 1 from posts part where part.run_id = old.run_id and part.lane = old.lane and part.op = 'post'
            and part.status <> 'sent') then 'sent' else 'failed' end
      from old where r.post_id = old.id and r.outcome is null)
    delete from posts where id in (select id from old)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
