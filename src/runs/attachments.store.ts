import type { Db } from "../storage/index.ts";

export interface AttachmentRow {
  readonly id: string;
  readonly messageId: string;
  readonly hasText: boolean;
  readonly name: string;
  readonly mime: string | null;
  readonly size: number | null;
  readonly kind: "photo" | "document" | "voice" | "audio" | "video";
  readonly platformFileId: string;
  readonly state: "pending" | "stored" | "skipped";
  readonly path: string | null;
  readonly problem: string | null;
}

/** What was sent with these messages, in the order it was said. */
export async function listAttachments(db: Db, messageIds: readonly string[]): Promise<AttachmentRow[]> {
  if (messageIds.length === 0) return [];
  const rows = await db
    .selectFrom("attachments")
    .innerJoin("messages", "messages.id", "attachments.message_id")
    .selectAll("attachments")
    .select("messages.text")
    .where("attachments.message_id", "in", messageIds)
    .orderBy("messages.seq")
    .orderBy("attachments.position")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    messageId: row.message_id,
    hasText: row.text.trim() !== "",
    name: row.name,
    mime: row.mime,
    size: row.size === null ? null : Number(row.size),
    kind: row.kind,
    platformFileId: row.platform_file_id,
    state: row.state,
    path: row.path,
    problem: row.problem,
  }));
}

export async function markStored(db: Db, id: string, file: { path: string; size: number }): Promise<void> {
  await db
    .updateTable("attachments")
    .set({ state: "stored", ...file, problem: null })
    .where("id", "=", id)
    .execute();
}

export async function markSkipped(db: Db, id: string, problem: string): Promise<void> {
  await db.updateTable("attachments").set({ state: "skipped", problem }).where("id", "=", id).execute();
}
