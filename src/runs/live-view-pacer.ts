/** What one call came to: the view goes on, is tried again after a while, or is over for good. */
export type PacedOutcome =
  | { readonly kind: "shown" }
  | { readonly kind: "retry"; readonly afterMs: number }
  | { readonly kind: "over" };

export interface PacerOptions {
  /** The shortest time between the starts of two calls, in milliseconds. */
  readonly intervalMs: number;
  /** The first call is not made before this many milliseconds from now. */
  readonly delayMs: number;
  /** A call is made at the latest this long after the last one, since time itself is shown. */
  readonly heartbeatMs: number;
  /** Shows the newest state. Never rejects. */
  readonly call: () => Promise<PacedOutcome>;
}

export interface Pacer {
  /** Something changed: a call is made at once where the pace allows it, else as soon as it does. */
  changed(): void;
  /** No further call is begun; resolves when the one in flight is over. */
  stop(): Promise<void>;
}

/**
 * Leading and trailing throttle with one call in flight at a time. A burst of changes leads to one call at once and one
 * at the end of the interval, never to a queue: what a call shows is the state at its start.
 */
export function createPacer({ intervalMs, delayMs, heartbeatMs, call }: PacerOptions): Pacer {
  let notBefore = Date.now() + delayMs;
  let pending = false;
  let over = false;
  let inFlight: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const arm = () => {
    if (over || !pending || inFlight !== undefined || timer !== undefined) return;
    timer = setTimeout(begin, Math.max(0, notBefore - Date.now()));
  };

  const begin = () => {
    timer = undefined;
    pending = false;
    clearTimeout(heartbeat);
    notBefore = Date.now() + intervalMs;
    inFlight = call().then((outcome) => {
      inFlight = undefined;
      settle(outcome);
    });
  };

  const settle = (outcome: PacedOutcome) => {
    if (over) return;
    if (outcome.kind === "over") over = true;
    if (outcome.kind === "retry") {
      notBefore = Math.max(notBefore, Date.now() + outcome.afterMs);
      pending = true;
    }
    if (!over) heartbeat = setTimeout(changed, heartbeatMs);
    arm();
  };

  const changed = () => {
    pending = true;
    arm();
  };

  return {
    changed,
    async stop() {
      over = true;
      clearTimeout(timer);
      clearTimeout(heartbeat);
      await inFlight;
    },
  };
}
