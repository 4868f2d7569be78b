import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../storage/index.ts";

export interface UnsettledRun {
  readonly id: string;
  readonly conversationId: string;
  readonly stopRequestedAt: Date | null;
}

/** The runs of a computer that have not ended, oldest first. */
export async function unsettledRuns(db: Db, computer: string): Promise<UnsettledRun[]> {
  return db
    .selectFrom("runs")
    .select(["id", "conversation_id as conversationId", "stop_requested_at as stopRequestedAt"])
    .where("computer", "=", computer)
    .where("status", "in", ["starting", "running", "waiting", "reconciling"])
    .orderBy("created_at")
    .execute();
}

export interface StrandedSteer {
  readonly id: string;
  readonly threadId: string | null;
  readonly outcome: "completed" | "failed" | "interrupted";
}

/** Steered deliveries of runs that ended before it was known whether they arrived. */
export async function strandedSteers(db: Db, computer: string): Promise<StrandedSteer[]> {
  const rows = await db
    .selectFrom("deliveries as d")
    .innerJoin("runs as r", "r.id", "d.run_id")
    .select(["d.id", "r.codex_thread_id as threadId", "r.status"])
    .where("r.computer", "=", computer)
    .where("d.status", "=", "starting")
    .where("d.joined", "=", "steer")
    .execute();
  return rows.flatMap(({ id, threadId, status }) =>
    status === "completed" || status === "failed" || status === "interrupted"
      ? [{ id, threadId, outcome: status }]
      : [],
  );
}

/** Texts of a run's timeline, in order: whole messages, and pieces of those that never became whole. */
export async function toldSoFar(db: Db, runId: string): Promise<string> {
  const rows = await db
    .selectFrom("run_events")
    .select(["kind", "item_id", sql<string | null>`payload->>'text'`.as("text")])
    .where("run_id", "=", runId)
    .where("kind", "in", ["text", "text_delta"])
    .orderBy("seq")
    .execute();
  const items = new Map<string, string>();
  for (const row of rows) {
    const key = row.item_id ?? "";
    items.set(key, row.kind === "text" ? (row.text ?? "") : (items.get(key) ?? "") + (row.text ?? ""));
  }
  return [...items.values()]
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}

export async function lastEventNumber(db: Db, runId: string): Promise<number> {
  const row = await db
    .selectFrom("run_events")
    .select((e) => e.fn.max("seq").as("seq"))
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

const queuedFileShape = z.object({
  path: z.string(),
  name: z.string(),
  caption: z.string().optional(),
  key: z.string().optional(),
});
export type StoredQueuedFile = z.infer<typeof queuedFileShape>;

/** Files the teammate queued to be sent with its answer, as its timeline has them. */
export async function queuedFiles(db: Db, runId: string): Promise<StoredQueuedFile[]> {
  const rows = await db
    .selectFrom("run_events")
    .select("payload")
    .where("run_id", "=", runId)
    .where("kind", "=", "file")
    .orderBy("seq")
    .execute();
  return rows.flatMap((row) => queuedFileShape.safeParse(row.payload).data ?? []);
}
