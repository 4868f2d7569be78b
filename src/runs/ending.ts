import { type ActiveRun, partialOf, type StopReason } from "./active-run.ts";
import { drop, finish, takeBack } from "./finish.ts";
import { type Outcome, outcomeOfFound, outcomeOfStop, saidIn } from "./outcome.ts";
import { isFleeting } from "./routine-run.ts";
import type { RunDeps } from "./settings.ts";
import { tidiesUp } from "./tidying.ts";

/** `taken_back`: Codex never had it, and its deliveries are in line again. */
export type HowEnded = "completed" | "failed" | "interrupted" | "taken_back";

/** The one way out of a run: whoever comes first decides how it ended, and everybody later waits for that. */
export interface Ending {
  /** True from the moment an end was decided. */
  readonly isOver: boolean;
  readonly ended: Promise<HowEnded>;
  end(outcome: Outcome): Promise<void>;
  /** Back into the line: Codex never had this turn. It is tried again after a pause, or at once where nothing stands in the way. */
  giveBack(how?: "later" | "now"): Promise<void>;
  /** Ends it before Codex had it, without a word: nobody wants it any more. */
  drop(): Promise<void>;
  /** Safe to repeat, in every phase. */
  stop(reason: StopReason): Promise<void>;
  /** Asks Codex to end the turn, until it does or the time for it is over. */
  interrupt(): Promise<void>;
  /** True when the run is over or has to be: then it ends by whoever wanted it stopped. */
  endIfStopped(): boolean;
}

export interface EndingHost {
  readonly deps: RunDeps;
  readonly run: ActiveRun;
  /** How often this message was given back before. */
  readonly starts: number;
  /** Called once, when the end was decided. */
  readonly onOver: () => void;
  /** True once Codex has the turn and events are read. */
  readonly isUnderWay: () => boolean;
}

/** How long a start that Codex refused for now is put off, and how often before it counts as failed. */
const againAfterMs = 3_000;
const mostStarts = 20;
const finishPauseMs = 2_000;
const interruptPauseMs = 100;
const textLooks = 3;
const textPauseMs = 150;

export function createEnding({ deps, run, starts, onOver, isUnderWay }: EndingHost): Ending {
  const { runId } = run.context;
  const over = Promise.withResolvers<HowEnded>();
  let ending: Promise<void> | undefined;
  let force: NodeJS.Timeout | undefined;

  const log = (error: unknown, message: string) => deps.log.error({ err: error, runId }, message);

  function close(): void {
    run.phase = "ended";
    clearTimeout(force);
    run.abort.abort();
    run.attachment?.detach();
    onOver();
  }

  async function wrapUp(given: Outcome): Promise<void> {
    close();
    const outcome = await withText(given);
    for (;;) {
      try {
        await finish(deps, run, outcome);
        break;
      } catch (error) {
        // The database is away: the answer is in our hands, so we keep trying.
        log(error, "a run could not be ended; it is tried again");
        await pause(finishPauseMs);
      }
    }
    over.resolve(outcome.kind === "stopped" || outcome.kind === "cut" ? "interrupted" : outcome.kind);
  }

  /** A turn without an answer may have said it while the line was down; the thread has it, a moment after the turn's end at the latest. */
  async function withText(outcome: Outcome): Promise<Outcome> {
    const { threadId, turnId } = run;
    const isMute = outcome.kind === "completed" && outcome.text === "" && !tidiesUp(run);
    if (!isMute || isFleeting(run) || threadId === undefined || turnId === undefined) {
      return outcome;
    }
    try {
      for (let looks = 0; looks < textLooks; looks += 1) {
        if (looks > 0) await pause(textPauseMs);
        const turn = await deps.threads.findTurn(threadId, { turnId });
        const text = turn?.finalText ?? saidIn(turn?.items ?? []);
        if (text !== "") return { ...outcome, text };
      }
    } catch (error) {
      log(error, "a turn without an answer could not be read again");
    }
    return outcome;
  }

  async function handBack(afterMs: number): Promise<void> {
    close();
    try {
      await takeBack(deps, run, new Date(deps.clock.now().getTime() + afterMs));
    } catch (error) {
      log(error, "a run could not be taken back; it is found again");
    }
    over.resolve("taken_back");
  }

  async function forget(): Promise<void> {
    close();
    try {
      await drop(deps, run);
    } catch (error) {
      log(error, "a run that nobody wants could not be ended; it is found again");
    }
    over.resolve("interrupted");
  }

  function end(outcome: Outcome): Promise<void> {
    ending ??= wrapUp(outcome);
    return ending;
  }

  function giveBack(how: "later" | "now" = "later"): Promise<void> {
    if (run.stop !== undefined) return end(outcomeOfStop(run));
    if (starts >= mostStarts) return end(connectionLost(run));
    ending ??= handBack(how === "now" ? 0 : againAfterMs);
    return ending;
  }

  /** Whatever Codex does, the lane is free by then. */
  function endByForceLater(): void {
    force ??= setTimeout(() => void end(outcomeOfStop(run)), deps.limits.interruptMs);
  }

  async function interrupt(): Promise<void> {
    const { threadId, turnId } = run;
    if (threadId === undefined || turnId === undefined || ending !== undefined) return;
    endByForceLater();
    try {
      while (ending === undefined && run.phase === "running") {
        const result = await deps.threads.interrupt(threadId, turnId);
        if (result.status === "interrupted") return;
        // Over already, and its end is on its way or got lost; or so fresh that Codex does not count it as running yet.
        const turn = isFleeting(run) ? undefined : await deps.threads.findTurn(threadId, { turnId });
        if (turn !== undefined && turn.status !== "inProgress") {
          return await end(outcomeOfFound(turn, partialOf(run), outcomeOfStop(run)));
        }
        await pause(interruptPauseMs);
      }
    } catch (error) {
      log(error, "a turn could not be interrupted");
    }
  }

  return {
    get isOver() {
      return ending !== undefined;
    },
    ended: over.promise,
    end,
    giveBack,
    drop() {
      ending ??= forget();
      return ending;
    },
    interrupt,
    async stop(reason) {
      if (ending !== undefined) return;
      run.stop ??= reason;
      run.abort.abort();
      if (run.phase === "preparing") {
        // Nothing was said to Codex yet: a restart loses nothing by beginning anew.
        if (run.stop.kind !== "restart") return end(outcomeOfStop(run));
        ending ??= handBack(againAfterMs);
        return ending;
      }
      endByForceLater();
      if (isUnderWay()) await interrupt();
    },
    endIfStopped() {
      if (run.stop !== undefined) void end(outcomeOfStop(run));
      return ending !== undefined;
    },
  };
}

/** How a turn ends that Codex took with it, or that it cannot tell us about. */
export function connectionLost(run: ActiveRun): Outcome {
  return { kind: "failed", code: "connection_lost", detail: "", partial: partialOf(run) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
