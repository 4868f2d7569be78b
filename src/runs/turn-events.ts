import type { Notification, ServerRequest, ThreadHandler } from "../codex/index.ts";
import { type ActiveRun, headOf, tell } from "./active-run.ts";
import type { Ending } from "./ending.ts";
import { outcomeOf } from "./outcome.ts";
import type { Reconciler } from "./reconcile.ts";
import type { Requests } from "./requests.ts";
import type { RunDeps } from "./settings.ts";
import { tidiesUp } from "./tidying.ts";
import { toTimelineEvents } from "./timeline.ts";
import { turnOf } from "./turn-record.ts";

/** What Codex tells of a run's thread. Until it is known which turn there is ours, it waits. */
export interface TurnEvents {
  readonly handler: ThreadHandler;
  /** True once nothing waits any more: each event is taken as it comes. */
  readonly areRead: boolean;
  /** Takes what waited, in its order, and from then on all that comes. */
  read(): void;
}

export interface TurnEventsHost {
  readonly deps: Pick<RunDeps, "clock">;
  readonly run: ActiveRun;
  readonly ending: Pick<Ending, "end">;
  readonly reconciler: Pick<Reconciler, "lineLost" | "look">;
  /** Undefined while the run is not prepared: then nothing can be asked. */
  readonly requests: () => Requests | undefined;
  /** Codex has our turn. */
  readonly accepted: (turnId: string) => Promise<void>;
}

export function createTurnEvents({ deps, run, ending, reconciler, requests, accepted }: TurnEventsHost): TurnEvents {
  let early: (() => void)[] | undefined = [];

  function take(notification: Notification): void {
    const turn = turnOf(notification);
    if (turn !== undefined && turn !== run.turnId) return;
    run.record.take(notification);
    for (const event of toTimelineEvents(notification, deps.clock.now())) tell(run, event);
    if (notification.method === "turn/completed") void ending.end(outcomeOf(run, notification.params.turn));
  }

  function takeRequest(request: ServerRequest): void {
    run.lastEventAt = deps.clock.now();
    requests()?.take(request);
  }

  return {
    handler: {
      onNotification(notification) {
        run.lastEventAt = deps.clock.now();
        if (early === undefined) return take(notification);
        early.push(() => take(notification));
        const turnId = startedByUs(run, notification);
        if (turnId !== undefined) void accepted(turnId);
      },
      onRequest(request) {
        if (early === undefined) takeRequest(request);
        else early.push(() => takeRequest(request));
      },
      onDisconnect() {
        if (run.phase !== "running") return;
        reconciler.lineLost();
        requests()?.forgetLine();
      },
      onReconnect: () => void reconciler.look(),
    },
    get areRead() {
      return early === undefined;
    },
    read() {
      const waiting = early ?? [];
      early = undefined;
      for (const each of waiting) each();
    },
  };
}

/** The turn is ours when it was opened by our own message: also where the response to turn/start got lost. */
function startedByUs(run: ActiveRun, notification: Notification): string | undefined {
  if (tidiesUp(run)) return notification.method === "turn/started" ? notification.params.turn.id : undefined;
  if (notification.method !== "item/started" && notification.method !== "item/completed") return undefined;
  const { item, turnId } = notification.params;
  return item.type === "userMessage" && item.clientId === headOf(run).id ? turnId : undefined;
}
