import type { Kysely } from "kysely";
import type { Log } from "../shared/index.ts";
import type { Database } from "./tables.ts";

export interface LeaseRequest {
  /** What is held, such as `poller:<connection id>` or `computer:<id>`. */
  readonly key: string;
  /** Who holds it: unique to this process. */
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
  readonly valid: () => boolean;
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

export function createLeases(_deps: { readonly db: Kysely<Database>; readonly log: Log }): Leases {
  throw new Error("not built yet");
}
