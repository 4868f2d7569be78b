import type { ThreadSettings } from "../codex/index.ts";
import { type ActiveRun, partialOf } from "./active-run.ts";
import { connectionLost, type Ending } from "./ending.ts";
import { type Outcome, outcomeOfFound, outcomeOfStop, saidIn } from "./outcome.ts";
import { whatBecame } from "./reconcile.ts";
import type { RunDeps } from "./settings.ts";
import { type SteerHost, settleSteers } from "./steer.ts";

export interface TakeOverHost {
  readonly deps: Pick<RunDeps, "threads" | "log" | "connection">;
  readonly run: ActiveRun;
  readonly ending: Pick<Ending, "end" | "giveBack">;
  readonly settings: ThreadSettings;
  readonly steers: SteerHost;
  /** Codex has the turn: events are read from here on. */
  readonly accepted: (turnId: string) => Promise<void>;
}

/** Goes on with a run that an earlier process left, or ends it by what became of it. */
export async function takeOver({ deps, run, ending, settings, steers, accepted }: TakeOverHost): Promise<void> {
  const cut = (partial = partialOf(run)): Outcome =>
    run.stop === undefined ? { kind: "cut", partial } : outcomeOfStop(run, partial);
  const seen = await whatBecame(deps, run, settings);
  switch (seen.kind) {
    case "running":
      await accepted(seen.turnId);
      return settleSteers(steers);
    case "over": {
      await settleSteers(steers);
      // What was said in the last moment before a crash is often known to Codex alone.
      const said = partialOf(run) || saidIn(seen.turn.items);
      return ending.end(outcomeOfFound(seen.turn, said, cut(said)));
    }
    case "not_started":
      // The process that would have started it is gone, so it cannot start any more.
      return run.context.status === "starting" ? ending.giveBack("now") : ending.end(cut());
    case "gone":
      return ending.end(cut());
    case "unreachable":
      return ending.end(connectionLost(run));
  }
}
