import { createRecent, type InboundEvent, persist, type RetryTiming, type Sink } from "../../src/chat/index.ts";
import { describe } from "./errors.ts";
import { createLanes } from "./lanes.ts";

export interface IntakeDeps extends RetryTiming {
  readonly sink: Sink;
  readonly stopping: AbortSignal;
  readonly warn: (message: string, detail: string) => void;
  /** How long an event waits for an earlier one on the other socket, in milliseconds. */
  readonly settleMs: number;
}

/** Far more than Slack repeats in its five minutes of retries; forgetting one costs a needless call of the sink. */
const remembered = 5_000;

/** Hands events to the sink, in order per place, each until it is stored. */
export function createIntake({ sink, stopping, warn, settleMs, ...timing }: IntakeDeps) {
  const lanes = createLanes(settleMs);
  const stored = createRecent<true>(remembered);

  return {
    lanes,
    /** Resolves once the event is stored; rejects when stopped before. To be called within the lane of its place. */
    store: async (event: InboundEvent): Promise<void> => {
      // A mention comes twice, redelivered and caught-up messages too: one event, whichever is first.
      if (stored.has(event.key)) return;
      if (stopping.aborted) throw new NotStored(event.key);
      const onFailure = (error: unknown) => warn(`event ${event.key} could not be stored`, describe(error));
      await persist(() => sink(event), { ...timing, signal: stopping, onFailure }).catch(() => {
        throw new NotStored(event.key);
      });
      stored.set(event.key, true);
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;

/** We were stopped before an event was stored: Slack must not hear that we have it. */
export class NotStored extends Error {
  override readonly name = "NotStored";
  constructor(key: string) {
    super(`event ${key} was not stored`);
  }
}
