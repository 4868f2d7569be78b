import { newId } from "../../src/shared/index.ts";
import type { Office } from "./office.ts";

/** One more teammate. */
export async function addTeammate(office: Office, name = "Penny", handle = name.toLowerCase()): Promise<string> {
  const id = newId();
  await office.db
    .insertInto("teammates")
    .values({
      id,
      handle,
      name,
      title: "Bookkeeper",
      job: "Keeps the books.",
      autonomy: "ask_consequential",
      access: "workspace",
      busy_mode: "steer",
    })
    .execute();
  return id;
}

/** Who was given something to do, in that order. */
export async function asked(office: Office): Promise<string[]> {
  const rows = await office.db
    .selectFrom("deliveries as d")
    .innerJoin("teammates as t", "t.id", "d.teammate_id")
    .select("t.name")
    .orderBy("d.queue_order")
    .execute();
  return rows.map((row) => row.name);
}

/** As if a turn had taken up what was delivered last; gives the run. */
export async function startRun(
  office: Office,
  { status = "running", startedAt }: { status?: "running" | "waiting" | "failed"; startedAt?: Date } = {},
): Promise<string> {
  const delivery = await office.db
    .selectFrom("deliveries")
    .selectAll()
    .where("status", "=", "queued")
    .orderBy("queue_order", "desc")
    .executeTakeFirstOrThrow();
  const { teammate_id, conversation_id, requester_person_id } = delivery;
  const id = newId();
  const run = { id, teammate_id, conversation_id, requester_person_id, trigger: "message", computer: "c" };
  await office.db
    .insertInto("runs")
    .values({ ...run, status, started_at: startedAt ?? null })
    .execute();
  await office.db
    .updateTable("deliveries")
    .set({ status: status === "failed" ? "failed" : "running", run_id: id })
    .where("id", "=", delivery.id)
    .execute();
  return id;
}

/** As if a teammate had posted this there, and the platform taken it. */
export async function addPost(
  office: Office,
  post: { channel: string; messageId: string; conversationId?: string },
): Promise<void> {
  await office.db
    .insertInto("posts")
    .values({
      id: newId(),
      connection_id: office.connectionId,
      channel: post.channel,
      place_kind: "group",
      conversation_id: post.conversationId ?? null,
      lane: "x",
      purpose: "answer",
      op: "post",
      body: "{}",
      platform_message_id: post.messageId,
      status: "sent",
      dedup_key: post.messageId,
    })
    .execute();
}
