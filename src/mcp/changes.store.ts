import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import { type McpOutcome, type McpProposal, outcomeSchema, proposalSchema } from "./server.ts";

export type ChangeKind = "add" | "change" | "remove" | "key" | "test" | "sign_in" | "signed_in";

export interface ChangeRow {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly serverId: string | null;
  readonly baseRevision: number | null;
  readonly proposal: McpProposal | null;
  readonly secrets: Buffer | null;
  readonly personId: string | null;
  readonly teammateId: string | null;
  /** Read by whoever answers on it. */
  readonly told: unknown;
  readonly status: "proposed" | "waiting" | "done";
  readonly outcome: McpOutcome | null;
  readonly attentionId: string | null;
  readonly tries: number;
  readonly createdAt: Date;
}

export interface NewChange {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly status: "proposed" | "waiting";
  readonly serverId?: string | undefined;
  readonly baseRevision?: number | undefined;
  readonly proposal?: McpProposal | undefined;
  readonly secrets?: Buffer | undefined;
  readonly personId: string | null;
  readonly teammateId?: string | undefined;
  readonly told?: object | undefined;
  /** Of a tool call; `requestHash` is the same for calls that ask for the same. */
  readonly call?: { readonly key: string; readonly requestHash: string } | undefined;
  readonly at: Date;
}

/** False where there is one with this key. */
export async function insertChange(db: Db, change: NewChange): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("mcp_changes")
    .values({
      id: change.id,
      kind: change.kind,
      status: change.status,
      server_id: change.serverId ?? null,
      base_revision: change.baseRevision ?? null,
      proposal: change.proposal === undefined ? null : JSON.stringify(change.proposal),
      secrets: change.secrets ?? null,
      person_id: change.personId,
      teammate_id: change.teammateId ?? null,
      told: change.told === undefined ? null : JSON.stringify(change.told),
      call_key: change.call?.key ?? null,
      request_hash: change.call?.requestHash ?? null,
      created_at: change.at,
    })
    .onConflict((conflict) => conflict.column("call_key").doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

function changes(db: Db) {
  return db.selectFrom("mcp_changes").selectAll();
}

type Selected = Awaited<ReturnType<ReturnType<typeof changes>["execute"]>>[number];

function toChange(row: Selected): ChangeRow {
  return {
    id: row.id,
    kind: row.kind,
    serverId: row.server_id,
    baseRevision: row.base_revision,
    proposal: row.proposal === null ? null : proposalSchema.parse(row.proposal),
    secrets: row.secrets,
    personId: row.person_id,
    teammateId: row.teammate_id,
    told: row.told,
    status: row.status,
    outcome: row.outcome === null ? null : outcomeSchema.parse(row.outcome),
    attentionId: row.attention_id,
    tries: row.tries,
    createdAt: row.created_at,
  };
}

export async function getChange(
  db: Db,
  by: { readonly id: string } | { readonly callKey: string },
): Promise<ChangeRow | undefined> {
  const row = await changes(db)
    .where("id" in by ? "id" : "call_key", "=", "id" in by ? by.id : by.callKey)
    .executeTakeFirst();
  return row && toChange(row);
}

/** A request that nobody has decided, made again by another call: it is that call's from now on. */
export async function adoptProposed(
  db: Db,
  { key, requestHash }: { readonly key: string; readonly requestHash: string },
): Promise<ChangeRow | undefined> {
  const row = await db
    .updateTable("mcp_changes")
    .set({ call_key: key })
    .where("status", "=", "proposed")
    .where("request_hash", "=", requestHash)
    .where("attention_id", "is not", null)
    .returningAll()
    .executeTakeFirst();
  return row && toChange(row);
}

/** What a server waits for, the newest first. */
export async function waitingFor(db: Db, serverId: string): Promise<ChangeRow | undefined> {
  const row = await changes(db)
    .where("server_id", "=", serverId)
    .where("status", "=", "waiting")
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row && toChange(row);
}

/** Takes a change to try it; nobody else gets it before `again`. Undefined where somebody has it, or it is over. */
export async function takeChange(db: Db, id: string, at: Date, again: Date): Promise<ChangeRow | undefined> {
  const row = await db
    .updateTable("mcp_changes")
    .set((set) => ({ tried_at: at, tries: set("tries", "+", 1) }))
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .where((where) => where.or([where("tried_at", "is", null), where("tried_at", "<", again)]))
    .returningAll()
    .executeTakeFirst();
  return row && toChange(row);
}

/** Gives a change back before its time. */
export async function releaseChange(db: Db, id: string): Promise<void> {
  await db
    .updateTable("mcp_changes")
    .set({ tried_at: null })
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .execute();
}

/** Ends a change; false where it was over already. What was secret in it goes. */
export async function endChange(db: Db, id: string, outcome: McpOutcome, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mcp_changes")
    .set({ status: "done", outcome: JSON.stringify(outcome), secrets: null, ended_at: at })
    .where("id", "=", id)
    .where("status", "!=", "done")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function bindCard(db: Db, id: string, attentionId: string): Promise<void> {
  await db.updateTable("mcp_changes").set({ attention_id: attentionId }).where("id", "=", id).execute();
}

/** Somebody said yes: from now on it waits for its test. False the second time. */
export async function approveChange(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mcp_changes")
    .set({ status: "waiting" })
    .where("id", "=", id)
    .where("status", "=", "proposed")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What waits longer than it should, because a wake-up was lost or its process died. */
export async function overdue(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("mcp_changes")
    .select("id")
    .where("status", "=", "waiting")
    .where("created_at", "<", before)
    .where((where) => where.or([where("tried_at", "is", null), where("tried_at", "<", before)]))
    .orderBy("created_at")
    .limit(50)
    .execute();
  return rows.map((row) => row.id);
}

/** Deletes what ended, or was never decided, before then. */
export async function forgetChanges(db: Db, before: Date): Promise<void> {
  await sql`delete from mcp_changes where ended_at < ${before} or (status = 'proposed' and created_at < ${before})`.execute(
    db,
  );
}
