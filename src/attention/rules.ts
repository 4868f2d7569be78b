import { allows, type Person } from "../people/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import { commandWords, startsWith } from "./command-words.ts";
import { activeRules, insertRule, revoke } from "./rules.store.ts";
import type { ApprovalRule } from "./types.ts";

/** What this teammate may do without asking, oldest first. */
export async function listRules(db: Db, teammateId: string): Promise<readonly ApprovalRule[]> {
  return activeRules(db, teammateId);
}

/** Stores what "Always" stands for; the same rule twice is one. */
export async function addRule(
  unit: Unit,
  rule: { teammateId: string; prefix: readonly string[]; by: string; now: Date },
): Promise<void> {
  const same = (each: ApprovalRule) =>
    each.prefix.length === rule.prefix.length && startsWith(each.prefix, rule.prefix);
  if ((await activeRules(unit.db, rule.teammateId)).some(same)) return;
  await insertRule(unit.db, { ...rule, createdBy: rule.by });
  await audit(unit.db, {
    personId: rule.by,
    teammateId: rule.teammateId,
    action: "rule.added",
    target: rule.prefix.join(" "),
    data: { prefix: rule.prefix },
    now: rule.now,
  });
}

/** Its maker, or a manager and above. False when it is not there (any more) or not theirs. */
export async function revokeRule(unit: Unit, ruleId: string, by: Person, now: Date): Promise<boolean> {
  const onlyOf = allows(by.role, "manager") ? null : by.id;
  const revoked = await revoke(unit.db, { id: ruleId, by: by.id, onlyOf, now });
  if (revoked === null) return false;
  const { teammateId, text } = revoked;
  await audit(unit.db, { personId: by.id, teammateId, action: "rule.revoked", target: text, data: { ruleId }, now });
  return true;
}

/** The rule that allows this command, if any. A command with shell syntax (pipes, variables, several commands) never matches. */
export async function matchingRule(db: Db, teammateId: string, command: string): Promise<ApprovalRule | null> {
  const words = commandWords(command);
  if (words === null) return null;
  const rules = await activeRules(db, teammateId);
  return rules.find((rule) => startsWith(words, rule.prefix)) ?? null;
}
