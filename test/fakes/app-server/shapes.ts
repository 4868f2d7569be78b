import type { Notification, NotificationMethod, Result, Thread, ThreadItem, Turn } from "../../../src/codex/index.ts";

/** The answers and notifications of app-server in its own shapes, as far as a client looks at them. */

export function makeThread(id: string, cwd: string, status: Thread["status"]): Thread {
  return {
    id,
    environments: null,
    extra: null,
    sessionId: id,
    forkedFromId: null,
    attachedToThreadId: null,
    parentThreadId: null,
    preview: "",
    ephemeral: false,
    section: null,
    sectionEnteredAt: null,
    projectId: null,
    historyMode: "paginated",
    modelProvider: "shipmate",
    model: "gpt-5.5",
    reasoningEffort: null,
    createdAt: seconds(),
    updatedAt: seconds(),
    recencyAt: null,
    status,
    path: null,
    cwd,
    cliVersion: "0.171.0",
    originator: null,
    source: "appServer",
    canAcceptDirectInput: true,
    threadSource: null,
    agentNickname: null,
    agentRole: null,
    gitInfo: null,
    name: null,
    daybreakEnabled: null,
    turns: [],
  };
}

export function makeTurn(id: string, status: Turn["status"], items: ThreadItem[], error: Turn["error"] = null): Turn {
  const ended = status !== "inProgress";
  return {
    id,
    rootTurnId: id,
    items,
    itemsView: ended && items.length > 0 ? "summary" : "notLoaded",
    status,
    error,
    startedAt: seconds(),
    completedAt: ended ? seconds() : null,
    durationMs: ended ? 1 : null,
  };
}

export function threadResult(thread: Thread): Result<"thread/start"> {
  return {
    thread,
    model: "gpt-5.5",
    modelProvider: "shipmate",
    serviceTier: null,
    disabledPluginIds: [],
    cwd: thread.cwd,
    runtimeWorkspaceRoots: [thread.cwd],
    instructionSources: [],
    approvalPolicy: "never",
    approvalsReviewer: "user",
    sandbox: { type: "dangerFullAccess" },
    activePermissionProfile: null,
    reasoningEffort: null,
    multiAgentMode: "explicitRequestOnly",
  };
}

export function agentMessage(id: string, text: string): ThreadItem {
  return {
    type: "agentMessage",
    moderation: null,
    id,
    text,
    phase: "final_answer",
    memoryCitation: null,
    delivery: null,
    questions: null,
  };
}

type NotificationParams<M extends NotificationMethod> = Extract<Notification, { method: M }>["params"];

export function notification<M extends NotificationMethod>(method: M, params: NotificationParams<M>): string {
  return JSON.stringify({ method, params, emittedAtMs: Date.now() });
}

export function tokenUsage(threadId: string, turnId: string): string {
  const usage = {
    totalTokens: 1010,
    inputTokens: 1000,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 10,
    reasoningOutputTokens: 0,
  };
  return notification("thread/tokenUsage/updated", {
    threadId,
    turnId,
    tokenUsage: { total: usage, last: usage, modelContextWindow: 258_400 },
  });
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
