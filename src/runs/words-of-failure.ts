import { clockTime } from "../shared/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Said } from "./answer.ts";
import { failureNotice } from "./failure.ts";
import { commandsAsTyped, modelTrouble } from "./model-trouble.ts";
import type { Outcome } from "./outcome.ts";
import type { RunContext } from "./run-context.store.ts";
import type { RunDeps } from "./settings.ts";

/** What is said of a failure, by default where the run takes place. */
export async function describeFailure(
  deps: RunDeps,
  run: ActiveRun,
  outcome: Extract<Outcome, { kind: "failed" }>,
  told: Pick<RunContext, "place" | "to"> = run.context,
): Promise<Said> {
  const owner = (await deps.people.owners(deps.db))[0];
  const trouble = await modelTrouble(deps, run, outcome);
  const { resetsAt, heldUntil, payer } = trouble;
  const { requester } = run.context;
  const notice = failureNotice({ ...run.context, place: told.place }, run.words, {
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
    isRoutine: run.routine !== undefined,
    ownerName: owner?.displayName ?? null,
  });
  const dm = notice.forOwner === null || owner === undefined ? null : await deps.people.dmOf(deps.db, owner.id);
  const typed = commandsAsTyped(deps, told.to.connectionId, notice.text);
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

export function failure(text: string, spoken: string): Said {
  return { kind: "notice", text, spoken, reaction: "failed", note: null, retry: true };
}

export function joined(head: string, rest: string): string {
  return rest === "" ? head : `${head}\n\n${rest}`;
}
