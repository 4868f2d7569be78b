import type { ActiveRun } from "./active-run.ts";
import type { Said } from "./answer.ts";
import type { Outcome } from "./outcome.ts";
import { isMarker, wordsOfRoutine } from "./routine-words.ts";
import type { RunDeps } from "./settings.ts";
import { tidiesUp } from "./tidying.ts";
import { describeFailure, failure, joined } from "./words-of-failure.ts";

/** What is said at the end of a run. It may take a while: found before the transaction, which must not wait for anything. */
export async function wordsAtEnd(deps: RunDeps, run: ActiveRun, outcome: Outcome): Promise<Said> {
  const { words, routine } = run;
  if (routine !== undefined) return wordsOfRoutine(deps, run, routine, outcome);
  const { name } = run.context.teammate;
  switch (outcome.kind) {
    case "completed": {
      if (tidiesUp(run)) return tidied(outcome.text !== "" ? outcome.text : words.threads.tidied(name));
      // A teammate that takes an answer for a routine's run means that it has nothing to say.
      const text = isMarker(outcome.text) ? "" : outcome.text;
      return {
        kind: "answer",
        text: text !== "" ? text : words.runs.nothingToSay(name),
        spoken: text,
        reaction: "done",
        note: movedNote(run),
        retry: false,
      };
    }
    case "stopped": {
      const { partial, by } = outcome;
      return partial === ""
        ? { kind: "notice", text: words.runs.stopped(by), spoken: "", reaction: "stopped", note: null, retry: false }
        : {
            kind: "answer",
            text: partial,
            spoken: partial,
            reaction: "stopped",
            note: words.runs.stoppedFooter(by),
            retry: false,
          };
    }
    case "cut": {
      const head = outcome.partial === "" ? words.runs.restartedEmpty(name) : words.runs.restarted(name);
      return failure(joined(head, outcome.partial), outcome.partial);
    }
    case "failed":
      return describeFailure(deps, run, outcome);
  }
}

/** For the first answer on another model than the usual one. */
function movedNote({ access, words }: ActiveRun): string | null {
  return access?.moved === undefined ? null : words.access.movedNote(access.moved.from, access.moved.cause);
}

function tidied(text: string): Said {
  return { kind: "notice", text, spoken: "", reaction: "done", note: null, retry: false };
}
