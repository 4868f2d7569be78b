import { sql } from "kysely";
import type { Db } from "../storage/index.ts";

interface NewReplyForm {
  /** Our posts that ask for the reply. */
  readonly postIds: readonly string[];
  readonly personId: string;
  readonly payload: object;
  readonly expiresAt: Date;
}

export async function insertReplyForm(db: Db, form: NewReplyForm): Promise<void> {
  const { postIds, personId, payload, expiresAt } = form;
  if (postIds.length === 0) return;
  const common = { person_id: personId, payload: JSON.stringify(payload), expires_at: expiresAt };
  await db
    .insertInto("reply_forms")
    .values(postIds.map((postId) => ({ post_id: postId, ...common })))
    .onConflict((conflict) => conflict.column("post_id").doNothing())
    .execute();
}

export interface ReplyForm {
  readonly postId: string;
  readonly personId: string;
  readonly personName: string;
  readonly payload: unknown;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** The form that a message of ours asked for, held so that two replies go one after the other. */
export async function findReplyForm(
  db: Db,
  message: { readonly connectionId: string; readonly channel: string; readonly messageId: string },
): Promise<ReplyForm | undefined> {
  return db
    .selectFrom("reply_forms as f")
    .innerJoin("posts as p", "p.id", "f.post_id")
    .innerJoin("people as by", "by.id", "f.person_id")
    .select(["f.post_id as postId", "f.person_id as personId", "by.display_name as personName"])
    .select(["f.payload", "f.expires_at as expiresAt", "f.used_at as usedAt"])
    .where("p.connection_id", "=", message.connectionId)
    .where("p.channel", "=", message.channel)
    .where("p.platform_message_id", "=", message.messageId)
    .forUpdate("f")
    .executeTakeFirst();
}

export async function closeReplyForm(db: Db, postId: string, now: Date): Promise<void> {
  await db.updateTable("reply_forms").set({ used_at: now }).where("post_id", "=", postId).execute();
}

/** The hash of the token behind a form that is still open, by the message that asked for it. Nothing is held. */
export async function peekReplyForm(
  db: Db,
  message: { readonly connectionId: string; readonly channel: string; readonly messageId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom("reply_forms as f")
    .innerJoin("posts as p", "p.id", "f.post_id")
    .select(sql<string | null>`f.payload ->> 'hash'`.as("hash"))
    .where("p.connection_id", "=", message.connectionId)
    .where("p.channel", "=", message.channel)
    .where("p.platform_message_id", "=", message.messageId)
    .where("f.used_at", "is", null)
    .executeTakeFirst();
  return row?.hash ?? undefined;
}
