import type { UsableAccess } from "../access/index.ts";
import { CodexError, type JsonValue, type LoadResult, type ThreadInfo, type ThreadSettings } from "../codex/index.ts";
import type { McpSetup } from "../mcp/index.ts";
import { newId } from "../shared/index.ts";
import { inTransaction, type Unit } from "../storage/index.ts";
import type { Teammate } from "../teammates/index.ts";
import { toolNamespace } from "../tools/index.ts";
import { wordsFor } from "../words/index.ts";
import { buildHandoff } from "./handoff.ts";
import type { Instructions } from "./instructions.ts";
import type { RunContext } from "./run-context.store.ts";
import type { RunDeps } from "./settings.ts";
import * as store from "./threads.store.ts";
import { putAway } from "./threads-put-away.ts";

export interface ChosenThread {
  readonly threadId: string;
  /** As Codex reported it; null for a thread that was loaded before. */
  readonly model: string | null;
  /** `reused`: it was loaded as far as we knew, but Codex may have put it away meanwhile. */
  readonly how: "reused" | "resumed" | "forked" | "new";
  /** What a fresh thread must be told of the conversation before it. */
  readonly handoff: string | null;
}

export interface ThreadNeeds {
  /** The workspace, absolute. */
  readonly cwd: string;
  readonly instructions: Instructions;
  readonly mcp: McpSetup;
  /** Grows when something remembered is corrected or forgotten; `changedAt` is when it last did. */
  readonly memory: { readonly generation: number; readonly changedAt: Date | null };
  /** What the turn runs on. */
  readonly access: UsableAccess;
  /** The thread the conversation goes on in, if it has one. */
  readonly thread: store.ThreadRow | undefined;
  /** The messages this turn is about: they are not part of the history. */
  readonly messageIds: readonly string[];
  /** Called before anything can arrive for a thread, and again if another one takes its place. */
  readonly attach: (threadId: string) => void;
}

type ThreadDeps = Pick<RunDeps, "db" | "log" | "clock" | "threads" | "tools" | "settings" | "outbox">;

/**
 * What becomes of a conversation's thread. Tools, instructions and what was forgotten cannot be changed in one, so it ends and a
 * new one is handed what was said; another provider or other MCP servers take a copy of it, with its whole history.
 */
export type ThreadPlan = "new" | "fork" | "go_on";

export function planThread(
  deps: Pick<RunDeps, "tools">,
  run: Pick<RunContext, "resetAt">,
  needs: Omit<ThreadNeeds, "attach">,
): ThreadPlan {
  const { thread } = needs;
  if (thread === undefined || (run.resetAt !== null && thread.createdAt <= run.resetAt)) return "new";
  const wanted = madeWith(deps, needs);
  if (
    thread.toolsFingerprint !== wanted.toolsFingerprint ||
    thread.instructionsHash !== wanted.instructionsHash ||
    thread.memoryGeneration !== wanted.memoryGeneration
  )
    return "new";
  return thread.provider === wanted.provider && thread.mcpFingerprint === wanted.mcpFingerprint ? "go_on" : "fork";
}

/** The thread a turn takes place in, loaded and attached. Where the one there was is gone, a new one takes its place. */
export async function chooseThread(deps: ThreadDeps, run: RunContext, needs: ThreadNeeds): Promise<ChosenThread> {
  const { thread } = needs;
  const plan = planThread(deps, run, needs);
  // Runs of a conversation are one after another: where there was no thread, nobody has made one meanwhile.
  if (thread === undefined) return newThread(deps, run, needs, store.bindThread);
  if (plan === "new") return newThread(deps, run, needs);
  const gone = (why: string) => {
    deps.log.warn({ runId: run.runId, why }, "the conversation's thread is gone: a new one takes its place");
    return newThread(deps, run, needs);
  };
  if (plan === "fork") {
    const copy = await forkThread(deps, run, needs, thread);
    return "why" in copy ? gone(copy.why) : copy;
  }
  needs.attach(thread.codexThreadId);
  const loaded = await deps.threads.ensureLoaded(thread.codexThreadId, threadSettings(deps, run.teammate, needs));
  if (loaded.status === "missing") return gone(loaded.why);
  await endGhost(deps, thread.codexThreadId, loaded);
  return {
    threadId: thread.codexThreadId,
    model: "model" in loaded ? loaded.model : null,
    how: loaded.status === "reused" ? "reused" : "resumed",
    handoff: await pendingHandoff(deps, run, needs, thread),
  };
}

/** A turn that runs although its run is over would swallow ours: Codex gives new input to a running turn. */
async function endGhost(deps: ThreadDeps, threadId: string, loaded: LoadResult): Promise<void> {
  if (loaded.status !== "rejoined") return;
  deps.log.warn({ threadId, turnId: loaded.turnId }, "a turn without a run is stopped");
  await deps.threads.interrupt(threadId, loaded.turnId);
}

/** A thread that no turn took its handoff in yet is told as things are now: something may have been edited, deleted or added. */
async function pendingHandoff(
  deps: ThreadDeps,
  run: RunContext,
  needs: ThreadNeeds,
  thread: store.ThreadRow,
): Promise<string | null> {
  return thread.pendingHandoff === null ? null : handoffFor(deps, run, needs);
}

function handoffFor(deps: Pick<RunDeps, "db">, run: RunContext, needs: ThreadNeeds): Promise<string | null> {
  const { changedAt } = needs.memory;
  const { resetAt } = run;
  return buildHandoff(deps.db, {
    conversationId: run.conversationId,
    teammateName: run.teammate.name,
    // What was forgotten or corrected was said before that: it must not come back this way, now or later.
    since: resetAt !== null && changedAt !== null && resetAt > changedAt ? resetAt : (changedAt ?? resetAt),
    without: needs.messageIds,
  });
}

