import { newId } from "../shared/index.ts";
import type { Db } from "./unit.ts";

export interface AuditEntry {
  readonly personId: string | null;
  readonly teammateId?: string;
  readonly action: string;
  readonly target?: string;
  readonly data?: object;
  /** The moment of the transaction where it is not said. */
  readonly now?: Date;
}

/** Writes down who decided what. Every room does; nothing here is ever changed. */
export async function audit(db: Db, { personId, teammateId, action, target, data, now }: AuditEntry): Promise<void> {
  await db
    .insertInto("audit_log")
    .values({
      id: newId(),
      person_id: personId,
      teammate_id: teammateId ?? null,
      action,
      target: target ?? null,
      data: JSON.stringify(data ?? {}),
      ...(now === undefined ? {} : { created_at: now }),
    })
    .execute();
}
