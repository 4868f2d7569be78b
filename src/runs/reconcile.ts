import { CodexError, type FoundTurn, type ThreadSettings } from "../codex/index.ts";
import { type ActiveRun, headOf } from "./active-run.ts";
import type { RunDeps } from "./settings.ts";

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
  deps: Pick<RunDeps, "threads" | "log">,
  run: ActiveRun,
  settings: ThreadSettings,
): Promise<Seen> {
  const { threadId } = run;
  if (threadId === undefined) return { kind: "not_started" };
  try {
    const loaded = await deps.threads.ensureLoaded(threadId, settings);
    const unknown: Seen = run.turnId === undefined ? { kind: "not_started" } : { kind: "gone" };
    if (loaded.status === "missing") return unknown;
    if (loaded.status === "rejoined" && loaded.turnId === run.turnId) return { kind: "running", turnId: loaded.turnId };
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
