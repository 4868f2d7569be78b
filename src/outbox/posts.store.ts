import { sql } from "kysely";
import type { Address, PlaceKind } from "../chat/index.ts";
import type { Db, PostOp, PostPurpose, PostStatus } from "../storage/index.ts";
import type { Attempt } from "./outcome.ts";
import type { NewPost, SentCard } from "./types.ts";

/** A post that was taken for sending. */
export interface ClaimedPost extends Attempt {
  readonly id: string;
  readonly address: Address;
  readonly placeKind: PlaceKind;
  readonly body: unknown;
  /** The platform's message that an edit, a removal or a reaction is about. */
  readonly targetMessageId: string | null;
  readonly dedupKey: string;
  /** True where it takes its place's turn: reactions and removals do not. */
  readonly paced: boolean;
}

/** The first post of a lane that was not taken. */
export interface WaitingPost {
  readonly id: string;
  readonly channel: string;
  readonly paced: boolean;
  readonly nextAt: Date;
  /** `dead`: what it is about was never sent, and never will be. */
  readonly readiness: "ready" | "dead";
}

export interface ClaimRequest {
  readonly connectionId: string;
  readonly now: Date;
  readonly limit: number;
  /** Places where nothing may be sent now, and those where no post may. */
  readonly limited: readonly string[];
  readonly resting: readonly string[];
  readonly restless: readonly PlaceKind[];
}

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

