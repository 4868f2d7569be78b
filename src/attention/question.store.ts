import type { Db } from "../storage/index.ts";
import type { Answers } from "./question.ts";

/** The item whose card is this message, where it asks questions. */
export async function questionOfMessage(
  db: Db,
  message: { readonly connectionId: string; readonly channel: string; readonly messageId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom("posts as p")
    .innerJoin("attention as a", "a.id", "p.attention_id")
    .select("a.id")
    .where("p.connection_id", "=", message.connectionId)
    .where("p.channel", "=", message.channel)
    .where("p.platform_message_id", "=", message.messageId)
    .where("a.method", "in", ["ask_user", "user_input", "elicitation"])
    .executeTakeFirst();
  return row?.id;
}

export async function saveAnswers(db: Db, id: string, answers: Answers): Promise<void> {
  await db
    .updateTable("attention")
    .set({ answers: JSON.stringify(answers) })
    .where("id", "=", id)
    .execute();
}

export async function saveSealed(db: Db, id: string, sealed: Buffer): Promise<void> {
  await db.updateTable("attention").set({ sealed }).where("id", "=", id).execute();
}

export async function readSealed(db: Db, id: string): Promise<Buffer | null> {
  const row = await db.selectFrom("attention").select("sealed").where("id", "=", id).executeTakeFirst();
  return row?.sealed ?? null;
}
