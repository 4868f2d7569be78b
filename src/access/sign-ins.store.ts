import { sql } from "kysely";
import { newId } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";

/** Signing Codex in or out for somebody, as it stands. */
export interface SignIn {
  readonly id: string;
  readonly task: "in" | "out";
  readonly status: "asked" | "waiting" | "done" | "failed" | "cancelled";
  readonly personId: string;
  /** Where it is shown, as whoever asked for it noted it down. */
  readonly card: unknown;
  readonly postId: string | null;
  readonly loginId: string | null;
  readonly verificationUrl: string | null;
  readonly userCode: string | null;
  /** Why it failed. */
  readonly detail: string | null;
  readonly createdAt: Date;
}

const open = ["asked", "waiting"] as const;

/** Notes that somebody wants Codex signed in or out; undefined while another one is under way. */
export async function askSignIn(
  db: Db,
  asked: { readonly task: SignIn["task"]; readonly personId: string; readonly card: object; readonly now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into sign_ins (id, task, status, person_id, card, created_at)
    values (${newId()}, ${asked.task}, 'asked', ${asked.personId}, ${JSON.stringify(asked.card)}, ${asked.now})
    on conflict ((true)) where status in ('asked', 'waiting') do nothing returning id`.execute(db);
  return rows[0]?.id;
}

export async function setSignInPost(db: Db, id: string, postId: string): Promise<void> {
  await db.updateTable("sign_ins").set({ post_id: postId }).where("id", "=", id).execute();
}

export async function findSignIn(
  db: Db,
  by: { readonly id: string } | { readonly loginId: string },
): Promise<SignIn | undefined> {
  const row = await db
    .selectFrom("sign_ins")
    .selectAll()
    .where((e) => ("id" in by ? e("id", "=", by.id) : e("login_id", "=", by.loginId)))
    .executeTakeFirst();
  return row === undefined ? undefined : toSignIn(row);
}

/** Those that are not over. */
export async function openSignIns(db: Db): Promise<SignIn[]> {
  const rows = await db.selectFrom("sign_ins").selectAll().where("status", "in", open).execute();
  return rows.map(toSignIn);
}

/** Codex gave a code; undefined when it was cancelled meanwhile. */
export async function startSignIn(
  db: Db,
  id: string,
  login: { readonly loginId: string; readonly verificationUrl: string; readonly userCode: string },
): Promise<SignIn | undefined> {
  const row = await db
    .updateTable("sign_ins")
    .set({
      status: "waiting",
      login_id: login.loginId,
      verification_url: login.verificationUrl,
      user_code: login.userCode,
    })
    .where("id", "=", id)
    .where("status", "=", "asked")
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : toSignIn(row);
}

/** Ends one that is not over yet; undefined when it is. Its code is forgotten. */
export async function endSignIn(
  db: Db,
  id: string,
  end: { readonly status: "done" | "failed" | "cancelled"; readonly detail?: string | undefined; readonly now: Date },
): Promise<SignIn | undefined> {
  const row = await db
    .updateTable("sign_ins")
    .set({ status: end.status, detail: end.detail ?? null, user_code: null, verification_url: null, ended_at: end.now })
    .where("id", "=", id)
    .where("status", "in", open)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : toSignIn(row);
}

interface Row {
  readonly id: string;
  readonly task: SignIn["task"];
  readonly status: SignIn["status"];
  readonly person_id: string;
  readonly card: unknown;
  readonly post_id: string | null;
  readonly login_id: string | null;
  readonly verification_url: string | null;
  readonly user_code: string | null;
  readonly detail: string | null;
  readonly created_at: Date;
}

function toSignIn(row: Row): SignIn {
  return {
    id: row.id,
    task: row.task,
    status: row.status,
    personId: row.person_id,
    card: row.card,
    postId: row.post_id,
    loginId: row.login_id,
    verificationUrl: row.verification_url,
    userCode: row.user_code,
    detail: row.detail,
    createdAt: row.created_at,
  };
}
