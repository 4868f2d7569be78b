import { sql } from "kysely";
import type { PlaceKind } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Person } from "../people/index.ts";
import type { AttentionKind, Db, DeliveryStatus, Role, RunStatus } from "../storage/index.ts";
import type { Teammate } from "../teammates/index.ts";
import type { Usage } from "./turn-record.ts";

/** Everything about a run that does not change while it runs. */
export interface RunContext {
  readonly runId: string;
  readonly status: RunStatus;
  readonly conversationId: string;
  readonly resetAt: Date | null;
  readonly trigger: string;
  readonly createdAt: Date;
  readonly codexThreadId: string | null;
  readonly codexTurnId: string | null;
  readonly model: string | null;
  readonly teammate: Teammate;
  /** Null where no person asked. */
  readonly requester: Person | null;
  readonly place: { readonly kind: PlaceKind; readonly title: string | null; readonly platform: string };
  readonly to: Destination;
}

const active = ["starting", "running", "waiting", "reconciling"] as const;

export async function loadContext(db: Db, runId: string): Promise<RunContext | undefined> {
  const row = await db
    .selectFrom("runs as r")
    .innerJoin("conversations as c", "c.id", "r.conversation_id")
    .innerJoin("places as p", "p.id", "c.place_id")
    .innerJoin("connections as k", "k.id", "p.connection_id")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .leftJoin("people as person", "person.id", "r.requester_person_id")
    .where("r.id", "=", runId)
    .select([
      "r.id",
      "r.status",
      "r.conversation_id",
      "r.trigger",
      "r.created_at",
      "r.codex_thread_id",
      "r.codex_turn_id",
    ])
    .select(["r.model as run_model", "c.reset_at", "c.thread", "p.kind", "p.title as place_title", "p.channel"])
    .select(["p.connection_id", "k.platform", "t.id as teammate_id", "t.handle", "t.name", "t.title", "t.job"])
    .select([
      "t.instructions",
      "t.autonomy",
      "t.access",
      "t.busy_mode",
      "t.task_limit",
      "t.model",
      "t.effort",
      "t.picture",
    ])
    .select(["person.id as person_id", "person.display_name", "person.role", "person.locale", "person.timezone"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    runId: row.id,
    status: row.status,
    conversationId: row.conversation_id,
    resetAt: row.reset_at,
    trigger: row.trigger,
    createdAt: row.created_at,
    codexThreadId: row.codex_thread_id,
    codexTurnId: row.codex_turn_id,
    model: row.run_model,
    teammate: {
      id: row.teammate_id,
      handle: row.handle,
      name: row.name,
      title: row.title,
      job: row.job,
      instructions: row.instructions,
      autonomy: row.autonomy,
      access: row.access,
      busyMode: row.busy_mode,
      taskLimit: row.task_limit,
      model: row.model,
      effort: row.effort,
      picture: row.picture,
    },
    requester:
      row.person_id === null || row.display_name === null || row.role === null
        ? null
        : {
            id: row.person_id,
            displayName: row.display_name,
            role: row.role,
            locale: row.locale,
            timezone: row.timezone,
          },
    place: { kind: row.kind, title: row.place_title, platform: row.platform },
    to: {
      connectionId: row.connection_id,
      address: { channel: row.channel, thread: row.thread === "" ? undefined : row.thread },
      placeKind: row.kind,
    },
  };
}

/** A delivery of a run, with the message it carries. */
export interface RunDelivery {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly joined: "start" | "steer" | null;
  readonly trigger: string;
  readonly queuePostId: string | null;
  readonly retryOf: string | null;
  readonly messageId: string;
  readonly platformMessageId: string | null;
  readonly author: "person" | "teammate" | "system";
  readonly authorName: string;
  readonly authorRole: Role | null;
  readonly text: string;
  readonly sentAt: Date;
  readonly editedAt: Date | null;
  readonly quote: unknown;
  readonly forwardedFrom: string | null;
  readonly hasFiles: boolean;
}

export async function loadDeliveries(
  db: Db,
  which: { runId: string } | { deliveryId: string } | { messageId: string },
): Promise<RunDelivery[]> {
  const query = db
    .selectFrom("deliveries as d")
    .innerJoin("messages as m", "m.id", "d.message_id")
    .leftJoin("people as p", "p.id", "m.person_id")
    .select(["d.id", "d.status", "d.joined", "d.trigger", "d.queue_post_id as queuePostId", "d.retry_of as retryOf"])
    .select(["m.id as messageId", "m.platform_message_id as platformMessageId", "m.author"])
    .select(["m.author_name as authorName", "p.role as authorRole", "m.text", "m.sent_at as sentAt"])
    .select(["m.edited_at as editedAt", "m.quote", "m.forwarded_from as forwardedFrom"])
    .select(sql<boolean>`exists (select 1 from attachments a where a.message_id = m.id)`.as("hasFiles"))
    .orderBy("d.queue_order");
  if ("runId" in which) return query.where("d.run_id", "=", which.runId).execute();
  if ("deliveryId" in which) return query.where("d.id", "=", which.deliveryId).execute();
  return query.where("d.message_id", "=", which.messageId).where("d.run_id", "is not", null).execute();
}

/** Codex took the turn: the run and what started it are running. */
export async function markRunning(
  db: Db,
  run: { runId: string; threadId: string; turnId: string; model: string | null; effort: string | null; at: Date },
): Promise<void> {
  await sql`
    with run as (
      update runs set status = 'running', codex_thread_id = ${run.threadId}, codex_turn_id = ${run.turnId},
        model = ${run.model}, effort = ${run.effort}, started_at = coalesce(started_at, ${run.at}), last_event_at = ${run.at}
      where id = ${run.runId} and status in ('starting', 'reconciling', 'running', 'waiting') returning id),
    thread as (
      update codex_threads set pending_handoff = null
      where codex_thread_id = ${run.threadId} and pending_handoff is not null)
    update deliveries d set status = 'running' from run
    where d.run_id = run.id and d.status = 'starting' and d.joined = 'start'`.execute(db);
}

export async function setRunStatus(
  db: Db,
  runId: string,
  status: "running" | "waiting" | "reconciling",
  waitingOn: AttentionKind | null = null,
): Promise<void> {
  await db
    .updateTable("runs")
    .set({ status, waiting_on: waitingOn })
    .where("id", "=", runId)
    .where("status", "in", ["running", "waiting", "reconciling"])
    .execute();
}

export interface EndedRun {
  readonly status: "completed" | "failed" | "interrupted";
  readonly reply: string | null;
  readonly errorCode: string | null;
  readonly error: string | null;
  readonly tokens: Usage | null;
  readonly at: Date;
}

/** Ends a run; false when it has ended before, and then nothing else may happen in its name. */
export async function endRun(db: Db, runId: string, end: EndedRun): Promise<boolean> {
  const result = await db
    .updateTable("runs")
    .set({
      status: end.status,
      waiting_on: null,
      reply: end.reply,
      error_code: end.errorCode,
      error: end.error,
      tokens: end.tokens === null ? null : JSON.stringify(end.tokens),
      completed_at: end.at,
    })
    .where("id", "=", runId)
    .where("status", "in", active)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function addUsage(
  db: Db,
  entry: {
    id: string;
    runId: string;
    teammateId: string;
    personId: string | null;
    authMode: string;
    model: string | null;
    usage: Usage;
    at: Date;
  },
): Promise<void> {
  await db
    .insertInto("usage_ledger")
    .values({
      id: entry.id,
      run_id: entry.runId,
      teammate_id: entry.teammateId,
      person_id: entry.personId,
      auth_mode: entry.authMode,
      model: entry.model,
      input_tokens: entry.usage.input,
      cached_input_tokens: entry.usage.cachedInput,
      output_tokens: entry.usage.output,
      reasoning_tokens: entry.usage.reasoning,
      created_at: entry.at,
    })
    .execute();
}

/** Notes who wants a run stopped; undefined when it is not running. The first one counts. */
export async function requestStop(
  db: Db,
  runId: string,
  personId: string,
  at: Date,
): Promise<{ conversationId: string } | undefined> {
  const row = await db
    .updateTable("runs")
    .set((e) => ({
      stop_requested_by: e.fn.coalesce("stop_requested_by", e.val(personId)),
      stop_requested_at: e.fn.coalesce("stop_requested_at", e.val(at)),
    }))
    .where("id", "=", runId)
    .where("status", "in", active)
    .returning("conversation_id")
    .executeTakeFirst();
  return row === undefined ? undefined : { conversationId: row.conversation_id };
}

export async function runForStop(db: Db, runId: string) {
  return db
    .selectFrom("runs as r")
    .leftJoin("people as p", "p.id", "r.stop_requested_by")
    .select([
      "r.requester_person_id",
      "r.status",
      "r.conversation_id",
      "p.id as stopper_id",
      "p.display_name as stopper_name",
    ])
    .where("r.id", "=", runId)
    .executeTakeFirst();
}

/** The active runs a message is part of. */
export async function runsOfMessage(db: Db, messageId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("deliveries as d")
    .innerJoin("runs as r", "r.id", "d.run_id")
    .select("r.id")
    .where("d.message_id", "=", messageId)
    .where("r.status", "in", active)
    .execute();
  return rows.map((row) => row.id);
}

export interface RunningTask {
  readonly runId: string;
  readonly conversationId: string;
  readonly status: RunStatus;
  readonly teammateName: string;
  readonly requesterName: string | null;
  readonly placeTitle: string | null;
  readonly since: Date;
}

export async function running(db: Db, computer: string): Promise<RunningTask[]> {
  return db
    .selectFrom("runs as r")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .innerJoin("conversations as c", "c.id", "r.conversation_id")
    .innerJoin("places as p", "p.id", "c.place_id")
    .leftJoin("people as person", "person.id", "r.requester_person_id")
    .select(["r.id as runId", "r.conversation_id as conversationId", "r.status", "t.name as teammateName"])
    .select(["person.display_name as requesterName", "p.title as placeTitle", "r.created_at as since"])
    .where("r.computer", "=", computer)
    .where("r.status", "in", active)
    .orderBy("r.created_at")
    .execute();
}

export async function queuedCount(db: Db): Promise<number> {
  const row = await db
    .selectFrom("deliveries")
    .select((e) => e.fn.countAll<string>().as("count"))
    .where("status", "=", "queued")
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
