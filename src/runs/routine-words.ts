import type { Destination } from "../outbox/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Said } from "./answer.ts";
import type { Outcome } from "./outcome.ts";
import { noUpdateMarker } from "./prompt-routine.ts";
import { titleOf } from "./report-text.ts";
import type { RoutineState } from "./routine-run.ts";
import type { RunContext } from "./run-context.store.ts";
import type { RunDeps } from "./settings.ts";
import { describeFailure, failure, joined } from "./words-of-failure.ts";

/** What becomes of a routine's run. */
export type RoutineEnd =
  /** Posted where its reports go; with `failure`, that stands above it and the run counts as failed. */
  | { readonly kind: "report"; readonly failure: string | null }
  /** There is nothing new, and nothing is posted. */
  | { readonly kind: "quiet" }
  /** It came to nothing that could be reported, of which its author hears. */
  | { readonly kind: "told"; readonly to: Destination; readonly failure: string | null }
  /** At the limit, where it is not to wait. */
  | { readonly kind: "skipped" }
  /** It was deleted or stopped meanwhile: whoever did that knows. */
  | { readonly kind: "unsaid" };

export function isMarker(text: string): boolean {
  return text.trim() === noUpdateMarker;
}

/** What is said at the end of a routine's run, and to whom. */
export async function wordsOfRoutine(
  deps: RunDeps,
  run: ActiveRun,
  routine: RoutineState,
  outcome: Outcome,
): Promise<Said> {
  const { words } = run;
  const { name } = run.context.teammate;
  const told = await whereTold(deps, run, routine);
  const tell = (said: Said, why: string | null = null): Said => ({
    ...said,
    text: joined(titleOf(routine.briefing.name), said.text),
    routine: { kind: "told", to: told.to, failure: why },
  });
  switch (outcome.kind) {
    case "completed":
      return (
        reportOf(run, routine, outcome.text) ??
        tell(failure(words.reports.noReport(name), ""), words.reports.noReportReason)
      );
    case "stopped": {
      const now = await deps.routines.briefing(deps.db, run.context.runId);
      const text = joined(words.reports.stopped(outcome.by), outcome.partial);
      const said: Said = { ...failure(text, outcome.partial), reaction: "stopped" };
      return now === undefined || now.isOver ? { ...said, routine: { kind: "unsaid" } } : tell(said);
    }
    case "cut": {
      const head = outcome.partial === "" ? words.reports.restartedEmpty(name) : words.reports.restarted(name);
      return tell(failure(joined(head, outcome.partial), outcome.partial));
    }
    case "failed": {
      const said = await describeFailure(deps, run, outcome, told);
      // What went on to be asked about is not left out any more.
      const skips =
        run.context.trigger === "routine" &&
        outcome.code === "usage_limit" &&
        routine.briefing.atLimit === "skip" &&
        !said.unsaid;
      return skips ? { ...said, heldUntil: undefined, routine: { kind: "skipped" } } : tell(said);
    }
  }
}

/** The report of a run that was done, or its quiet end; undefined where it left neither a word nor a file. */
function reportOf(
  run: ActiveRun,
  { briefing, nothingNew, asked, failure }: RoutineState,
  answer: string,
): Said | undefined {
  const saysNothing = nothingNew || isMarker(answer);
  const isBare = !asked && run.files.length === 0 && failure === undefined;
  const report = { kind: "answer", reaction: "done", note: null, retry: false } as const;
  if (saysNothing && isBare && briefing.source !== "test") {
    return { ...report, text: "", spoken: "", routine: { kind: "quiet" } };
  }
  // In the middle of a report the marker means nothing, and nobody is to read it.
  const text = answer.replaceAll(noUpdateMarker, "").trim();
  if (text === "" && isBare && !saysNothing) return undefined;
  const empty = saysNothing && failure === undefined ? run.words.reports.nothingNew : "";
  return {
    ...report,
    reaction: failure === undefined ? "done" : "failed",
    text: text === "" ? empty : text,
    // A later run is told of it in the same words.
    spoken: failure === undefined ? text : joined(run.words.reports.couldNotFinish(failure), text),
    routine: { kind: "report", failure: failure ?? null },
  };
}

/** Whoever tries a routine looks on; of any other run its author hears in private, or else where the routine was made. */
async function whereTold(
  deps: Pick<RunDeps, "people" | "db">,
  { context }: ActiveRun,
  { briefing }: RoutineState,
): Promise<Pick<RunContext, "place" | "to">> {
  const { place, to } = context;
  if (briefing.source === "test" || briefing.author === null) return { place, to };
  const dm = await deps.people.dmOf(deps.db, briefing.author.id, to.connectionId);
  return dm === null ? { place, to } : { place: { ...place, kind: "dm" }, to: dm };
}
