import { sql } from "kysely";
import type { Db, Role } from "../storage/index.ts";

export interface StoredToken {
  readonly hash: string;
  readonly groupId: string;
  readonly action: string;
  readonly payload: unknown;
  readonly attentionId: string | null;
  readonly personId: string | null;
  readonly personName: string | null;
  readonly minRole: Role | null;
  readonly expiresAt: Date | null;
  readonly usedAt: Date | null;
  readonly usedById: string | null;
  readonly usedByName: string | null;
}

export interface NewToken {
  readonly hash: string;
  readonly groupId: string;
  readonly action: string;
  readonly payload: object;
  readonly attentionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly personId?: string | undefined;
  readonly minRole?: Role | undefined;
  readonly expiresAt?: Date | undefined;
}

export async function insertTokens(db: Db, tokens: readonly NewToken[]): Promise<void> {
  if (tokens.length === 0) return;
  await db
    .insertInto("action_tokens")
    .values(
      tokens.map((token) => ({
        token_hash: token.hash,
        group_id: token.groupId,
        action: token.action,
        payload: JSON.stringify(token.payload),
        attention_id: token.attentionId ?? null,
        run_id: token.runId ?? null,
        person_id: token.personId ?? null,
        min_role: token.minRole ?? null,
        expires_at: token.expiresAt ?? null,
      })),
    )
    .execute();
}

export async function findToken(db: Db, hash: string): Promise<StoredToken | null> {
  const row = await db
    .selectFrom("action_tokens as k")
    .leftJoin("people as p", "p.id", "k.person_id")
    .leftJoin("people as u", "u.id", "k.used_by")
    .selectAll("k")
    .select(["k.used_by", "p.display_name as person_name", "u.display_name as used_by_name"])
    .where("k.token_hash", "=", hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    hash,
    groupId: row.group_id,
    action: row.action,
    payload: row.payload,
    attentionId: row.attention_id,
    personId: row.person_id,
    personName: row.person_name,
    minRole: row.min_role,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    usedById: row.used_by,
    usedByName: row.used_by_name,
  };
}

/** Uses up a whole group. False when somebody used it before. Locks in one order, so that two presses wait instead of failing. */
export async function useGroup(db: Db, groupId: string, personId: string, now: Date): Promise<boolean> {
  const group = sql`(select token_hash from action_tokens where group_id = ${groupId} order by token_hash for update)`;
  const { numAffectedRows } = await sql`
    update action_tokens set used_at = ${now}, used_by = ${personId}
    where token_hash in ${group} and used_at is null`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Deletes the tokens from before then that nobody can use any more: used, run out, or of a run that ended. At most `limit`; how many it were. */
export async function forgetTokens(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from action_tokens where token_hash in (
      select k.token_hash from action_tokens k left join runs r on r.id = k.run_id
      where k.created_at < ${before} and (k.used_at < ${before} or k.expires_at < ${before} or r.completed_at < ${before})
        and not exists (select 1 from attention a where a.id = k.attention_id and a.status = 'open')
      limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
