import type { InboundEvent, Sink } from "../../src/chat/index.ts";

/** Hands events to the sink one after another, each until it was stored; what was not stored waits for the next start. */
export interface Handover {
  add(event: InboundEvent): void;
  start(sink: Sink): void;
  /** Resolves when no event is being handed over any more. */
  stop(): Promise<void>;
  /** Resolves when everything so far was stored, or the handover was stopped. */
  settled(): Promise<void>;
}

export function createHandover(retryMs: number): Handover {
  const waiting: InboundEvent[] = [];
  let sink: Sink | undefined;
  let working: Promise<void> = Promise.resolve();
  let busy = false;
  let stopped = new AbortController();

  async function work(): Promise<void> {
    while (sink !== undefined) {
      const event = waiting[0];
      if (event === undefined) return;
      try {
        await sink(event);
        waiting.shift();
      } catch {
        // The sink logs why. Nobody else has this event, so it is kept and offered again.
        await pause(retryMs, stopped.signal);
      }
    }
  }

  function wake(): void {
    if (busy || sink === undefined) return;
    busy = true;
    working = work().finally(() => {
      busy = false;
      if (waiting.length > 0) wake();
    });
  }

  return {
    add(event) {
      waiting.push(event);
      wake();
    },
    start(next) {
      stopped = new AbortController();
      sink = next;
      wake();
    },
    async stop() {
      sink = undefined;
      stopped.abort();
      await working;
    },
    async settled() {
      while (busy) await working;
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
