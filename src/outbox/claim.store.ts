import { sql } from "kysely";
import type { Address, PlaceKind } from "../chat/index.ts";
import type { Db, PostOp, PostPurpose } from "../storage/index.ts";
import type { Attempt } from "./outcome.ts";

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
  readonly is_private: boolean | null;
  readonly of_run: boolean | null;
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
        select p.id, p.seq, p.status, p.op, p.channel, p.place_kind, p.next_at, p.target_post_id, p.target_message_id, p.requires_post_id, p.thread_post_id
        from posts p
        where p.connection_id = ${connectionId} and p.status in ('pending', 'sending') and p.lane = lanes.lane
        order by p.seq limit 1) head
      where lanes.lane is not null
    ), looked as (
      select h.id, h.seq, h.channel, h.next_at,
        h.op in ('post', 'edit', 'upload', 'open_thread') and not h.place_kind = any(${restless}::text[]) as paced,
        coalesce(target.platform_message_id, h.target_message_id) as target, maker.platform_message_id as made,
        case
          when target.status in ('failed', 'uncertain', 'superseded') or required.status in ('failed', 'uncertain', 'superseded')
            or (target.status = 'sent' and target.platform_message_id is null) then 'dead'
          when target.status in ('pending', 'sending') or required.status in ('pending', 'sending')
            or maker.status in ('pending', 'sending') then 'waiting'
          else 'ready' end as readiness
      from heads h
        left join posts target on target.id = h.target_post_id
        left join posts required on required.id = h.requires_post_id
        left join posts maker on maker.id = h.thread_post_id
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
      update posts p set status = 'sending', thread = coalesce(looked.made, p.thread)
      from locked join looked using (id) where p.id = locked.id
      returning p.id, p.thread, p.place_kind, p.op, p.purpose, p.body, p.attempts, p.maybe_repeat, p.created_at, p.dedup_key, p.body ->> 'onlyFor' is not null as is_private, p.run_id is not null as of_run
    )
    select looked.id, looked.channel, looked.next_at, looked.paced, looked.readiness, looked.target, claimed.id is not null as claimed,
      claimed.thread, claimed.place_kind, claimed.op, claimed.purpose, claimed.body, claimed.attempts, claimed.maybe_repeat,
      claimed.created_at, claimed.dedup_key, claimed.is_private, claimed.of_run
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
      isPrivate: row.is_private ?? false,
      ofRun: row.of_run ?? false,
      dedupKey: row.dedup_key ?? "",
      paced: row.paced,
    },
  ];
}

function waitingPost(row: ClaimRow): WaitingPost {
  return { id: row.id, channel: row.channel, paced: row.paced, nextAt: row.next_at, readiness: row.readiness };
}
