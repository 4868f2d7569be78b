import type { CodexConnection, RateLimitSnapshot } from "../codex/index.ts";
import type { Clock } from "../shared/index.ts";

export interface LimitWatch {
  start(): void;
  stop(): void;
  /** When the used-up limit resets; undefined where Codex reported none that lies ahead. */
  resetsAt(): Date | undefined;
}

const full = 100;

/** Remembers the plan's limits as Codex last reported them: the error of a turn does not say when they reset. */
export function createLimitWatch(deps: {
  readonly connection: Pick<CodexConnection, "onNotification">;
  readonly clock: Clock;
}): LimitWatch {
  let last: RateLimitSnapshot | undefined;
  let unlisten = () => {};
  return {
    start() {
      unlisten = deps.connection.onNotification((notification) => {
        if (notification.method === "account/rateLimits/updated") last = notification.params.rateLimits;
      });
    },
    stop: () => unlisten(),
    resetsAt() {
      const windows = [last?.primary, last?.secondary].flatMap((window) => (window == null ? [] : [window]));
      const times = windows.flatMap(({ usedPercent, resetsAt }) =>
        usedPercent >= full && resetsAt !== null ? [new Date(Number(resetsAt) * 1000)] : [],
      );
      // With both used up, the later one decides.
      const latest = times.sort((a, b) => b.getTime() - a.getTime())[0];
      return latest !== undefined && latest > deps.clock.now() ? latest : undefined;
    },
  };
}
