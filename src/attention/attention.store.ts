import { z } from "zod";
import type { Persona } from "../chat/index.ts";
import { newId } from "../shared/index.ts";
import type { AttentionStatus, Db } from "../storage/index.ts";
import { personaOf } from "../teammates/index.ts";
import { readDetails } from "./details.ts";
import { readAnswers } from "./question.ts";
import type { AttentionDetails, AttentionItem, AttentionMethod, Choice, Decision, NewAttention } from "./types.ts";

const decisionSchema = z.object({
  choice: z.enum(["approve", "approve_session", "always", "deny", "stop", "answer", "skip", "expired", "cancelled"]),
  note: z.string().optional(),
});

const methods = z.enum([
  "command",
  "file_change",
  "permissions",
  "request_approval",
  "mcp_tool",
  "ask_user",
  "user_input",
  "elicitation",
]);

export async function insertItem(
  db: Db,
  item: { id: string; request: NewAttention; details: AttentionDetails; now: Date; remindAt: Date; expiresAt: Date },
): Promise<void> {
  const { request } = item;
  await db
    .insertInto("attention")
    .values({
      id: item.id,
      kind: request.kind,
      teammate_id: request.teammate.id,
      run_id: request.runId,
      conversation_id: request.conversationId,
      requester_person_id: request.requester?.id ?? null,
      codex_request_id: request.codexRequestId ?? null,
      connection_epoch: request.connectionEpoch ?? null,
      call_id: request.callId ?? null,
      method: request.method,
      details: JSON.stringify(item.details),
      risk: request.risk,
      wait_until: request.waitUntil ?? null,
      remind_at: item.remindAt,
      expires_at: item.expiresAt,
      created_at: item.now,
    })
    .execute();
}

