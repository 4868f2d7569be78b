import { sql } from "kysely";
import type { Db, PostStatus } from "../storage/index.ts";

/** Where a report is to go, as things stand now: without a destination of its own, a routine reports to where it was made. */
export interface ReportTarget {
  readonly placeId: string;
  /** The platform's thread id, or "" outside threads. */
  readonly thread: string;
  readonly connectionId: string;
  readonly channel: string;
  readonly kind: "dm" | "group" | "channel" | "forum";
  readonly title: string | null;
  readonly isArchived: boolean;
  /** The bot there is one teammate's own. */
  readonly isOwnBot: boolean;
  /** Set where its reports have a thread of their own there. */
  readonly own: OwnThread | null;
}

export interface OwnThread {
  readonly destinationId: string;
  /** The platform's thread id, once it is known. */
  readonly threadId: string | null;
  /** The post that makes it now. */
  readonly postId: string | null;
  /** As we named it last. */
  readonly name: string | null;
}

interface TargetRow extends Omit<ReportTarget, "own"> {
  readonly destination_id: string | null;
  readonly own_thread_id: string | null;
  readonly maker_id: string | null;
  readonly own_thread_name: string | null;
}

/** All of them, or only where the routine was made. */
export async function reportTargets(db: Db, routineId: string, onlyHome = false): Promise<ReportTarget[]> {
  const { rows } = await sql<TargetRow>`
    with targets as (
      select id as destination_id, position, place_id, thread, own_thread and thread = '' as own, own_thread_id,
        own_thread_post_id, own_thread_name
      from routine_destinations where routine_id = ${routineId} and not ${onlyHome}
      union all
      select null, 0, r.place_id, r.thread, false, null, null, null from routines r
      where r.id = ${routineId}
        and (${onlyHome} or not exists (select 1 from routine_destinations d where d.routine_id = r.id)))
    select t.place_id as "placeId", t.thread, p.connection_id as "connectionId", p.channel, p.kind, p.title,
      p.archived_at is not null as "isArchived", k.teammate_handle is not null as "isOwnBot",
      case when t.own then t.destination_id end as destination_id,
      coalesce(t.own_thread_id, case when maker.status = 'sent' then maker.platform_message_id end) as own_thread_id,
      case when maker.status in ('pending', 'sending') then maker.id end as maker_id, t.own_thread_name
    from targets t join places p on p.id = t.place_id join connections k on k.id = p.connection_id
      left join posts maker on maker.id = t.own_thread_post_id
    order by t.position`.execute(db);
  return rows.map(({ destination_id, own_thread_id, maker_id, own_thread_name, ...target }) => ({
    ...target,
    own:
      destination_id === null
        ? null
        : { destinationId: destination_id, threadId: own_thread_id, postId: maker_id, name: own_thread_name },
  }));
}

export async function setOwnThread(
  db: Db,
  destinationId: string,
  own: { readonly threadId: string | null; readonly postId?: string; readonly name: string },
): Promise<void> {
  await db
    .updateTable("routine_destinations")
    .set({
      own_thread_id: own.threadId,
      own_thread_name: own.name,
      ...(own.postId === undefined ? {} : { own_thread_post_id: own.postId }),
    })
    .where("id", "=", destinationId)
    .execute();
}

export interface NewReport {
  readonly routineRunId: string;
  readonly placeId: string;
  readonly thread: string;
  readonly postId: string;
  readonly outcome: "failed" | null;
}

