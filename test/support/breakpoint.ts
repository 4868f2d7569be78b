import pg from "pg";
import { expect } from "vitest";

/** A write that the database holds in the middle, so that a test can kill the writer exactly there. */
export interface Breakpoint extends AsyncDisposable {
  /** Resolves when somebody stands at it. */
  reached(timeoutMs?: number): Promise<void>;
  /** Ends the sessions that stand at it: what they were writing is rolled back, as when the machine lost power. */
  rollBack(): Promise<void>;
  /** Lets the held statement finish: committed, even though its writer may be dead. */
  release(): Promise<void>;
}

export interface BreakpointSpec {
  readonly table: string;
  readonly on: "insert" | "update" | "delete";
  /** SQL over `new` and `old`; every row when absent. */
  readonly when?: string;
  /** Where the writer is held: at the row, with more of its transaction to come (default), or when it commits all of it. */
  readonly at?: "row" | "commit";
}

let lastKey = 7_000;

/** Sets a breakpoint with a row trigger that waits for an advisory lock which this connection holds. */
export async function setBreakpoint(databaseUrl: string, spec: BreakpointSpec): Promise<Breakpoint> {
  lastKey += 1;
  const key = lastKey;
  const name = `breakpoint_${key}`;
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that failed drops the database under it.
  client.on("error", () => {});
  await client.connect();
  await client.query("select pg_advisory_lock($1)", [key]);
  await client.query(
    `create function ${name}() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${key}); return null; end $$`,
  );
  const [kind, timing] =
    spec.at === "commit" ? ["constraint trigger", "deferrable initially deferred"] : ["trigger", ""];
  await client.query(
    `create ${kind} ${name} after ${spec.on} on ${spec.table} ${timing} for each row ${spec.when ? `when (${spec.when})` : ""} execute function ${name}()`,
  );
  const waiting = async () =>
    (
      await client.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted
          and database = (select oid from pg_database where datname = current_database())`,
        [key],
      )
    ).rows.map((row) => row.pid);
  let removed = false;
  async function remove(): Promise<void> {
    if (removed) return;
    removed = true;
    await client.query("select pg_advisory_unlock($1)", [key]);
    await client.query(`drop function ${name}() cascade`);
    await client.end();
  }
  return {
    async reached(timeoutMs = 30_000) {
      await expect.poll(async () => (await waiting()).length, { timeout: timeoutMs, interval: 10 }).toBeGreaterThan(0);
    },
    async rollBack() {
      await client.query("select pg_terminate_backend(pid) from unnest($1::int[]) as pid", [await waiting()]);
      await expect.poll(async () => (await waiting()).length, { timeout: 10_000, interval: 10 }).toBe(0);
      await remove();
    },
    release: remove,
    [Symbol.asyncDispose]: remove,
  };
}
