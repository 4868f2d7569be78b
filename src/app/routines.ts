import type { Mailbox } from "../mailbox/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { People } from "../people/index.ts";
import { createRoutines, type Routines } from "../routines/index.ts";
import type { RunControl } from "../runs/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Queues } from "../storage/index.ts";

export interface RoutineParts {
  readonly queues: Pick<Queues, "add">;
  readonly mailbox: Pick<Mailbox, "deliver" | "cancelLane">;
  readonly runs: Pick<RunControl, "stopLane">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly people: Pick<People, "get" | "dmOf">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Gives the routines room what lies above it. */
export function wireRoutines({ queues, mailbox, runs, clock, log }: RoutineParts): Routines {
  return createRoutines({
    clock,
    log,
    queues,
    deliver: mailbox.deliver,
    cancelLane: mailbox.cancelLane,
    stopLane: runs.stopLane,
    tellAuthor: async () => {},
  });
}
