import { z } from "zod";
import { newId } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { ApprovalRule, RulePattern } from "./types.ts";

const patternSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("command_prefix"), prefix: z.array(z.string()).min(1) }),
  z.object({ kind: z.literal("mcp_tool"), server: z.string(), tool: z.string() }),
]);

export async function insertRule(
  db: Db,
  rule: { teammateId: string; pattern: RulePattern; text: string; createdBy: string; now: Date },
): Promise<void> {
  await db
    .insertInto("approval_rules")
    .values({
      id: newId(),
      teammate_id: rule.teammateId,
      text: rule.text,
      pattern: JSON.stringify(rule.pattern),
      created_by: rule.createdBy,
      created_at: rule.now,
    })
    .execute();
}

export async function activeRules(db: Db, teammateId: string): Promise<ApprovalRule[]> {
  const rows = await db
    .selectFrom("approval_rules")
    .selectAll()
    .where("teammate_id", "=", teammateId)
    .where("revoked_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    teammateId: row.teammate_id,
    text: row.text,
    pattern: patternSchema.parse(row.pattern),
    createdBy: row.created_by,
    createdAt: row.created_at,
  }));
}

/** `onlyOf`: only where this person made it. The rule's teammate and text, or null when nothing was revoked. */
export async function revoke(
  db: Db,
  rule: { id: string; by: string; onlyOf: string | null; now: Date },
): Promise<{ teammateId: string; text: string } | null> {
  let query = db
    .updateTable("approval_rules")
    .set({ revoked_by: rule.by, revoked_at: rule.now })
    .where("id", "=", rule.id)
    .where("revoked_at", "is", null);
  if (rule.onlyOf !== null) query = query.where("created_by", "=", rule.onlyOf);
  const row = await query.returning(["teammate_id as teammateId", "text"]).executeTakeFirst();
  return row ?? null;
}
