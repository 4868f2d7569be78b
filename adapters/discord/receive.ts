import { setTimeout as delay } from "node:timers/promises";
import {
  backoff,
  createRecent,
  type InboundEvent,
  persist,
  type RetryTiming,
  type Sink,
} from "../../src/chat/index.ts";
import { describe } from "./errors.ts";

export interface ReceiverDeps extends RetryTiming {
  readonly sink: Sink;
  readonly warn: (message: string, detail: string) => void;
}

/** How long a stop may take for it, in milliseconds. */
const stopMs = 3000;

/** How often an event is read again where Discord could not be asked what it is about. */
const mostReads = 5;

/**
 * Hands events to the sink, each until it is stored, in order within a lane. Discord has no acknowledgement: what is not
 * stored when we stop is caught up at the next start. What was stored lately is not offered again, since a resumed
 * connection and catching up both bring messages twice.
 */
export function createReceiver({ sink, warn, ...timing }: ReceiverDeps) {
  const stopping = new AbortController();
  const lanes = new Map<string, Promise<void>>();
  const stored = createRecent<true>(5000);

  /** Repeats what fails until it does not, or we stop. */
  const untilDone = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const onFailure = (error: unknown) => warn(`${name} failed for now`, describe(error));
    return persist(work, { ...timing, signal: stopping.signal, onFailure });
  };

  const offer = async (event: InboundEvent): Promise<void> => {
    if (stored.has(event.key)) return;
    await untilDone(`storing event ${event.key}`, () => {
      stopping.signal.throwIfAborted();
      return sink(event);
    });
    stored.set(event.key, true);
  };

  const readAndOffer = async (name: string, read: () => Promise<InboundEvent | undefined>): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      stopping.signal.throwIfAborted();
      try {
        const event = await read();
        if (event) await offer(event);
        return;
      } catch (error) {
        if (stopping.signal.aborted) throw error;
        // An event of a shape nobody foresaw must not stop the ones behind it.
        warn(`${name} could not be read`, describe(error));
        if (attempt + 1 >= mostReads) return;
        await delay(backoff(timing, attempt), undefined, { signal: stopping.signal });
      }
    }
  };

  /** Runs behind everything else in the lane. */
  const inLane = (lane: string, task: () => Promise<void>): void => {
    const before = lanes.get(lane) ?? Promise.resolve();
    const done = before.then(task).catch((error: unknown) => {
      if (!stopping.signal.aborted) warn("a lane was interrupted", describe(error));
    });
    lanes.set(lane, done);
    void done.then(() => {
      if (lanes.get(lane) === done) lanes.delete(lane);
    });
  };

  return {
    signal: stopping.signal,
    inLane,
    untilDone,
    readAndOffer,
    add: (lane: string, name: string, read: () => Promise<InboundEvent | undefined>): void =>
      inLane(lane, () => readAndOffer(name, read)),
    /** Begins nothing more, and waits a little for what is being stored. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.race([Promise.all(lanes.values()), delay(stopMs, undefined, { ref: false })]);
    },
  };
}

export type Receiver = ReturnType<typeof createReceiver>;