/** Inserts one row per body under `<key>#1`, `<key>#2` …; false when the key is there already. */
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
  const inserted = await db
    .insertInto("posts")
    .values(first)
    .onConflict((conflict) => conflict.column("dedup_key").doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return false;
  if (rest.length > 0) await db.insertInto("posts").values(rest).execute();
  return true;
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

/** An edit or a reaction that still waits is pointless once a newer one of the same message is there. */
export async function supersedeOlder(db: Db, post: NewPost, newer: readonly string[]): Promise<void> {
  if (post.op === "post" || post.op === "upload") return;
  const target = post.op === "react" ? { messageId: post.messageId } : post.target;
  const replaced = post.op === "react" ? ("react" as const) : ("edit" as const);
  let query = db
    .updateTable("posts")
    .set({ status: "superseded", body: withoutButtons })
    .where("connection_id", "=", post.to.connectionId)
    .where("channel", "=", post.to.address.channel)
    .where("op", "=", replaced)
    .where("status", "=", "pending")
    .where("id", "not in", newer);
  query =
    "postId" in target
      ? query.where("target_post_id", "=", target.postId)
      : query.where("target_message_id", "=", target.messageId);
  await query.execute();
}

const withoutButtons = sql<string>`body - 'buttons'`;

interface ClaimRow {
  readonly id: string;
  readonly channel: string;
  readonly next_at: Date;
  readonly paced: boolean;
  readonly readiness: "ready" | "dead";
  readonly claimed: boolean;
  readonly thread: string | null;
  readonly place_kind: PlaceKind | null;
  readonly op: PostOp | null;
  readonly purpose: PostPurpose | null;
  readonly body: unknown;
  readonly attempts: number | null;
  readonly maybe_repeat: boolean | null;
  readonly created_at: Date | null;
  readonly dedup_key: string | null;
  readonly target: string | null;
}

/**
 * Takes the first post of every lane that may go now, at most `limit`, and tells which lanes wait for a time.
 * A lane whose first post is being sent is not looked at: that is what keeps the order.
 */
export async function claim(
  db: Db,
  request: ClaimRequest,
): Promise<{ claimed: ClaimedPost[]; waiting: WaitingPost[] }> {
  const { connectionId, now, limit, limited, resting, restless } = request;
  const { rows } = await sql<ClaimRow>`
    with recursive lanes (lane) as (
      -- Jumps from lane to lane in the index, so that a long lane costs no more than a short one.
      (select lane from posts
        where connection_id = ${connectionId} and status in ('pending', 'sending') order by lane limit 1)
      union all
      select (select p.lane from posts p
        where p.connection_id = ${connectionId} and p.status in ('pending', 'sending') and p.lane > lanes.lane
        order by p.lane limit 1)
      from lanes where lanes.lane is not null
    ), heads as (
      select head.* from lanes cross join lateral (
        select p.id, p.seq, p.status, p.op, p.channel, p.place_kind, p.next_at, p.target_post_id, p.target_message_id, p.requires_post_id
        from posts p
        where p.connection_id = ${connectionId} and p.status in ('pending', 'sending') and p.lane = lanes.lane
        order by p.seq limit 1) head
      where lanes.lane is not null
    ), looked as (
      select h.id, h.seq, h.channel, h.next_at,
        h.op in ('post', 'edit', 'upload') and not h.place_kind = any(${restless}::text[]) as paced,
        coalesce(target.platform_message_id, h.target_message_id) as target,
        case
          when target.status in ('failed', 'uncertain', 'superseded') or required.status in ('failed', 'uncertain', 'superseded')
            or (target.status = 'sent' and target.platform_message_id is null) then 'dead'
          when target.status in ('pending', 'sending') or required.status in ('pending', 'sending') then 'waiting'
          else 'ready' end as readiness
      from heads h
        left join posts target on target.id = h.target_post_id
        left join posts required on required.id = h.requires_post_id
      where h.status = 'pending'
    ), ranked as (
      select id, seq, paced, row_number() over (partition by channel, paced order by seq) as nth
      from looked
      where readiness = 'ready' and next_at <= ${now} and not channel = any(${limited}::text[])
        and not (paced and channel = any(${resting}::text[]))
    ), locked as (
      select p.id from posts p
      where p.id in (select id from ranked where nth = 1 or not paced order by seq limit ${limit}) and p.status = 'pending'
      for update skip locked
    ), claimed as (
      update posts p set status = 'sending' from locked where p.id = locked.id
      returning p.id, p.thread, p.place_kind, p.op, p.purpose, p.body, p.attempts, p.maybe_repeat, p.created_at, p.dedup_key
    )
    select looked.id, looked.channel, looked.next_at, looked.paced, looked.readiness, looked.target, claimed.id is not null as claimed,
      claimed.thread, claimed.place_kind, claimed.op, claimed.purpose, claimed.body, claimed.attempts, claimed.maybe_repeat,
      claimed.created_at, claimed.dedup_key
    from looked left join claimed on claimed.id = looked.id
    where looked.readiness <> 'waiting'
    order by claimed.id is null, case when claimed.id is null then looked.next_at end, looked.seq
    limit ${limit + 100}`.execute(db);
  return { claimed: rows.flatMap(claimedPost), waiting: rows.filter((row) => !row.claimed).map(waitingPost) };
}

function claimedPost(row: ClaimRow): ClaimedPost[] {
  const { op, purpose, place_kind, created_at } = row;
  if (!row.claimed || op === null || purpose === null || place_kind === null || created_at === null) return [];
  return [
    {
      id: row.id,
      address: { channel: row.channel, ...(row.thread === null ? {} : { thread: row.thread }) },
      placeKind: place_kind,
      op,
      purpose,
      body: row.body,
      targetMessageId: row.target,
      attempts: row.attempts ?? 0,
      maybeRepeat: row.maybe_repeat ?? false,
      createdAt: created_at,
      dedupKey: row.dedup_key ?? "",
      paced: row.paced,
    },
  ];
}

function waitingPost(row: ClaimRow): WaitingPost {
  return { id: row.id, channel: row.channel, paced: row.paced, nextAt: row.next_at, readiness: row.readiness };
}

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
  // A button's token is worth something until it is used: once it is in the chat, no copy of it stays here.
  await sql`
    update posts p set
      status = o.status,
      platform_message_id = coalesce(o.message_id, p.platform_message_id),
      next_at = coalesce(o.next_at, p.next_at),
      attempts = coalesce(o.attempts, p.attempts),
      maybe_repeat = coalesce(o.maybe_repeat, p.maybe_repeat),
      error = o.error,
      sent_at = case when o.status = 'sent' then ${now}::timestamptz end,
      body = case when o.status = 'pending' then p.body else p.body - 'buttons' end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o (id uuid, status text, message_id text, next_at timestamptz, attempts integer, maybe_repeat boolean, error text)
    where p.id = o.id and p.status in ('sending', 'pending')`.execute(db);
}

/** What was being sent when its process ended. */
export async function interrupted(db: Db, connectionId: string): Promise<readonly (Attempt & { id: string })[]> {
  const rows = await db
    .selectFrom("posts")
    .select(["id", "op", "purpose", "attempts", "maybe_repeat as maybeRepeat", "created_at as createdAt"])
    .where("connection_id", "=", connectionId)
    .where("status", "=", "sending")
    .orderBy("seq")
    .execute();
  return rows;
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
    .where("status", "=", "pending")
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
