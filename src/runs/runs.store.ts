import { sql } from "kysely";
import type { AttentionKind, Db, RunStatus } from "../storage/index.ts";
import type { Usage } from "./turn-record.ts";

/** The states of a run that has not ended. */
export const unended = ["starting", "running", "waiting", "reconciling"] as const;

/** Codex took the turn: the run and what started it are running. */
export async function markRunning(
  db: Db,
  run: {
    runId: string;
    threadId: string;
    turnId: string;
    model: string | null;
    effort: string | null;
    payer: string | null;
    at: Date;
  },
): Promise<void> {
  await sql`
    with run as (
      update runs set status = 'running', codex_thread_id = ${run.threadId}, codex_turn_id = ${run.turnId},
        model = ${run.model}, effort = ${run.effort}, auth_mode = ${run.payer}, started_at = coalesce(started_at, ${run.at}), last_event_at = ${run.at}
      where id = ${run.runId} and status in ('starting', 'reconciling', 'running', 'waiting') returning id),
    thread as (
      update codex_threads set pending_handoff = null
      where codex_thread_id = ${run.threadId} and pending_handoff is not null)
    update deliveries d set status = 'running' from run
    where d.run_id = run.id and d.status = 'starting' and d.joined = 'start'`.execute(db);
}

/** Notes in which thread a run takes place, before Codex is given its turn. */
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
    .where("status", "in", unended)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
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
    .where("status", "in", unended)
    .returning("conversation_id")
    .executeTakeFirst();
  return row === undefined ? undefined : { conversationId: row.conversation_id };
}

/** The same for whatever runs in a lane; gives its id. */
export async function requestLaneStop(
  db: Db,
  conversationId: string,
  personId: string | null,
  at: Date,
): Promise<string | undefined> {
  const row = await db
    .updateTable("runs")
    .set((e) => ({
      stop_requested_by: e.fn.coalesce("stop_requested_by", e.val(personId)),
      stop_requested_at: e.fn.coalesce("stop_requested_at", e.val(at)),
    }))
    .where("conversation_id", "=", conversationId)
    .where("status", "in", unended)
    .returning("id")
    .executeTakeFirst();
  return row?.id;
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
    .where("r.status", "in", unended)
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
