import type { Kysely, Transaction } from "kysely";
import type { Log } from "../shared/index.ts";
import type { Database } from "./tables.ts";

export type Db = Kysely<Database>;

/** One transaction, and what must happen once it is committed: waking a queue, say. */
export interface Unit {
  readonly db: Transaction<Database>;
  /** Runs after the commit, in order; never after a rollback. Effects are hints: a sweeper repairs what a crash loses. */
  afterCommit(effect: () => Promise<void> | void): void;
}

/** Runs `work` in one transaction, then its after-commit effects. A failing effect is logged: the data is safe by then. */
export async function inTransaction<T>(db: Db, log: Log, work: (unit: Unit) => Promise<T>): Promise<T> {
  const effects: (() => Promise<void> | void)[] = [];
  const result = await db
    .transaction()
    .execute((tx) => work({ db: tx, afterCommit: (effect) => effects.push(effect) }));
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      log.warn({ err: error }, "a wake-up after a commit failed; the sweeper repeats it");
    }
  }
  return result;
}
