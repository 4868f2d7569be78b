import type { JsonValue } from "../codex/index.ts";
import type { Db } from "../storage/index.ts";
import type { Teammate } from "../teammates/index.ts";

/** Who pays for the model: the plan that Codex is signed in with, or a key. */
export type Payer = "plan" | "api_key";

/** What a turn runs on, decided anew before each. */
export interface UsableAccess {
  readonly kind: "usable";
  readonly payer: Payer;
  /** Names what answers model requests: a thread is gone on with by the same one, and forked for another. */
  readonly provider: string;
  /** The same as Codex calls it; absent where Codex's own default is meant. */
  readonly modelProvider?: string | undefined;
  /** Goes along with every start, resume and fork of a thread. May hold the key: never log it. */
  readonly config: Readonly<Record<string, JsonValue>>;
  /** Codex's own choice when absent. */
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
}

export type NoAccess = {
  readonly kind: "none";
  readonly why: "no_account" | "plan_limit" | "key_rejected";
  /** When the plan can be used again, where that is known. */
  readonly resetsAt?: Date | undefined;
};

export type AccessDecision = UsableAccess | NoAccess;

/** Decides who pays and which model answers. */
export interface Access {
  decide(db: Db, teammate: Pick<Teammate, "id" | "model" | "effort">): Promise<AccessDecision>;
  /** What a turn that already runs is on: also where nothing new could be started with it. */
  inUse(db: Db, teammate: Pick<Teammate, "id" | "model" | "effort">): Promise<UsableAccess>;
}

export interface FixedAccess extends Pick<UsableAccess, "payer" | "provider" | "model" | "effort"> {
  /** True where Codex has no account at all: it would try for half a minute before it gave up. */
  readonly missing?: boolean | undefined;
}

/** One account for everything, as the settings say. */
export function createAccess(fixed: FixedAccess): Access {
  const usable = (teammate: Pick<Teammate, "model" | "effort">): UsableAccess => ({
    kind: "usable",
    payer: fixed.payer,
    provider: fixed.provider,
    config: {},
    model: teammate.model ?? fixed.model,
    effort: teammate.effort ?? fixed.effort,
  });
  return {
    decide: async (_db, teammate) => (fixed.missing ? { kind: "none", why: "no_account" } : usable(teammate)),
    inUse: async (_db, teammate) => usable(teammate),
  };
}
