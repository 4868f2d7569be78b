import { sql } from "kysely";
import type { PlaceKind } from "../chat/index.ts";
import { newId } from "../shared/index.ts";
import type { Db, Unit } from "../storage/index.ts";

/** One teammate in one place and thread, as people speak there: the lane in which its runs are strictly one after another. */
export interface Conversation {
  readonly id: string;
  readonly placeId: string;
  readonly teammateId: string;
  readonly kind: "main" | "channel" | "task" | "routine";
  /** The platform's thread id, or "" outside threads. */
  readonly thread: string;
  readonly resetAt: Date | null;
}

export interface NewConversation {
  readonly placeId: string;
  readonly teammateId: string;
  readonly thread: string;
  readonly kind: Conversation["kind"];
}

const conversationColumns = [
  "id",
  "kind",
  "thread",
  "place_id as placeId",
  "teammate_id as teammateId",
  "reset_at as resetAt",
] as const;

/** What a conversation is, by where it takes place: a private chat, a place's own lane, or a thread. */
export function conversationKind(placeKind: PlaceKind, thread: string): Conversation["kind"] {
  if (thread !== "") return "task";
  return placeKind === "dm" ? "main" : "channel";
}

export async function ensureConversation(unit: Unit, wanted: NewConversation): Promise<Conversation> {
  const find = () =>
    conversations(unit.db)
      .where("place_id", "=", wanted.placeId)
      .where("teammate_id", "=", wanted.teammateId)
      .where("thread", "=", wanted.thread);
  const known = await find().executeTakeFirst();
  if (known) return known;
  const made = await unit.db
    .insertInto("conversations")
    .values({
      id: newId(),
      place_id: wanted.placeId,
      teammate_id: wanted.teammateId,
      thread: wanted.thread,
      kind: wanted.kind,
    })
    .onConflict((conflict) =>
      conflict.columns(["place_id", "teammate_id", "thread"]).where("routine_id", "is", null).doNothing(),
    )
    .returning(conversationColumns)
    .executeTakeFirst();
  // Where each message begins a thread, this is every message: it is not looked up once more.
  return made ?? find().executeTakeFirstOrThrow();
}

/** Starts afresh: what was said before is no longer carried along, and the next run gets a new Codex thread. */
export async function resetConversation(unit: Unit, id: string): Promise<void> {
  await unit.db.updateTable("conversations").set({ reset_at: sql`now()` }).where("id", "=", id).execute();
  await unit.db
    .updateTable("codex_threads")
    .set({ status: "retired", retired_at: sql`now()` })
    .where("conversation_id", "=", id)
    .where("status", "<>", "retired")
    .execute();
}

function conversations(db: Db) {
  // A routine's own lane has the place it was made in, and nobody speaks in it.
  return db.selectFrom("conversations").where("routine_id", "is", null).select(conversationColumns);
}
