import type { Adapters, ConnectionState } from "../chat/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Db, Queues } from "../storage/index.ts";
import type { Destination, Outbox } from "./types.ts";

/** Where the owner is told what could not be posted. */
export interface OwnerDirectory {
  owners(db: Db): Promise<readonly { readonly id: string; readonly locale: string | null }[]>;
  dmOf(db: Db, personId: string, connectionId?: string): Promise<Destination | null>;
}

export interface OutboxDeps {
  readonly db: Db;
  readonly adapters: Adapters;
  readonly queues: Queues;
  readonly people: OwnerDirectory;
  readonly setConnectionState: (db: Db, connectionId: string, state: ConnectionState, detail?: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** Between 0 and 1; spreads retries. */
  readonly random?: (() => number) | undefined;
}

export function createOutbox(_deps: OutboxDeps): Outbox {
  throw new Error("not built yet");
}
