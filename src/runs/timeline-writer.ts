import type { Log } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { TimelineEvent } from "./timeline.ts";

export interface TimelineWriterDeps {
  readonly db: Db;
  readonly runId: string;
  readonly log: Log;
  /** How long deltas may wait for each other before they are stored; 120 ms when absent. */
  readonly windowMs?: number | undefined;
}

export interface TimelineWriter {
  /** Takes an event; it is stored within the window, in the order of the calls. */
  record(event: TimelineEvent): void;
  /** Resolves when everything recorded so far is stored; rejects when the database refused it (it stays recorded). */
  flush(): Promise<void>;
  /** Stores the rest and stops; later events are ignored. */
  close(): Promise<void>;
}

export function createTimelineWriter(_deps: TimelineWriterDeps): TimelineWriter {
  throw new Error("not built yet");
}
