import type { Db } from "../storage/index.ts";
import { accountsIn } from "./accounts.store.ts";
import type { Accounts } from "./accounts.ts";
import { type Backups, backupsIn } from "./backups.store.ts";

/** What decides who pays for a teammate's turn and which model answers. */
export interface Known {
  readonly accounts: Accounts;
  readonly backups: Backups;
}

/** Both in one statement: it stands between a message and its turn. */
export async function readKnown(db: Db, teammateId: string): Promise<Known> {
  const rows = await db
    .selectFrom("teammates as t")
    .leftJoin("accounts as a", (join) => join.onTrue())
    .select(["t.backup_models", "t.model_left"])
    .select(["a.kind", "a.label", "a.secret", "a.source", "a.state", "a.state_at", "a.limit_resets_at"])
    .select(["a.covered", "a.preferred"])
    .where("t.id", "=", teammateId)
    .execute();
  return { accounts: accountsIn(rows), backups: backupsIn(rows[0]) };
}
