import { cleanText } from "../chat/index.ts";
import type { RoutineBriefing } from "../routines/index.ts";
import { redact } from "../shared/index.ts";
import type { RoutineRunNotes } from "../tools/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { RunContext } from "./run-context.store.ts";

/** What a run that performs a routine knows, or goes on with one, and what it has said about its own end. */
export interface RoutineState {
  readonly briefing: RoutineBriefing;
  /** It called the tool that says so. */
  nothingNew: boolean;
  /** What the teammate says went wrong; undefined where it said nothing of that kind. */
  failure: string | undefined;
  /** A person was asked something, so somebody waits for what became of it. */
  asked: boolean;
}

export function newRoutineState(briefing: RoutineBriefing, { trigger }: Pick<RunContext, "trigger">): RoutineState {
  return { briefing, nothingNew: false, failure: undefined, asked: trigger !== "routine" };
}

/**
 * A run in a routine's lane has a Codex thread for itself alone, which Codex keeps nowhere: it cannot be joined again once the line
 * was lost, and its turns cannot be listed.
 */
export function isFleeting({ context }: { readonly context: Pick<RunContext, "routineId"> }): boolean {
  return context.routineId !== null;
}

/** Work that happens by itself shows nothing before it is done. Whoever tries a routine watches. */
export function isWatched({ routine }: Pick<ActiveRun, "routine">): boolean {
  return routine === undefined || routine.briefing.source === "test";
}

/** Nobody wants it done any more: the routine was deleted or stopped since the run was put in line. */
export function isUnwanted({ context, routine }: Pick<ActiveRun, "context" | "routine">): boolean {
  return routine === undefined ? context.trigger === "routine" : routine.briefing.isOver;
}

/** What the tools of a routine's run write down. */
export function notesOf({ routine }: Pick<ActiveRun, "routine">): RoutineRunNotes | undefined {
  if (routine === undefined) return undefined;
  return {
    isTest: routine.briefing.source === "test",
    nothingNew() {
      routine.nothingNew = true;
    },
    failed(reason) {
      // What is stored with the end of a run must be a text that can be stored: else it would never end.
      routine.failure = redact(cleanText(reason));
    },
  };
}
