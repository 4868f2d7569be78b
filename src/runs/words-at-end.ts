import { clockTime } from "../shared/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Said } from "./answer.ts";
import { failureNotice } from "./failure.ts";
import { commandsAsTyped, modelTrouble } from "./model-trouble.ts";
import type { Outcome } from "./outcome.ts";
import type { RunDeps } from "./settings.ts";
import { tidiesUp } from "./tidying.ts";

/** What is said at the end of a run. It may take a while: found before the transaction, which must not wait for anything. */
export async function wordsAtEnd(deps: RunDeps, run: ActiveRun, outcome: Outcome): Promise<Said> {
  const { words } = run;
  const { name } = run.context.teammate;
  switch (outcome.kind) {
    case "completed":
      if (tidiesUp(run)) return tidied(outcome.text !== "" ? outcome.text : words.threads.tidied(name));
      return {
        kind: "answer",
        text: outcome.text !== "" ? outcome.text : words.runs.nothingToSay(name),
        spoken: outcome.text,
        reaction: "done",
        note: movedNote(run),
        retry: false,
      };
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

async function describeFailure(
  deps: RunDeps,
  run: ActiveRun,
  outcome: Extract<Outcome, { kind: "failed" }>,
): Promise<Said> {
  const owner = (await deps.people.owners(deps.db))[0];
  const trouble = await modelTrouble(deps, run, outcome);
  const { resetsAt, heldUntil, payer } = trouble;
  const { requester } = run.context;
  const notice = failureNotice(run.context, run.words, {
    code: outcome.code,
    detail: outcome.detail,
    limits: deps.limits,
    payer,
    isNews: trouble.isNews,
    resetsAt:
      resetsAt === undefined
        ? null
        : clockTime(resetsAt, deps.clock.now(), requester?.timezone ?? null, requester?.locale ?? null),
    held: heldUntil !== undefined,
    ownerName: owner?.displayName ?? null,
  });
  const dm = notice.forOwner === null || owner === undefined ? null : await deps.people.dmOf(deps.db, owner.id);
  const typed = commandsAsTyped(deps, run.context.to.connectionId, notice.text);
  const text =
    outcome.partial === ""
      ? typed
      : joined(joined(typed, run.words.runs.hadFinished(run.context.teammate.name)), outcome.partial);
  return {
    ...failure(text, outcome.partial),
    retry: heldUntil === undefined,
    heldUntil: trouble.triedAgain ? deps.clock.now() : heldUntil,
    unsaid: trouble.triedAgain,
    limitOf: outcome.code === "usage_limit" || outcome.code === "key_rejected" ? payer : undefined,
    errorCode: notice.code ?? outcome.code,
    forOwner:
      notice.forOwner !== null && dm !== null
        ? { to: dm, text: commandsAsTyped(deps, dm.connectionId, notice.forOwner) }
        : undefined,
  };
}

/** For the first answer on another model than the usual one. */
function movedNote({ access, words }: ActiveRun): string | null {
  return access?.moved === undefined ? null : words.access.movedNote(access.moved.from, access.moved.cause);
}

function tidied(text: string): Said {
  return { kind: "notice", text, spoken: "", reaction: "done", note: null, retry: false };
}

function failure(text: string, spoken: string): Said {
  return { kind: "notice", text, spoken, reaction: "failed", note: null, retry: true };
}

function joined(head: string, rest: string): string {
  return rest === "" ? head : `${head}\n\n${rest}`;
}
