import { newId } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";

/** Tokens of the model. `input` contains what was read from the cache, `output` what was thought. */
export interface UsedTokens {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly reasoning: number;
}

/** What a run came from. */
export type Origin = "user" | "routine" | "teammate" | "api";

/** By why a run exists; whatever a person caused, at once or later, is theirs. */
export function originOf(trigger: string): Origin {
  switch (trigger) {
    case "routine":
      return "routine";
    case "teammate":
      return "teammate";
    case "webhook":
    case "api":
      return "api";
    default:
      return "user";
  }
}

export interface LedgerEntry {
  readonly runId: string;
  readonly teammateId: string;
  readonly personId: string | null;
  readonly payer: string;
  readonly origin: Origin;
  readonly model: string | null;
  readonly used: UsedTokens;
  readonly at: Date;
}

/** Writes down what a run used, once, when it ends. It stays when its conversation, thread or run is gone. */
export async function addUsage(db: Db, entry: LedgerEntry): Promise<void> {
  const { used } = entry;
  await db
    .insertInto("usage_ledger")
    .values({
      id: newId(),
      run_id: entry.runId,
      teammate_id: entry.teammateId,
      person_id: entry.personId,
      auth_mode: entry.payer,
      origin: entry.origin,
      model: entry.model,
      input_tokens: used.input,
      cached_input_tokens: used.cachedInput,
      output_tokens: used.output,
      reasoning_tokens: used.reasoning,
      created_at: entry.at,
    })
    .execute();
}
