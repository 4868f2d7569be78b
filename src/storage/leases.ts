import { type Kysely, sql } from "kysely";
import { hasEnded, type Log, readableName } from "../shared/index.ts";
import type { Database } from "./tables.ts";

export interface LeaseRequest {
  /** What is held, such as `poller:<connection id>` or `computer:<id>`. */
  readonly key: string;
  /** Who holds it: unique to this process. By the name of `nameThisProcess`, the lease of a process that was killed is free at once. */
  readonly holder: string;
  /** How long it lasts without renewal; it is renewed three times as often. */
  readonly ttlMs: number;
  /** Called once when the lease was lost (taken over, or not renewable before it ran out). Not called after `release`. */
  readonly onLost?: (() => void) | undefined;
}

export interface Lease extends AsyncDisposable {
  readonly status: "held";
  readonly key: string;
  /** Grows with every change of holder: a write that carries an older epoch comes from somebody who lost the lease. */
  readonly epoch: bigint;
  /** False from the moment the lease ran out or was taken, even when the database cannot be asked. */
  valid(): boolean;
  release(): Promise<void>;
}

export interface LeaseRefusal {
  readonly status: "taken";
  readonly heldBy: string;
  readonly until: Date;
}

export interface Leases {
  /** Takes the lease if it is free, expired or already ours. Never waits. */
  acquire(request: LeaseRequest): Promise<Lease | LeaseRefusal>;
}

interface Deps {
  readonly db: Kysely<Database>;
  readonly log: Log;
}

/** Leases in the database: one holder at a time, by the database's clock, so that machines need not agree on theirs. */
export function createLeases(deps: Deps): Leases {
  return { acquire: (request) => acquire(deps, request) };
}

async function acquire(deps: Deps, request: LeaseRequest): Promise<Lease | LeaseRefusal> {
  for (;;) {
    // Measured from before the question, so that we never believe in it longer than the database does.
    const askedAt = performance.now();
    const epoch = await take(deps.db, request);
    if (epoch !== undefined) return keep(deps, request, epoch, askedAt);
    const holder = await deps.db
      .selectFrom("leases")
      .select(["holder", "expires_at"])
      .where("key", "=", request.key)
      .executeTakeFirst();
    if (holder !== undefined && hasEnded(holder.holder)) {
      deps.log.info(
        { lease: request.key, holder: readableName(holder.holder) },
        "took the lease of a process that is gone",
      );
      await expire(deps.db, request.key, holder.holder);
      continue;
    }
    if (holder !== undefined) return { status: "taken", heldBy: holder.holder, until: holder.expires_at };
    // Released between the two statements: try again.
  }
}

async function take(db: Kysely<Database>, { key, holder, ttlMs }: LeaseRequest): Promise<bigint | undefined> {
  const { rows } = await sql<{ epoch: string }>`
    insert into leases as held (key, holder, epoch, expires_at)
    values (${key}, ${holder}, 1, clock_timestamp() + ${ttlMs} * interval '1 millisecond')
    on conflict (key) do update set
      holder = excluded.holder,
      epoch = held.epoch + 1,
      expires_at = excluded.expires_at
    where held.expires_at <= clock_timestamp() or held.holder = excluded.holder
    returning epoch`.execute(db);
  const row = rows[0];
  return row === undefined ? undefined : BigInt(row.epoch);
}

/** Expired rather than deleted: the epoch must go on growing. */
async function expire(db: Kysely<Database>, key: string, holder: string): Promise<void> {
  await db
    .updateTable("leases")
    .set({ expires_at: sql<Date>`clock_timestamp()` })
    .where("key", "=", key)
    .where("holder", "=", holder)
    .execute();
}

function keep({ db, log }: Deps, request: LeaseRequest, epoch: bigint, askedAt: number): Lease {
  const { key, holder, ttlMs, onLost } = request;
  let validUntil = askedAt + ttlMs;
  let state: "held" | "lost" | "released" = "held";
  const ours = () => state === "held" && performance.now() < validUntil;

  const lose = (reason: string) => {
    if (state !== "held") return;
    state = "lost";
    clearInterval(timer);
    log.warn({ lease: key, reason }, "lost a lease");
    onLost?.();
  };
  const renew = async () => {
    const renewedAt = performance.now();
    try {
      const { numUpdatedRows } = await db
        .updateTable("leases")
        .set({ expires_at: sql<Date>`clock_timestamp() + ${ttlMs} * interval '1 millisecond'` })
        .where("key", "=", key)
        .where("holder", "=", holder)
        .where("epoch", "=", epoch.toString())
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) lose("taken over");
      else validUntil = renewedAt + ttlMs;
    } catch (error) {
      log.warn({ err: error, lease: key }, "could not renew a lease");
    }
  };
  const tick = () => {
    if (!ours()) lose("ran out");
    else void renew();
  };
  const timer = setInterval(tick, Math.max(10, ttlMs / 3));
  timer.unref();

  const release = async () => {
    clearInterval(timer);
    if (state !== "held") return;
    state = "released";
    // Expired rather than deleted: the epoch must go on growing.
    await db
      .updateTable("leases")
      .set({ expires_at: sql<Date>`clock_timestamp()` })
      .where("key", "=", key)
      .where("epoch", "=", epoch.toString())
      .execute();
  };
  return { status: "held", key, epoch, valid: ours, release, [Symbol.asyncDispose]: release };
}
