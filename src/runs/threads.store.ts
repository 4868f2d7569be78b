import type { Db } from "../storage/index.ts";

/** What a Codex thread was made with: as long as all of it holds, the conversation goes on in it. */
export interface MadeWith {
  readonly toolsFingerprint: string;
  readonly instructionsHash: string;
  readonly memoryGeneration: number;
  readonly provider: string;
  readonly mcpFingerprint: string;
}

export interface ThreadRow extends MadeWith {
  readonly id: string;
  readonly codexThreadId: string;
  readonly status: "provisional" | "active" | "retired";
  readonly pendingHandoff: string | null;
  readonly createdAt: Date;
}

/** The Codex thread a conversation goes on in, if it has one. */
export async function currentThread(db: Db, conversationId: string): Promise<ThreadRow | undefined> {
  return db
    .selectFrom("codex_threads")
    .select(["id", "codex_thread_id as codexThreadId", "tools_fingerprint as toolsFingerprint"])
    .select(["instructions_hash as instructionsHash", "provider", "memory_generation as memoryGeneration"])
    .select(["mcp_fingerprint as mcpFingerprint", "status", "pending_handoff as pendingHandoff"])
    .select("created_at as createdAt")
    .where("conversation_id", "=", conversationId)
    .where("status", "<>", "retired")
    .executeTakeFirst();
}

export interface NewThread extends MadeWith {
  readonly id: string;
  readonly conversationId: string;
  readonly codexThreadId: string;
  readonly pendingHandoff: string | null;
  /** The Codex thread whose history it has. */
  readonly forkedFrom: string | null;
  /** A fork of a thread that is worth resuming is worth it too. */
  readonly status: "provisional" | "active";
  readonly at: Date;
}

/** Notes a thread and on the run that it takes place there. Each thread of a chat begins with it, so it is one statement. */
export async function bindThread(db: Db, thread: NewThread, runId: string): Promise<void> {
  await db
    .with("bound", (query) =>
      query.insertInto("codex_threads").values({
        id: thread.id,
        conversation_id: thread.conversationId,
        codex_thread_id: thread.codexThreadId,
        tools_fingerprint: thread.toolsFingerprint,
        instructions_hash: thread.instructionsHash,
        memory_generation: thread.memoryGeneration,
        provider: thread.provider,
        mcp_fingerprint: thread.mcpFingerprint,
        forked_from: thread.forkedFrom,
        status: thread.status,
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

/** A turn completed in it: it is worth resuming, and what it was handed it knows. */
export async function confirmThread(db: Db, codexThreadId: string): Promise<void> {
  await db
    .updateTable("codex_threads")
    .set((e) => ({
      status: e
        .case()
        .when("status", "=", "provisional")
        .then("active" as const)
        .else(e.ref("status"))
        .end(),
      pending_handoff: null,
    }))
    .where("codex_thread_id", "=", codexThreadId)
    .where((e) => e.or([e("status", "=", "provisional"), e("pending_handoff", "is not", null)]))
    .execute();
}

/** What the latest turn of a conversation was paid with; undefined where none was taken yet. */
export async function lastPayer(db: Db, conversationId: string): Promise<string | undefined> {
  const run = await db
    .selectFrom("runs")
    .select("auth_mode")
    .where("conversation_id", "=", conversationId)
    .where("auth_mode", "is not", null)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return run?.auth_mode ?? undefined;
}
