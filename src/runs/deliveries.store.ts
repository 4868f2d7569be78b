import { sql } from "kysely";
import type { Db, DeliveryStatus, Role } from "../storage/index.ts";
import { unended } from "./runs.store.ts";

/** A delivery of a run, with the message it carries. */
export interface RunDelivery {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly joined: "start" | "steer" | null;
  readonly trigger: string;
  readonly queuePostId: string | null;
  readonly retryOf: string | null;
  readonly messageId: string;
  readonly platformMessageId: string | null;
  readonly author: "person" | "teammate" | "system";
  readonly authorName: string;
  readonly authorRole: Role | null;
  readonly text: string;
  readonly sentAt: Date;
  readonly editedAt: Date | null;
  readonly quote: unknown;
  readonly forwardedFrom: string | null;
  readonly hasFiles: boolean;
}

export async function loadDeliveries(
  db: Db,
  which: { runId: string } | { deliveryId: string } | { messageId: string },
): Promise<RunDelivery[]> {
  const query = db
    .selectFrom("deliveries as d")
    .innerJoin("messages as m", "m.id", "d.message_id")
    .leftJoin("people as p", "p.id", "m.person_id")
    .select(["d.id", "d.status", "d.joined", "d.trigger", "d.queue_post_id as queuePostId", "d.retry_of as retryOf"])
    .select(["m.id as messageId", "m.platform_message_id as platformMessageId", "m.author"])
    .select(["m.author_name as authorName", "p.role as authorRole", "m.text", "m.sent_at as sentAt"])
    .select(["m.edited_at as editedAt", "m.quote", "m.forwarded_from as forwardedFrom"])
    .select(sql<boolean>`exists (select 1 from attachments a where a.message_id = m.id)`.as("hasFiles"))
    .orderBy("d.queue_order");
  if ("runId" in which) return query.where("d.run_id", "=", which.runId).execute();
  if ("deliveryId" in which) return query.where("d.id", "=", which.deliveryId).execute();
  return query.where("d.message_id", "=", which.messageId).where("d.run_id", "is not", null).execute();
}

/** The active runs a message is part of. */
export async function runsOfMessage(db: Db, messageId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("deliveries as d")
    .innerJoin("runs as r", "r.id", "d.run_id")
    .select("r.id")
    .where("d.message_id", "=", messageId)
    .where("r.status", "in", unended)
    .execute();
  return rows.map((row) => row.id);
}