function selectItems(db: Db) {
  return db
    .selectFrom("attention as a")
    .innerJoin("teammates as t", "t.id", "a.teammate_id")
    .leftJoin("people as requester", "requester.id", "a.requester_person_id")
    .leftJoin("people as decider", "decider.id", "a.decided_by")
    .leftJoin("runs as run", "run.id", "a.run_id")
    .selectAll("a")
    .select([
      "t.name as teammate_name",
      "t.picture as teammate_picture",
      "requester.display_name as requester_name",
      "requester.locale as requester_locale",
      "decider.display_name as decider_name",
      "run.status as run_status",
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectItems>["execute"]>>[number];

/** An item with what only this room needs to know about it. */
export interface StoredItem extends AttentionItem {
  readonly requesterLocale: string | null;
  /** How its teammate appears. */
  readonly speaker: Persona;
  /** Whether its run still goes on, so that somebody waits for the decision. */
  readonly runIsLive: boolean;
}

function itemOf(row: Row): StoredItem {
  return {
    id: row.id,
    kind: row.kind,
    method: methods.parse(row.method) satisfies AttentionMethod,
    teammateId: row.teammate_id,
    teammateName: row.teammate_name,
    runId: row.run_id,
    conversationId: row.conversation_id,
    requesterPersonId: row.requester_person_id,
    requesterName: row.requester_name,
    requesterLocale: row.requester_locale,
    speaker: personaOf({ name: row.teammate_name, picture: row.teammate_picture }),
    codexRequestId: row.codex_request_id,
    connectionEpoch: row.connection_epoch,
    callId: row.call_id,
    details: readDetails(row.details),
    answers: readAnswers(row.answers),
    risk: row.risk,
    status: row.status,
    late: row.late,
    waitUntil: row.wait_until,
    expiresAt: row.expires_at,
    decision: decisionOf(row),
    decidedAt: row.decided_at,
    settledAt: row.settled_at,
    createdAt: row.created_at,
    runIsLive: ["starting", "running", "waiting", "reconciling"].includes(row.run_status ?? ""),
  };
}

function decisionOf(row: Row): Decision | null {
  if (row.decision === null) return null;
  const { choice, note } = decisionSchema.parse(row.decision);
  const by = row.decided_by === null ? null : { id: row.decided_by, name: row.decider_name ?? "" };
  const asked = readDetails(row.details).kind === "question" ? { answers: readAnswers(row.answers).given } : {};
  return { choice, by, ...(note === undefined ? {} : { note }), ...asked };
}

export async function getItem(db: Db, id: string): Promise<StoredItem | null> {
  const row = await selectItems(db).where("a.id", "=", id).executeTakeFirst();
  return row === undefined ? null : itemOf(row);
}

/** Holds it until the transaction ends, so that two who answer go one after the other; read after whoever was first. */
export async function lockItem(db: Db, id: string): Promise<StoredItem | null> {
  await db.selectFrom("attention").select("id").where("id", "=", id).forUpdate().execute();
  return getItem(db, id);
}

export async function findByRequest(db: Db, runId: string, codexRequestId: string): Promise<StoredItem | null> {
  const row = await selectItems(db)
    .where("a.run_id", "=", runId)
    .where("a.codex_request_id", "=", codexRequestId)
    .orderBy("a.created_at", "desc")
    .executeTakeFirst();
  return row === undefined ? null : itemOf(row);
}

/** Open items that have not run out, everywhere or in one place, oldest first. */
export async function openItems(db: Db, now: Date, placeId?: string): Promise<StoredItem[]> {
  const query = selectItems(db)
    .where("a.status", "=", "open")
    .where("a.expires_at", ">", now)
    .$if(placeId !== undefined, (items) =>
      items.where("a.conversation_id", "in", (eb) =>
        eb
          .selectFrom("conversations")
          .select("id")
          .where("place_id", "=", placeId ?? ""),
      ),
    );
  return (await query.orderBy("a.created_at").orderBy("a.id").execute()).map(itemOf);
}

/** What a run leaves: open items and decisions nobody took. Locked, so that no press comes in between. */
export async function lockOfRun(db: Db, runId: string): Promise<StoredItem[]> {
  const locked = await db
    .selectFrom("attention")
    .select("id")
    .where("run_id", "=", runId)
    .where((where) => where.or([where("status", "=", "open"), where("settled_at", "is", null)]))
    .orderBy("id")
    .forUpdate()
    .execute();
  if (locked.length === 0) return [];
  // Read only now: what a press that we waited for has changed, and who pressed, belong together.
  return (await selectItems(db).where("a.id", "in", ids(locked)).orderBy("a.id").execute()).map(itemOf);
}

export interface Close {
  readonly status: Exclude<AttentionStatus, "open">;
  readonly choice: Choice;
  readonly note?: string | undefined;
  readonly by: string | null;
  readonly now: Date;
  /** True where nobody has to be told any more. */
  readonly settled: boolean;
}

/** Ends an open item; the one statement that decides between two who press at once. False: it was ended before. */
export async function close(db: Db, id: string, ending: Close): Promise<boolean> {
  const { choice, note } = ending;
  let query = db
    .updateTable("attention")
    .set({
      status: ending.status,
      decided_by: ending.by,
      decision: JSON.stringify({ choice, note }),
      decided_at: ending.now,
      settled_at: ending.settled ? ending.now : null,
      // Whatever ends without an answer leaves nothing that nobody may read; an answer keeps it until it is taken.
      ...(ending.choice === "answer" ? {} : { sealed: null }),
    })
    .where("id", "=", id)
    .where("status", "=", "open");
  if (ending.by !== null) query = query.where("expires_at", ">", ending.now);
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}

export async function settle(db: Db, id: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable("attention")
    .set({ settled_at: now, sealed: null })
    .where("id", "=", id)
    .where("status", "<>", "open")
    .where("settled_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function markLate(db: Db, id: string): Promise<boolean> {
  const result = await db
    .updateTable("attention")
    .set({ late: true })
    .where("id", "=", id)
    .where("status", "=", "open")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** True for the one caller that may remind: a card is reminded of once. */
export async function takeReminder(db: Db, id: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable("attention")
    .set({ remind_at: null })
    .where("id", "=", id)
    .where("status", "=", "open")
    .where("remind_at", "<=", now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

const sweepLimit = 200;

export async function dueReminders(db: Db, now: Date): Promise<string[]> {
  const query = db.selectFrom("attention").select("id").where("status", "=", "open").where("expires_at", ">", now);
  return ids(await query.where("remind_at", "<=", now).orderBy("remind_at").limit(sweepLimit).execute());
}

export async function dueExpiries(db: Db, now: Date): Promise<string[]> {
  const query = db.selectFrom("attention").select("id").where("status", "=", "open").where("expires_at", "<=", now);
  return ids(await query.orderBy("expires_at").limit(sweepLimit).execute());
}

export async function unsettledSince(db: Db, before: Date): Promise<string[]> {
  const query = db.selectFrom("attention").select("id").where("status", "<>", "open").where("settled_at", "is", null);
  return ids(await query.where("decided_at", "<=", before).orderBy("decided_at").limit(sweepLimit).execute());
}

const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

/** A word of the system in a conversation. Its id. */
export async function insertSystemMessage(
  db: Db,
  message: { conversationId: string; text: string; now: Date },
): Promise<string> {
  const conversation = await db
    .selectFrom("conversations")
    .select(["place_id", "thread"])
    .where("id", "=", message.conversationId)
    .executeTakeFirstOrThrow();
  const id = newId();
  await db
    .insertInto("messages")
    .values({
      id,
      conversation_id: message.conversationId,
      place_id: conversation.place_id,
      thread: conversation.thread,
      author: "system",
      author_name: "Shipmate",
      text: message.text,
      sent_at: message.now,
    })
    .execute();
  return id;
}