/** Another report of the same run, after what it asked was answered, takes the place of the first. False where it is this one that is there. */
export async function addReport(db: Db, report: NewReport): Promise<boolean> {
  const added = await db
    .insertInto("routine_reports")
    .values({
      routine_run_id: report.routineRunId,
      place_id: report.placeId,
      thread: report.thread,
      post_id: report.postId,
      outcome: report.outcome,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["routine_run_id", "place_id", "thread"])
        .doUpdateSet({ post_id: report.postId, message_id: null, outcome: report.outcome })
        .where("routine_reports.post_id", "<>", report.postId),
    )
    .returning("post_id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Where the report stands in the history of the place. */
export async function setReportMessage(db: Db, postId: string, messageId: string): Promise<void> {
  await db.updateTable("routine_reports").set({ message_id: messageId }).where("post_id", "=", postId).execute();
}

/** What became of a report in one place. `sent`: all of it, as the platform confirmed. */
export interface ReportDelivery {
  readonly placeId: string;
  readonly placeTitle: string | null;
  readonly thread: string;
  readonly status: "sent" | "waiting" | "failed";
}

/** A report that takes several messages is as far as the slowest of them; its files are not looked at. */
export async function deliveriesOf(db: Db, routineRunId: string): Promise<ReportDelivery[]> {
  const { rows } = await sql<
    Omit<ReportDelivery, "status"> & { outcome: "sent" | "failed" | null; statuses: readonly PostStatus[] | null }
  >`
    select r.place_id as "placeId", p.title as "placeTitle", r.thread, r.outcome, (
      select array_agg(part.status) from posts first join posts part
        on part.id = first.id or (part.run_id = first.run_id and part.lane = first.lane and part.op = 'post')
      where first.id = r.post_id) as statuses
    from routine_reports r join places p on p.id = r.place_id
    where r.routine_run_id = ${routineRunId} order by p.title, r.place_id, r.thread`.execute(db);
  return rows.map(({ outcome, statuses, ...where }) => ({ ...where, status: statusOf(outcome, statuses ?? []) }));
}

function statusOf(kept: "sent" | "failed" | null, statuses: readonly PostStatus[]): ReportDelivery["status"] {
  if (statuses.length === 0) return kept ?? "failed";
  if (statuses.some((status) => status === "pending" || status === "sending")) return "waiting";
  return statuses.every((status) => status === "sent") ? "sent" : "failed";
}

/** A post that belongs to a report, or to the thread of its own that a routine's reports have. */
export interface PostOfReport {
  readonly routineId: string;
  readonly routineName: string;
  readonly author: { readonly id: string; readonly locale: string | null } | null;
  readonly placeId: string;
  readonly thread: string;
}

export async function reportWith(db: Db, postId: string): Promise<PostOfReport | undefined> {
  const { rows } = await sql<Omit<PostOfReport, "author"> & { author_id: string | null; locale: string | null }>`
    with about as (
      select rr.routine_id, r.place_id, r.thread from posts p
        join posts first on first.run_id = p.run_id and first.lane = p.lane
        join routine_reports r on r.post_id = first.id join routine_runs rr on rr.id = r.routine_run_id
      where p.id = ${postId}
      union all
      select routine_id, place_id, thread from routine_destinations where own_thread_post_id = ${postId})
    select r.id as "routineId", r.name as "routineName", a.place_id as "placeId", a.thread,
      author.id as author_id, author.locale
    from about a join routines r on r.id = a.routine_id left join people author on author.id = r.created_by limit 1`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { author_id: id, locale, ...report } = row;
  return { ...report, author: id === null ? null : { id, locale } };
}

/** A thread of a routine's own that is gone, with what was to go there. */
export interface LostThread {
  readonly destinationId: string;
  readonly routineName: string;
  readonly routineRunId: string;
  readonly conversationId: string | null;
  readonly runId: string | null;
  readonly lane: string;
}

/** How the post that makes a routine's own thread is called. */
export const ownThreadKey = (destinationId: string, routineRunId: string): string =>
  `thread:${destinationId}:${routineRunId}`;

/** The own thread that a post of a report was to go to; undefined where it had none, or where this report brought a new one already. */
export async function lostThread(db: Db, postId: string): Promise<LostThread | undefined> {
  const { rows } = await sql<LostThread>`
    select d.id as "destinationId", routine.name as "routineName", r.routine_run_id as "routineRunId",
      p.conversation_id as "conversationId", p.run_id as "runId", p.lane
    from posts p join posts first on first.run_id = p.run_id and first.lane = p.lane
      join routine_reports r on r.post_id = first.id
      join routine_runs rr on rr.id = r.routine_run_id
      join routines routine on routine.id = rr.routine_id
      join routine_destinations d on d.routine_id = rr.routine_id and d.place_id = r.place_id and d.thread = r.thread
      left join posts maker on maker.id = d.own_thread_post_id
    where p.id = ${postId} and d.own_thread and d.thread = '' and p.thread is not null
      and p.thread = coalesce(d.own_thread_id, maker.platform_message_id)
      and not exists (select 1 from posts made
        where made.dedup_key = 'thread:' || d.id || ':' || r.routine_run_id || '#1')
    limit 1`.execute(db);
  return rows[0];
}
