import { issueTokens } from "../attention/index.ts";
import { inTransaction } from "../storage/index.ts";
import { personaOf } from "../teammates/index.ts";
import { type ActiveRun, replyTo } from "./active-run.ts";
import { createLiveView } from "./live-view.ts";
import { isWatched } from "./routine-run.ts";
import { requesterOf } from "./run-context.store.ts";
import type { RunDeps } from "./settings.ts";

/** Shows from now on what the run does, where it was asked. */
export function showView(deps: RunDeps, run: ActiveRun): void {
  const { to, runId, teammate } = run.context;
  const adapter = deps.adapters.get(to.connectionId);
  if (adapter === undefined || run.view !== undefined || !isWatched(run)) return;
  run.view = createLiveView({
    db: deps.db,
    adapter,
    destination: to,
    runId,
    teammate,
    persona: adapter.capabilities.persona === "native" ? { ...personaOf(teammate), unwritten: true } : undefined,
    words: run.words,
    clock: deps.clock,
    log: deps.log,
    startedAt: run.startedAt,
    replyTo: replyTo(run),
    stopToken: () => stopToken(deps, run),
  });
}

/** What the Stop button of a run's live view carries: for its requester, and managers and above. */
async function stopToken(deps: RunDeps, run: ActiveRun): Promise<string> {
  const { runId } = run.context;
  const choices = [{ key: "stop", action: "stop", payload: { runId, view: "live" } }] as const;
  const tokens = await inTransaction(deps.db, deps.log, async (unit) => {
    const personId = (await requesterOf(unit.db, runId)) ?? undefined;
    return issueTokens(unit, { choices, runId, personId, minRole: "manager" });
  });
  return tokens.stop;
}
