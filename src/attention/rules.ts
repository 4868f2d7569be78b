import { allows, type Person } from "../people/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import { commandWords, startsWith } from "./command-words.ts";
import { activeRules, insertRule, revoke } from "./rules.store.ts";
import type { ApprovalRule, RulePattern } from "./types.ts";

/** What this teammate may do without asking, oldest first. */
export async function listRules(db: Db, teammateId: string): Promise<readonly ApprovalRule[]> {
  return activeRules(db, teammateId);
}

/** Stores what "Always" stands for; the same rule twice is one. */
export async function addRule(
  unit: Unit,
  rule: { teammateId: string; pattern: RulePattern; text: string; by: string; now: Date },
): Promise<void> {
  const known = await activeRules(unit.db, rule.teammateId);
  if (known.some(({ pattern }) => isSame(pattern, rule.pattern))) return;
  await insertRule(unit.db, { ...rule, createdBy: rule.by });
  await audit(unit.db, {
    personId: rule.by,
    teammateId: rule.teammateId,
    action: "rule.added",
    target: rule.text,
    data: { ...rule.pattern },
    now: rule.now,
  });
}

function isSame(one: RulePattern, other: RulePattern): boolean {
  if (one.kind === "mcp_tool") {
    return other.kind === "mcp_tool" && one.server === other.server && one.tool === other.tool;
  }
  return (
    other.kind === "command_prefix" && one.prefix.length === other.prefix.length && startsWith(one.prefix, other.prefix)
  );
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
  const fits = ({ pattern }: ApprovalRule) => pattern.kind === "command_prefix" && startsWith(words, pattern.prefix);
  return rules.find(fits) ?? null;
}

/** The rule that allows a tool of an MCP server, if any. */
export async function matchingToolRule(
  db: Db,
  teammateId: string,
  asked: { readonly server: string; readonly tool: string },
): Promise<ApprovalRule | null> {
  const rules = await activeRules(db, teammateId);
  return rules.find(({ pattern }) => isSame(pattern, { kind: "mcp_tool", ...asked })) ?? null;
}
