import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import type { Account, Accounts, KeySource, Payer } from "./accounts.ts";
import { noWindows, type PlanWindows, readWindows } from "./windows.ts";

/** Both accounts as the worker last knew them. */
export async function readAccounts(db: Db): Promise<Accounts> {
  return accountsIn(await db.selectFrom("accounts").selectAll().execute());
}

interface AccountRow extends Pick<Account, "kind" | "label" | "secret" | "source" | "state" | "covered" | "preferred"> {
  readonly state_at: Date;
  readonly limit_resets_at: Date | null;
}

/** Rows of an outer join may be of no account. */
export function accountsIn(rows: readonly { readonly [Key in keyof AccountRow]: AccountRow[Key] | null }[]): Accounts {
  const found = rows.filter(isAccount).map(
    (row): Account => ({
      kind: row.kind,
      label: row.label,
      secret: row.secret,
      source: row.source,
      state: row.state,
      stateAt: row.state_at,
      limitResetsAt: row.limit_resets_at,
      covered: row.covered,
      preferred: row.preferred,
    }),
  );
  return { plan: found.find(({ kind }) => kind === "plan"), key: found.find(({ kind }) => kind === "api_key") };
}

function isAccount(row: { readonly [Key in keyof AccountRow]: AccountRow[Key] | null }): row is AccountRow {
  return row.kind !== null;
}

/** How much of the plan is used up, as Codex last reported it. */
export async function planWindows(db: Db): Promise<PlanWindows> {
  return windowsOf(db, "plan");
}

export async function windowsOf(db: Db, kind: Payer): Promise<PlanWindows> {
  const row = await db.selectFrom("accounts").select("rate_limits").where("kind", "=", kind).executeTakeFirst();
  return row === undefined ? noWindows : readWindows(row.rate_limits);
}

export async function saveWindows(db: Db, kind: Payer, windows: PlanWindows): Promise<void> {
  await db
    .updateTable("accounts")
    .set({ rate_limits: JSON.stringify(windows) })
    .where("kind", "=", kind)
    .execute();
}

/** Whether Codex is signed in. What else is known of the plan (that it is used up, say) stays while it is. */
export async function saveSignedIn(db: Db, signedIn: boolean, label: string | null, now: Date): Promise<void> {
  const state = signedIn ? "ready" : "signed_out";
  await sql`
    insert into accounts (kind, label, state, state_at) values ('plan', ${label}, ${state}, ${now})
    on conflict (kind) do update set label = excluded.label,
      state = case when ${signedIn} and accounts.state <> 'signed_out' then accounts.state else ${state} end,
      state_at = case when ${signedIn} = (accounts.state <> 'signed_out') then accounts.state_at else ${now} end,
      preferred = accounts.preferred and ${signedIn},
      covered = accounts.covered and ${signedIn},
      limit_resets_at = case when ${signedIn} then accounts.limit_resets_at end,
      rate_limits = case when ${signedIn} then accounts.rate_limits end`.execute(db);
}

/** Which key the settings of this process give. A key that was set in the chat since goes before that of the environment. */
export async function saveKeySource(db: Db, given: KeySource | null, now: Date): Promise<void> {
  const state = given === null ? "signed_out" : "ready";
  const source = sql`case when accounts.secret is not null and ${given}::text is distinct from 'endpoint' then 'form' else ${given}::text end`;
  await sql`
    insert into accounts (kind, source, label, state, state_at) values ('api_key', ${given}, ${given}, ${state}, ${now})
    on conflict (kind) do update set label = ${given}, source = ${source},
      -- a limit stays one; whatever else was wrong may have been mended before this start
      state = case when ${source} is null then 'signed_out'
        when accounts.state = 'limited' and ${source} is not distinct from accounts.source then 'limited' else 'ready' end,
      preferred = accounts.preferred and ${source} is not null`.execute(db);
}

/** Keeps a sealed key in the place of any before. */
export async function saveSecret(db: Db, secret: Buffer, now: Date): Promise<void> {
  await sql`
    insert into accounts (kind, secret, source, state, state_at) values ('api_key', ${secret}, 'form', 'ready', ${now})
    on conflict (kind) do update set secret = excluded.secret, source = 'form', state = 'ready', state_at = ${now},
      limit_resets_at = null, covered = false, state_detail = null`.execute(db);
}

/** Forgets the key that was set in a chat; false when there was none. One of the environment, which the label names, takes its place. */
export async function forgetSecret(db: Db, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts set secret = null, source = label, state_at = ${now},
      state = case when label is null then 'signed_out' else 'ready' end, preferred = preferred and label is not null,
      limit_resets_at = null, covered = false, state_detail = null
    where kind = 'api_key' and secret is not null`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Notes what a run learned of who pays. True for the run that learned it first: the owner is told once. */
export async function markUnusable(
  db: Db,
  kind: Payer,
  seen: {
    readonly state: "limited" | "invalid";
    readonly resetsAt: Date | null;
    readonly runId: string;
    readonly now: Date;
    /** What was noted before this counts as over: not blocked any more by then. */
    readonly blockedSince: Date;
  },
): Promise<boolean> {
  const { state, resetsAt, runId, now, blockedSince } = seen;
  const { rows } = await sql<{ first: boolean }>`
    with before as (
      select state = ${state} and (state_detail is distinct from ${runId})
        and case when limit_resets_at is null then covered or state_at > ${blockedSince} else limit_resets_at > ${now} end
        as known from accounts where kind = ${kind} for update)
    update accounts a set state = ${state}, limit_resets_at = coalesce(${resetsAt}::timestamptz,
        case when before.known then a.limit_resets_at end),
      state_at = case when before.known then a.state_at else ${now} end,
      state_detail = case when before.known then a.state_detail else ${runId} end,
      covered = a.covered and before.known
    from before where a.kind = ${kind} and a.state <> 'signed_out'
    returning not before.known as first`.execute(db);
  return rows[0]?.first ?? false;
}

/** It works again: it paid for a run that completed, or somebody signed in anew. */
export async function markUsable(db: Db, kind: Payer, now: Date): Promise<void> {
  await db
    .updateTable("accounts")
    .set({ state: "ready", state_at: now, state_detail: null, limit_resets_at: null, covered: false })
    .where("kind", "=", kind)
    .where("state", "in", ["limited", "invalid"])
    .execute();
}

/** From now on the other one pays while this one cannot; false when it can, or the other one pays already. */
export async function cover(db: Db, kind: Payer): Promise<boolean> {
  const result = await db
    .updateTable("accounts")
    .set({ covered: true })
    .where("kind", "=", kind)
    .where("state", "in", ["limited", "invalid"])
    .where("covered", "=", false)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Who is to pay from now on; null leaves it to us. */
export async function prefer(db: Db, kind: Payer | null): Promise<void> {
  await sql`update accounts set preferred = kind is not distinct from ${kind}::text`.execute(db);
}
