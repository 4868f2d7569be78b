import type { Db } from "../storage/index.ts";

export interface ThreadRow {
  readonly id: string;
  readonly codexThreadId: string;
  readonly toolsFingerprint: string;
  readonly instructionsHash: string;
  readonly provider: string;
  readonly status: "provisional" | "active" | "retired";
  readonly pendingHandoff: string | null;
  readonly createdAt: Date;
}

/** The Codex thread a conversation goes on in, if it has one. */
export async function currentThread(db: Db, conversationId: string): Promise<ThreadRow | undefined> {
  return db
    .selectFrom("codex_threads")
    .select(["id", "codex_thread_id as codexThreadId", "tools_fingerprint as toolsFingerprint"])
    .select(["instructions_hash as instructionsHash", "provider", "status", "pending_handoff as pendingHandoff"])
    .select("created_at as createdAt")
    .where("conversation_id", "=", conversationId)
    .where("status", "<>", "retired")
    .executeTakeFirst();
}

export interface NewThread {
  readonly id: string;
  readonly conversationId: string;
  readonly codexThreadId: string;
  readonly toolsFingerprint: string;
  readonly instructionsHash: string;
  readonly provider: string;
  readonly pendingHandoff: string | null;
  readonly at: Date;
}

/** Puts a new thread in the place of the one before, and notes on the run where it will take place. */
export async function replaceThread(db: Db, thread: NewThread, runId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await retireThread(tx, thread.conversationId, thread.at);
    await bindFirstThread(tx, thread, runId);
  });
}

/** The same where there is no thread before. Each thread of a chat begins with it, so it is one statement. */
export async function bindFirstThread(db: Db, thread: NewThread, runId: string): Promise<void> {
  await db
    .with("bound", (query) =>
      query.insertInto("codex_threads").values({
        id: thread.id,
        conversation_id: thread.conversationId,
        codex_thread_id: thread.codexThreadId,
        tools_fingerprint: thread.toolsFingerprint,
        instructions_hash: thread.instructionsHash,
        provider: thread.provider,
        status: "provisional",
        pending_handoff: thread.pendingHandoff,
        created_at: thread.at,
      }),
    )
    .updateTable("runs")
    .set({ codex_thread_id: thread.codexThreadId })
    .where("id", "=", runId)
    .execute();
}

export async function retireThread(db: Db, conversationId: string, at: Date): Promise<void> {
  await db
    .updateTable("codex_threads")
    .set({ status: "retired", retired_at: at })
    .where("conversation_id", "=", conversationId)
    .where("status", "<>", "retired")
    .execute();
}

/** Its first turn completed, so from now on it is worth resuming. */
export async function confirmThread(db: Db, codexThreadId: string): Promise<void> {
  await db
    .updateTable("codex_threads")
    .set({ status: "active" })
    .where("codex_thread_id", "=", codexThreadId)
    .where("status", "=", "provisional")
    .execute();
}
