import type { ActiveRun } from "./active-run.ts";
import type { ChosenThread, ThreadNeeds } from "./thread-choice.ts";

/**
 * A run that tidies up its conversation: Codex puts what was said into a summary, in a turn of its own that takes no input.
 */
export function tidiesUp({ context }: Pick<ActiveRun, "context">): boolean {
  return context.trigger === "compact";
}

/** A thread that is new, or in which no turn completed, holds nothing to put together. */
export function isWorthTidying({ thread }: Pick<ThreadNeeds, "thread">, { how }: ChosenThread): boolean {
  return thread?.status === "active" && how !== "new";
}
