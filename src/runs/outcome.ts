import { classifyTurnError, type FoundTurn, type Turn, type TurnError, type TurnErrorKind } from "../codex/index.ts";
import { type ActiveRun, partialOf } from "./active-run.ts";
import { pickAnswer, saidBy } from "./turn-record.ts";

export type FailureCode =
  | TurnErrorKind
  | "silent"
  | "deadline"
  | "connection_lost"
  | "no_account"
  | "memory_changed"
  | "internal";

/** How a run ended, before anybody is told. `partial` is what the teammate had said by then. */
export type Outcome =
  | { readonly kind: "completed"; readonly text: string }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly detail: string; readonly partial: string }
  | { readonly kind: "stopped"; readonly by: string | null; readonly partial: string }
  | { readonly kind: "cut"; readonly partial: string };

/** What turn/completed means for the run. */
export function outcomeOf(run: ActiveRun, turn: Pick<Turn, "status" | "error" | "items">): Outcome {
  switch (turn.status) {
    case "completed":
      return { kind: "completed", text: run.record.answer() ?? said(turn.items) ?? "" };
    case "failed":
      return failed(turn.error ?? run.record.error() ?? null, partialOf(run));
    case "interrupted":
    case "inProgress":
      return outcomeOfStop(run);
  }
}

/** What a turn that ended without us means for the run; `lost` says how an interrupted one is to be told. */
export function outcomeOfFound(found: FoundTurn, partial: string, lost: Outcome): Outcome {
  switch (found.status) {
    case "completed":
      return { kind: "completed", text: said(found.items) ?? found.finalText ?? "" };
    case "failed":
      return failed(found.error ?? null, partial);
    case "interrupted":
    case "inProgress":
      return lost;
  }
}

/** How an interrupted turn ends, by whoever wanted it stopped. `partial`: what it had said, as far as that is known. */
export function outcomeOfStop(run: ActiveRun, partial = partialOf(run)): Outcome {
  switch (run.stop?.kind) {
    case "watchdog":
      return { kind: "failed", code: run.stop.code, detail: "", partial };
    case "restart":
      return { kind: "cut", partial };
    case "person":
      return { kind: "stopped", by: run.stop.name, partial };
    case undefined:
      return { kind: "stopped", by: null, partial };
  }
}

/** How a run ends whose turn was lost with the process before this one. */
export function cutOff(run: ActiveRun): Outcome {
  return run.stop === undefined ? { kind: "cut", partial: partialOf(run) } : outcomeOfStop(run);
}

function failed(error: TurnError | null, partial: string): Outcome {
  return { kind: "failed", code: classifyTurnError(error), detail: error?.message ?? "", partial };
}

function said(items: readonly Turn["items"][number][]): string | undefined {
  return pickAnswer(items.flatMap((item) => (item.type === "agentMessage" ? [saidBy(item)] : [])));
}

/** All that a turn's completed messages say, in order. */
export function saidIn(items: readonly Turn["items"][number][]): string {
  return items
    .flatMap((item) => (item.type === "agentMessage" ? [saidBy(item).text] : []))
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}
