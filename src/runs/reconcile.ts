import { CodexError, type FoundTurn, type ThreadSettings } from "../codex/index.ts";
import { type ActiveRun, headOf, partialOf } from "./active-run.ts";
import { connectionLost, type Ending } from "./ending.ts";
import { type Outcome, outcomeOfFound, outcomeOfStop } from "./outcome.ts";
import { isFleeting } from "./routine-run.ts";
import * as store from "./runs.store.ts";
import type { RunDeps } from "./settings.ts";
import { type SteerHost, settleSteers } from "./steer.ts";
import { tidiesUp } from "./tidying.ts";

/** What became of a run's turn while we could not see it. */
export type Seen =
  /** It runs, and we are subscribed to it. */
  | { readonly kind: "running"; readonly turnId: string }
  | { readonly kind: "over"; readonly turn: FoundTurn }
  /** Codex knows nothing of it, and never accepted it as far as we know. */
  | { readonly kind: "not_started" }
  /** Codex accepted it and does not know it any more. */
  | { readonly kind: "gone" }
  /** Codex cannot be asked right now. */
  | { readonly kind: "unreachable" };

/** Asks Codex by the turn's id, or by the delivery that started it. Subscribes, so that open requests come again. */
export async function whatBecame(
  deps: Pick<RunDeps, "threads" | "log" | "connection">,
  run: ActiveRun,
  settings: ThreadSettings,
): Promise<Seen> {
  const { threadId } = run;
  if (threadId === undefined) return { kind: "not_started" };
  // While the line holds, what Codex does there is heard without asking; once it was lost, never again.
  if (isFleeting(run)) return { kind: deps.connection.loadedThreads.has(threadId) ? "unreachable" : "gone" };
  try {
    const loaded = await deps.threads.ensureLoaded(threadId, settings);
    const unknown: Seen = run.turnId === undefined ? { kind: "not_started" } : { kind: "gone" };
    if (loaded.status === "missing") return unknown;
    if (loaded.status === "rejoined" && (loaded.turnId === run.turnId || tidiesUp(run))) {
      return { kind: "running", turnId: loaded.turnId };
    }
    const by = run.turnId === undefined ? { clientUserMessageId: headOf(run).id } : { turnId: run.turnId };
    const turn = await deps.threads.findTurn(threadId, by);
    if (turn === undefined) return unknown;
    const live = loaded.status === "rejoined" ? loaded.turnId === turn.turnId : turn.status === "inProgress";
    return live ? { kind: "running", turnId: turn.turnId } : { kind: "over", turn };
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    deps.log.info({ err: error, runId: run.context.runId }, "Codex cannot say yet what became of a turn");
    return { kind: "unreachable" };
  }
}

/** Follows a run whose line is gone, or whose start was never confirmed, until it is known what became of it. */
export interface Reconciler {
  /** The response to turn/start got lost: the turn may run or not. */
  unconfirmed(): void;
  lineLost(): void;
  /** Asks Codex; one look at a time. */
  look(): Promise<void>;
  /** Called regularly: looks again, and gives up in the end. */
  check(now: Date): void;
}

export interface ReconcileHost {
  readonly deps: RunDeps;
  readonly run: ActiveRun;
  readonly ending: Ending;
  /** Undefined while the run was not prepared: then Codex cannot have it. */
  readonly known: () => { readonly settings: ThreadSettings; readonly steers: SteerHost } | undefined;
  /** True once events of the turn are read. */
  readonly isUnderWay: () => boolean;
  /** Codex has the turn: events are read from here on. */
  readonly accepted: (turnId: string) => Promise<void>;
}

/** Two looks this far apart have to agree that a turn was never started, before it may be started again. */
const lookAgainMs = 3_000;

export function createReconciler(host: ReconcileHost): Reconciler {
  const { deps, run, ending } = host;
  const { runId } = run.context;
  let since: Date | undefined;
  let looking: Promise<void> | undefined;
  let lookedAt = 0;
  let notStartedAt: number | undefined;

  const log = (error: unknown, message: string) => deps.log.error({ err: error, runId }, message);
  const isReconciling = () => run.phase === "reconciling";

  function begin(): void {
    run.phase = "reconciling";
    since = deps.clock.now();
  }

  async function lookOnce(): Promise<void> {
    const known = host.known();
    if (!isReconciling() || known === undefined) return;
    const seen = await whatBecame(deps, run, known.settings);
    if (!isReconciling()) return;
    switch (seen.kind) {
      case "running":
        return resume(known.steers, seen.turnId);
      case "over":
        run.turnId = seen.turn.turnId;
        await settleSteers(known.steers);
        return ending.end(outcomeOfFound(seen.turn, partialOf(run), cutOff()));
      case "gone":
        return ending.end(cutOff());
      case "not_started": {
        const now = deps.clock.now().getTime();
        notStartedAt ??= now;
        if (now - notStartedAt >= lookAgainMs) await ending.giveBack();
        return;
      }
      case "unreachable":
        return;
    }
  }

  /** The turn ended without us and without an answer. */
  function cutOff(): Outcome {
    return run.stop === undefined ? connectionLost(run) : outcomeOfStop(run);
  }

  async function resume(steers: SteerHost, turnId: string): Promise<void> {
    if (!host.isUnderWay()) return host.accepted(turnId);
    run.phase = "running";
    run.lastEventAt = deps.clock.now();
    await store.setRunStatus(deps.db, runId, "running");
    await settleSteers(steers);
    if (run.stop !== undefined) await ending.interrupt();
  }

  function look(): Promise<void> {
    looking ??= lookOnce()
      .catch((error: unknown) => log(error, "it could not be found out what became of a turn"))
      .finally(() => {
        looking = undefined;
        lookedAt = deps.clock.now().getTime();
      });
    return looking;
  }

  return {
    unconfirmed() {
      if (ending.isOver || run.turnId !== undefined) return;
      begin();
      void look();
    },
    lineLost() {
      begin();
      void store
        .setRunStatus(deps.db, runId, "reconciling")
        .catch((error: unknown) => log(error, "the lost line could not be noted"));
    },
    look,
    check(now) {
      if (now.getTime() - (since ?? now).getTime() >= deps.limits.reconcileMs) void ending.end(connectionLost(run));
      else if (now.getTime() - lookedAt >= lookAgainMs && deps.connection.epoch !== undefined) void look();
    },
  };
}
