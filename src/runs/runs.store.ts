import { sql } from "kysely";
import { z } from "zod";
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
    .select(["t.instructions", "t.autonomy", "t.access", "t.busy_mode", "t.task_limit", "t.model", "t.effort"])
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

export async function setRunThread(db: Db, runId: string, threadId: string): Promise<void> {
  await db.updateTable("runs").set({ codex_thread_id: threadId }).where("id", "=", runId).execute();
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

/** Keeps what a teammate answered, for the history a later thread is told. */
export async function addAnswer(
  db: Db,
  answer: { id: string; conversationId: string; teammate: { id: string; name: string }; text: string; at: Date },
): Promise<void> {
  await sql`
    insert into messages (id, conversation_id, place_id, thread, author, author_name, teammate_id, text, sent_at)
    select ${answer.id}::uuid, c.id, c.place_id, c.thread, 'teammate', ${answer.teammate.name}, ${answer.teammate.id}::uuid,
      ${answer.text}, ${answer.at}
    from conversations c where c.id = ${answer.conversationId}`.execute(db);
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

/** The runs of a computer that have not ended, oldest first. */
export async function unsettledRuns(db: Db, computer: string): Promise<string[]> {
  const rows = await db
    .selectFrom("runs")
    .select("id")
    .where("computer", "=", computer)
    .where("status", "in", active)
    .orderBy("created_at")
    .execute();
  return rows.map((row) => row.id);
}

export interface StrandedSteer {
  readonly id: string;
  readonly threadId: string | null;
  readonly outcome: "completed" | "failed" | "interrupted";
}

/** Steered deliveries of runs that ended before it was known whether they arrived. */
export async function strandedSteers(db: Db, computer: string): Promise<StrandedSteer[]> {
  const rows = await db
    .selectFrom("deliveries as d")
    .innerJoin("runs as r", "r.id", "d.run_id")
    .select(["d.id", "r.codex_thread_id as threadId", "r.status"])
    .where("r.computer", "=", computer)
    .where("d.status", "=", "starting")
    .where("d.joined", "=", "steer")
    .execute();
  return rows.flatMap(({ id, threadId, status }) =>
    status === "completed" || status === "failed" || status === "interrupted"
      ? [{ id, threadId, outcome: status }]
      : [],
  );
}

/** Texts of a run's timeline, in order: whole messages, and pieces of those that never became whole. */
export async function toldSoFar(db: Db, runId: string): Promise<string> {
  const rows = await db
    .selectFrom("run_events")
    .select(["kind", "item_id", sql<string | null>`payload->>'text'`.as("text")])
    .where("run_id", "=", runId)
    .where("kind", "in", ["text", "text_delta"])
    .orderBy("seq")
    .execute();
  const items = new Map<string, string>();
  for (const row of rows) {
    const key = row.item_id ?? "";
    items.set(key, row.kind === "text" ? (row.text ?? "") : (items.get(key) ?? "") + (row.text ?? ""));
  }
  return [...items.values()]
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}

export async function lastEventNumber(db: Db, runId: string): Promise<number> {
  const row = await db
    .selectFrom("run_events")
    .select((e) => e.fn.max("seq").as("seq"))
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

const queuedFileShape = z.object({ path: z.string(), name: z.string(), caption: z.string().optional() });
export type StoredQueuedFile = z.infer<typeof queuedFileShape>;

/** Files the teammate queued to be sent with its answer, as its timeline has them. */
export async function queuedFiles(db: Db, runId: string): Promise<StoredQueuedFile[]> {
  const rows = await db
    .selectFrom("run_events")
    .select("payload")
    .where("run_id", "=", runId)
    .where("kind", "=", "file")
    .orderBy("seq")
    .execute();
  return rows.flatMap((row) => queuedFileShape.safeParse(row.payload).data ?? []);
}

export interface HistoryLine {
  readonly authorName: string;
  readonly author: "person" | "teammate" | "system";
  readonly text: string;
  readonly sentAt: Date;
}

/** What was said in a conversation before these messages and since its last reset, newest first. */
export async function history(
  db: Db,
  conversationId: string,
  since: Date | null,
  without: readonly string[],
  limit: number,
): Promise<HistoryLine[]> {
  return db
    .selectFrom("messages")
    .select(["author_name as authorName", "author", "text", "sent_at as sentAt"])
    .where("conversation_id", "=", conversationId)
    .where("deleted_at", "is", null)
    .$if(since !== null, (q) => q.where("created_at", ">", since ?? new Date(0)))
    .$if(without.length > 0, (q) => q.where("id", "not in", without))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
}

/** Messages of earlier turns whose author changed them after that turn had ended. */
export async function editedSince(db: Db, conversationId: string, runId: string): Promise<RunDelivery[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from deliveries d join messages m on m.id = d.message_id join runs r on r.id = d.run_id
    where d.conversation_id = ${conversationId} and m.edited_at is not null and m.deleted_at is null
      and r.completed_at is not null and m.edited_at > r.completed_at
      and m.edited_at > coalesce((select max(created_at) from runs where conversation_id = ${conversationId}
        and id <> ${runId} and created_at < (select created_at from runs where id = ${runId})), '-infinity')
    order by d.queue_order limit 5`.execute(db);
  const found = await Promise.all(rows.map((row) => loadDeliveries(db, { deliveryId: row.id })));
  return found.flat();
}

const doneLimit = 10;

/** Why the run of an earlier delivery ended early, and what it had done by then, in short lines. */
export async function cutShort(
  db: Db,
  deliveryId: string,
): Promise<{ why: "restart" | "failed" | "stopped"; done: string[] } | undefined> {
  const run = await db
    .selectFrom("deliveries as d")
    .innerJoin("runs as r", "r.id", "d.run_id")
    .select(["r.id", "r.status", "r.error_code"])
    .where("d.id", "=", deliveryId)
    .executeTakeFirst();
  if (run === undefined || run.status === "completed") return undefined;
  const steps = await db
    .selectFrom("run_events")
    .select(
      sql<string | null>`coalesce(payload->'step'->>'command', payload->'step'->>'tool', payload->'step'->>'paths',
      payload->'step'->>'query')`.as("what"),
    )
    .where("run_id", "=", run.id)
    .where("kind", "=", "step_ended")
    .where(sql<boolean>`payload->>'outcome' = 'ok'`)
    .orderBy("seq", "desc")
    .limit(doneLimit)
    .execute();
  return {
    why: run.status === "failed" ? "failed" : run.error_code === "stopped" ? "stopped" : "restart",
    done: steps.flatMap(({ what }) => (what === null ? [] : [what.slice(0, 200)])).reverse(),
  };
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
