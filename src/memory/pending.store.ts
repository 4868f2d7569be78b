import { sql } from "kysely";
import { newId } from "../shared/index.ts";
import type { Db, Role } from "../storage/index.ts";
import type { Change } from "./change.ts";
import { scopeColumns, toScope } from "./memories.store.ts";

/** Whose turn wants something, as of now: a requester may become one with another account of theirs meanwhile. */
export interface TurnCaller {
  readonly teammateId: string;
  readonly placeId: string;
  readonly isPrivate: boolean;
  readonly requester: { readonly id: string; readonly role: Role } | null;
  /** The teammate's. */
  readonly epoch: number;
}

/** Undefined once the run is over. With `hold` it does not end before the transaction does. */
export async function findCaller(
  db: Db,
  runId: string,
  how: { readonly hold: boolean },
): Promise<TurnCaller | undefined> {
  const row = await db
    .selectFrom("runs as r")
    .innerJoin("conversations as c", "c.id", "r.conversation_id")
    .innerJoin("places as p", "p.id", "c.place_id")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .leftJoin("people as by", "by.id", "r.requester_person_id")
    .select(["r.teammate_id as teammateId", "p.id as placeId", "p.kind", "by.id as personId", "by.role"])
    .select(["t.memory_epoch as epoch", "c.routine_id as routineId"])
    // Others read what a routine made in private reports elsewhere.
    .select(
      sql<boolean>`exists (select 1 from routine_destinations d join places dp on dp.id = d.place_id
        where d.routine_id = c.routine_id and dp.kind <> 'dm')`.as("isReported"),
    )
    .where("r.id", "=", runId)
    .where("r.completed_at", "is", null)
    .$if(how.hold, (query) => query.forShare("r"))
    .executeTakeFirst();
  if (!row) return undefined;
  const { teammateId, placeId, kind, isReported, personId, epoch, routineId } = row;
  // Nobody looks on while a routine runs, and what it reads may come from anywhere: it says nothing for the whole team.
  const role = routineId === null || row.role === null || row.role === "guest" ? row.role : "member";
  const requester = personId === null || role === null ? null : { id: personId, role };
  return { teammateId, placeId, isPrivate: kind === "dm" && !isReported, requester, epoch };
}

/** Also once it is over. */
export async function requesterOf(db: Db, runId: string): Promise<string | null> {
  const run = await db.selectFrom("runs").select("requester_person_id").where("id", "=", runId).executeTakeFirst();
  return run?.requester_person_id ?? null;
}

export interface Pending {
  readonly callId: string;
  readonly teammateId: string;
  /** The teammate's epoch when it was wanted. */
  readonly epoch: number;
  readonly change: Change;
}

/** A new memory gets the id of the row that wants it, so that the turn can name it before it counts. */
export async function insertPending(
  db: Db,
  { runId, callId, teammateId, epoch, change, at }: Pending & { readonly runId: string; readonly at: Date },
): Promise<void> {
  const id = change.kind === "add" ? change.id : newId();
  const told =
    change.kind === "forget" ? {} : { text: change.text, pinned: change.pinned, ...scopeColumns(change.scope) };
  const about = change.kind === "add" ? {} : { memory_id: change.id, expected_revision: change.revision };
  const op = change.kind === "forget" ? ("forget" as const) : ("remember" as const);
  await db
    .insertInto("memory_pending")
    .values({
      id,
      run_id: runId,
      call_id: callId,
      teammate_id: teammateId,
      op,
      epoch,
      created_at: at,
      ...told,
      ...about,
    })
    .execute();
}

const columns = [
  "id",
  "call_id",
  "teammate_id",
  "op",
  "memory_id",
  "expected_revision",
  "text",
  "pinned",
  "place_id",
  "person_id",
  "epoch",
] as const;

/** What a turn wanted so far, in that order. */
export async function pendingOf(db: Db, runId: string): Promise<readonly Pending[]> {
  const rows = await db
    .selectFrom("memory_pending")
    .select(columns)
    .where("run_id", "=", runId)
    .orderBy("id")
    .execute();
  return rows.map(toPending);
}

export async function takePending(db: Db, runId: string): Promise<readonly Pending[]> {
  const rows = await db.deleteFrom("memory_pending").where("run_id", "=", runId).returning(columns).execute();
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(toPending);
}

interface PendingRow {
  readonly id: string;
  readonly call_id: string;
  readonly teammate_id: string;
  readonly op: "remember" | "forget";
  readonly memory_id: string | null;
  readonly expected_revision: number | null;
  readonly text: string | null;
  readonly pinned: boolean | null;
  readonly place_id: string | null;
  readonly person_id: string | null;
  readonly epoch: number;
}

function toPending(row: PendingRow): Pending {
  return { callId: row.call_id, teammateId: row.teammate_id, epoch: row.epoch, change: toChange(row) };
}

function toChange(row: PendingRow): Change {
  const revision = row.expected_revision ?? 0;
  if (row.op === "forget") return { kind: "forget", id: row.memory_id ?? row.id, revision };
  const told = { scope: toScope(row), text: row.text ?? "", pinned: row.pinned ?? false };
  return row.memory_id === null
    ? { kind: "add", id: row.id, ...told }
    : { kind: "correct", id: row.memory_id, revision, ...told };
}
