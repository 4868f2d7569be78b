import { sql } from "kysely";
import type { Db } from "../storage/index.ts";
import { loadDeliveries, type RunDelivery } from "./deliveries.store.ts";

/** Keeps what a teammate answered, for the history a later thread is told. */
export async function addAnswer(
  db: Db,
  answer: { id: string; conversationId: string; teammate: { id: string; name: string }; text: string; at: Date },
): Promise<void> {
  await sql`
    insert into messages (id, conversation_id, place_id, thread, author, author_name, teammate_id, text, sent_at)
    select ${answer.id}::uuid, c.id, c.place_id, c.thread, 'teammate', ${answer.teammate.name}, ${answer.teammate.id}::uuid,
      ${answer.text}, ${answer.at}
    from conversations c where c.id = ${answer.conversationId}`.execute(db);
}

export interface HistoryLine {
  readonly authorName: string;
  readonly author: "person" | "teammate" | "system";
  readonly text: string;
  readonly forwardedFrom: string | null;
  readonly sentAt: Date;
  /** Names only. */
  readonly files: readonly string[];
}

/** What was said in a conversation before these messages and since a moment, newest first, as it is worded now. */
export async function history(
  db: Db,
  conversationId: string,
  since: Date | null,
  without: readonly string[],
  limit: number,
): Promise<HistoryLine[]> {
  return (
    db
      .selectFrom("messages")
      .select(["author_name as authorName", "author", "text", "forwarded_from as forwardedFrom", "sent_at as sentAt"])
      .select(
        sql<string[]>`array(select a.name from attachments a where a.message_id = messages.id order by a.position)`.as(
          "files",
        ),
      )
      .where("conversation_id", "=", conversationId)
      .where("deleted_at", "is", null)
      // Our own word that only tidies up or begins a routine's run.
      .where(
        sql<boolean>`not exists (select 1 from deliveries d where d.message_id = messages.id and d.trigger in ('compact', 'routine'))`,
      )
      .$if(since !== null, (q) => q.where("created_at", ">", since ?? new Date(0)))
      .$if(without.length > 0, (q) => q.where("id", "not in", without))
      .orderBy("seq", "desc")
      .limit(limit)
      .execute()
  );
}

export interface PastStep {
  readonly runId: string;
  readonly endedAt: Date;
  readonly kind: string;
  readonly payload: unknown;
}

/** What was done in the last turns of a conversation since a moment, oldest first: steps that ended, and files that were sent. */
export async function pastSteps(
  db: Db,
  conversationId: string,
  since: Date | null,
  limits: { readonly runs: number; readonly steps: number },
): Promise<PastStep[]> {
  const { rows } = await sql<PastStep>`
    with recent as (
      select id, completed_at from runs
      where conversation_id = ${conversationId} and completed_at is not null
        and created_at > ${since ?? new Date(0)}
      order by created_at desc limit ${limits.runs})
    select e."runId", e."endedAt", e.kind, e.payload
    from recent r cross join lateral (
      select r.id as "runId", r.completed_at as "endedAt", e.kind, e.payload, e.seq
      from run_events e where e.run_id = r.id and e.kind in ('step_ended', 'file')
      order by e.seq desc limit ${limits.steps}) e
    order by e."endedAt", e.seq`.execute(db);
  return rows;
}

/** Messages of earlier turns whose author changed them after that turn had ended. */
export async function editedSince(db: Db, conversationId: string, runId: string): Promise<RunDelivery[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from deliveries d join messages m on m.id = d.message_id join runs r on r.id = d.run_id
    where d.conversation_id = ${conversationId} and m.edited_at is not null and m.deleted_at is null
      and r.completed_at is not null and m.edited_at > r.completed_at
      and m.edited_at > coalesce((select max(created_at) from runs where conversation_id = ${conversationId}
        and id <> ${runId} and created_at < (select created_at from runs where id = ${runId})), '-infinity')
    order by d.queue_order limit 5`.execute(db);
  const found = await Promise.all(rows.map((row) => loadDeliveries(db, { deliveryId: row.id })));
  return found.flat();
}

const doneLimit = 10;

/** Why the run of an earlier delivery ended early, and what it had done by then, in short lines. */
export async function cutShort(
  db: Db,
  deliveryId: string,
): Promise<{ why: "restart" | "failed" | "stopped"; done: string[] } | undefined> {
  const run = await db
    .selectFrom("deliveries as d")
    .innerJoin("runs as r", "r.id", "d.run_id")
    .select(["r.id", "r.status", "r.error_code"])
    .where("d.id", "=", deliveryId)
    .executeTakeFirst();
  if (run === undefined || run.status === "completed") return undefined;
  const steps = await db
    .selectFrom("run_events")
    .select(
      sql<string | null>`coalesce(payload->'step'->>'command', payload->'step'->>'tool', payload->'step'->>'paths',
      payload->'step'->>'query')`.as("what"),
    )
    .where("run_id", "=", run.id)
    .where("kind", "=", "step_ended")
    .where(sql<boolean>`payload->>'outcome' = 'ok'`)
    .orderBy("seq", "desc")
    .limit(doneLimit)
    .execute();
  return {
    why: run.status === "failed" ? "failed" : run.error_code === "stopped" ? "stopped" : "restart",
    done: steps.flatMap(({ what }) => (what === null ? [] : [what.slice(0, 200)])).reverse(),
  };
}
