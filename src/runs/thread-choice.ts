import type { UsableAccess } from "../access/index.ts";
import type { JsonValue, LoadResult, ThreadSettings } from "../codex/index.ts";
import { newId, redact } from "../shared/index.ts";
import type { Teammate } from "../teammates/index.ts";
import { toolNamespace } from "../tools/index.ts";
import { history } from "./history.store.ts";
import type { Instructions } from "./instructions.ts";
import type { RunContext } from "./run-context.store.ts";
import type { RunDeps } from "./settings.ts";
import * as store from "./threads.store.ts";

export interface ChosenThread {
  readonly threadId: string;
  /** As Codex reported it; null for a thread that was loaded before. */
  readonly model: string | null;
  /** What a fresh thread must be told of the conversation before it. */
  readonly handoff: string | null;
}

export interface ThreadNeeds {
  /** The workspace, absolute. */
  readonly cwd: string;
  readonly instructions: Instructions;
  /** What the turn runs on. */
  readonly access: UsableAccess;
  /** The thread the conversation goes on in, if it has one. */
  readonly thread: store.ThreadRow | undefined;
  /** The messages this turn is about: they are not part of the history. */
  readonly messageIds: readonly string[];
  /** Called before anything can arrive for a thread, and again if another one takes its place. */
  readonly attach: (threadId: string) => void;
}

type ThreadDeps = Pick<RunDeps, "db" | "log" | "clock" | "threads" | "tools" | "settings">;

/** Goes on in the conversation's thread while nothing it was made with has changed; else starts a new one with a handoff. */
export async function chooseThread(deps: ThreadDeps, run: RunContext, needs: ThreadNeeds): Promise<ChosenThread> {
  const row = needs.thread;
  // Runs of a conversation are one after another: where there was no thread, nobody has made one meanwhile.
  if (row === undefined) return newThread(deps, run, needs, store.bindFirstThread);
  if (!stillFits(deps, run, needs, row)) return newThread(deps, run, needs);
  needs.attach(row.codexThreadId);
  const settings = threadSettings(deps, run.teammate, needs);
  const loaded = await deps.threads.ensureLoaded(row.codexThreadId, settings);
  if (loaded.status === "missing") {
    deps.log.warn(
      { runId: run.runId, why: loaded.why },
      "the conversation's thread is gone: a new one takes its place",
    );
    return newThread(deps, run, needs);
  }
  await endGhost(deps, row.codexThreadId, loaded);
  return {
    threadId: row.codexThreadId,
    model: "model" in loaded ? loaded.model : null,
    handoff: row.pendingHandoff,
  };
}

/** A turn that runs although its run is over would swallow ours: Codex gives new input to a running turn. */
async function endGhost(deps: ThreadDeps, threadId: string, loaded: LoadResult): Promise<void> {
  if (loaded.status !== "rejoined") return;
  deps.log.warn({ threadId, turnId: loaded.turnId }, "a turn without a run is stopped");
  await deps.threads.interrupt(threadId, loaded.turnId);
}

function stillFits(deps: ThreadDeps, run: RunContext, needs: ThreadNeeds, row: store.ThreadRow): boolean {
  if (run.resetAt !== null && row.createdAt <= run.resetAt) return false;
  return (
    row.toolsFingerprint === deps.tools.fingerprint &&
    row.instructionsHash === needs.instructions.hash &&
    row.provider === needs.access.provider
  );
}

/** Starts a thread and puts it in the place of the one before. */
export async function newThread(
  deps: ThreadDeps,
  run: RunContext,
  needs: ThreadNeeds,
  bind: typeof store.replaceThread = store.replaceThread,
): Promise<ChosenThread> {
  const [handoff, info] = await Promise.all([
    buildHandoff(deps, run, needs.messageIds),
    deps.threads.startThread({
      ...threadSettings(deps, run.teammate, needs),
      dynamicTools: deps.tools.specs,
    }),
  ]);
  needs.attach(info.threadId);
  const thread = {
    id: newId(),
    conversationId: run.conversationId,
    codexThreadId: info.threadId,
    toolsFingerprint: deps.tools.fingerprint,
    instructionsHash: needs.instructions.hash,
    provider: needs.access.provider,
    pendingHandoff: handoff,
    at: deps.clock.now(),
  };
  await bind(deps.db, thread, run.runId);
  return { threadId: info.threadId, model: info.model, handoff };
}

/** Codex keeps none of `config`, so all of it goes along at every start and resume. */
const threadConfig: Readonly<Record<string, JsonValue>> = {
  "features.code_mode.direct_only_tool_namespaces": [toolNamespace],
};

export function threadSettings(
  deps: Pick<RunDeps, "settings">,
  teammate: Teammate,
  needs: Pick<ThreadNeeds, "cwd" | "instructions" | "access">,
): ThreadSettings {
  return {
    cwd: needs.cwd,
    sandbox: teammate.access === "full" && deps.settings.isolated ? "danger-full-access" : "workspace-write",
    approvalPolicy: approvalPolicy(teammate),
    model: needs.access.model,
    modelProvider: needs.access.modelProvider,
    developerInstructions: needs.instructions.text,
    config: { ...threadConfig, ...needs.access.config },
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

const handoffLimit = 8_000;
const handoffLines = 60;
const lineLimit = 1_500;

/** What was said before, newest kept; null where there is nothing. Redacted before it is cut. */
async function buildHandoff(
  deps: Pick<RunDeps, "db">,
  run: RunContext,
  messageIds: readonly string[],
): Promise<string | null> {
  const lines = await history(deps.db, run.conversationId, run.resetAt, messageIds, handoffLines);
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    const text = `${line.authorName}: ${cut(redact(line.text), lineLimit)}`;
    if (length + text.length + 2 > handoffLimit) break;
    kept.unshift(text);
    length += text.length + 2;
  }
  return kept.length === 0 ? null : kept.join("\n\n");
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}
