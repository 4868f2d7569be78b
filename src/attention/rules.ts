import type { Db, Unit } from "../storage/index.ts";
import type { ApprovalRule, Decider } from "./types.ts";

export async function listRules(_db: Db, _teammateId: string): Promise<readonly ApprovalRule[]> {
  throw new Error("not built yet");
}

/** Its maker, or a manager and above. False when it is not there (any more) or not theirs. */
export async function revokeRule(_unit: Unit, _ruleId: string, _by: Decider, _now: Date): Promise<boolean> {
  throw new Error("not built yet");
}

/** The rule that allows this command, if any. A command with shell syntax (pipes, variables, several commands) never matches. */
export async function matchingRule(_db: Db, _teammateId: string, _command: string): Promise<ApprovalRule | null> {
  throw new Error("not built yet");
}