/** Copies the thread with its whole history. Its model falls back to Codex's own unless it is named, so it is. */
async function forkThread(
  deps: ThreadDeps,
  run: RunContext,
  needs: ThreadNeeds,
  thread: store.ThreadRow,
): Promise<ChosenThread | { readonly why: string }> {
  let info: ThreadInfo;
  try {
    info = await deps.threads.fork(thread.codexThreadId, threadSettings(deps, run.teammate, needs));
  } catch (error) {
    // Before its first turn a thread cannot be copied, and one that was deleted cannot either.
    if (error instanceof CodexError && (error.kind === "thread_missing" || error.kind === "refused")) {
      return { why: error.message };
    }
    throw error;
  }
  needs.attach(info.threadId);
  const handoff = await pendingHandoff(deps, run, needs, thread);
  await replace(deps, run, needs, {
    codexThreadId: info.threadId,
    pendingHandoff: handoff,
    forkedFrom: thread.codexThreadId,
    status: thread.status === "active" ? "active" : "provisional",
  });
  return { threadId: info.threadId, model: info.model, how: "forked", handoff };
}

/** Starts a thread and puts it in the place of the one before. */
export async function newThread(
  deps: ThreadDeps,
  run: RunContext,
  needs: ThreadNeeds,
  bindFirst?: typeof store.bindThread,
): Promise<ChosenThread> {
  const [handoff, info] = await Promise.all([
    handoffFor(deps, run, needs),
    deps.threads.startThread({
      ...threadSettings(deps, run.teammate, needs),
      dynamicTools: deps.tools.of("conversation").specs,
    }),
  ]);
  needs.attach(info.threadId);
  const { threadId, model } = info;
  const made = { codexThreadId: threadId, pendingHandoff: handoff, forkedFrom: null, status: "provisional" } as const;
  if (bindFirst === undefined) await replace(deps, run, needs, made);
  else await bindFirst(deps.db, bound(deps, run, needs, made), run.runId);
  return { threadId, model, how: "new", handoff };
}

type Made = Pick<store.NewThread, "codexThreadId" | "pendingHandoff" | "forkedFrom" | "status">;

function bound(deps: ThreadDeps, run: RunContext, needs: ThreadNeeds, made: Made): store.NewThread {
  const { conversationId } = run;
  return { ...made, ...madeWith(deps, needs), id: newId(), conversationId, at: deps.clock.now() };
}

/** The thread before is over for good; Codex need not keep it at hand. */
async function replace(deps: ThreadDeps, run: RunContext, needs: ThreadNeeds, made: Made): Promise<void> {
  const { thread, access } = needs;
  const next = bound(deps, run, needs, made);
  const isNewPayer = thread !== undefined && thread.provider !== access.provider;
  const paidBefore = isNewPayer ? await store.lastPayer(deps.db, run.conversationId) : undefined;
  await inTransaction(deps.db, deps.log, async (unit) => {
    await store.retireThread(unit.db, run.conversationId, next.at);
    await store.bindThread(unit.db, next, run.runId);
    if (paidBefore !== undefined && paidBefore !== access.payer) await tellPayer(deps, unit, run, access, made);
  });
  if (thread !== undefined) void putAway(deps, thread.codexThreadId, () => false);
}

/** In the middle of a conversation its bill moves: that is worth a line, and nobody's phone. */
async function tellPayer(
  deps: ThreadDeps,
  unit: Unit,
  run: RunContext,
  { payer }: UsableAccess,
  { codexThreadId }: Made,
): Promise<void> {
  const { conversationId, runId, to, requester } = run;
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: { text: wordsFor(requester?.locale).runs.continuingOn[payer], notify: false },
    to,
    purpose: "notice",
    lane: `conversation:${conversationId}`,
    dedupKey: `payer:${codexThreadId}`,
    conversationId,
    runId,
  });
}

function madeWith(deps: Pick<RunDeps, "tools">, needs: Omit<ThreadNeeds, "attach">): store.MadeWith {
  return {
    toolsFingerprint: deps.tools.of("conversation").fingerprint,
    instructionsHash: needs.instructions.hash,
    memoryGeneration: needs.memory.generation,
    provider: needs.access.provider,
    mcpFingerprint: needs.mcp.fingerprint,
  };
}

/** Codex keeps none of `config`, so all of it goes along at every start and resume. */
const threadConfig: Readonly<Record<string, JsonValue>> = {
  "features.code_mode.direct_only_tool_namespaces": [toolNamespace],
};

export function threadSettings(
  deps: Pick<RunDeps, "settings">,
  teammate: Teammate,
  needs: Pick<ThreadNeeds, "cwd" | "instructions" | "access" | "mcp">,
): ThreadSettings {
  return {
    cwd: needs.cwd,
    sandbox: teammate.access === "full" && deps.settings.isolated ? "danger-full-access" : "workspace-write",
    approvalPolicy: approvalPolicy(teammate),
    model: needs.access.model,
    modelProvider: needs.access.modelProvider,
    developerInstructions: needs.instructions.text,
    config: { ...threadConfig, ...needs.mcp.config, ...needs.access.config },
  };
}

export function approvalPolicy(teammate: Pick<Teammate, "autonomy">): "untrusted" | "on-request" | "never" {
  switch (teammate.autonomy) {
    case "ask_all":
      return "untrusted";
    case "ask_consequential":
      return "on-request";
    case "autonomous":
      return "never";
  }
}
