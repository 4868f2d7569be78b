import type { CodexConnection } from "./connection.ts";
import { CodexError } from "./errors.ts";
import type {
  AdditionalContextEntry,
  AskForApproval,
  DynamicToolSpec,
  JsonValue,
  SandboxMode,
  SandboxPolicy,
  Thread,
  ThreadItem,
  Turn,
  TurnError,
  UserInput,
} from "./protocol/types.ts";
import { compact, findTurn, interrupt, interruptAny, readTurns, startTurn, steer } from "./turns.ts";

/** What a thread is made with, and what it is given again when it is loaded after a restart. */
export interface ThreadSettings {
  /** Absolute path of the workspace. */
  cwd: string;
  sandbox: SandboxMode;
  approvalPolicy: AskForApproval;
  model?: string | undefined;
  modelProvider?: string | undefined;
  developerInstructions?: string | undefined;
  baseInstructions?: string | undefined;
  /** MCP servers, feature switches. Codex does not keep them, so they are sent at every start, resume and fork. */
  config?: Readonly<Record<string, JsonValue>> | undefined;
  serviceTier?: string | undefined;
}

export interface NewThreadSettings extends ThreadSettings {
  /** Kept by Codex with the thread for ever: a changed set needs a new thread. */
  dynamicTools?: readonly DynamicToolSpec[] | undefined;
  ephemeral?: boolean | undefined;
}

export interface ThreadInfo {
  threadId: string;
  model: string;
  effort: string | undefined;
}

export type LoadResult =
  | { status: "reused" }
  | ({ status: "resumed" } & ThreadInfo)
  /** The thread was loaded and a turn is running: we are subscribed again, its open requests come again. */
  | ({ status: "rejoined"; turnId: string } & ThreadInfo)
  | { status: "missing"; why: string };

export interface TurnRequest {
  threadId: string;
  input: readonly TurnInput[];
  clientUserMessageId: string;
  model?: string | undefined;
  effort?: string | undefined;
  approvalPolicy?: AskForApproval | undefined;
  sandboxPolicy?: SandboxPolicy | undefined;
  additionalContext?: Readonly<Record<string, AdditionalContextEntry>> | undefined;
  turnTrigger?: string | undefined;
  /** The turn this one works for, in another thread. */
  parentTurnId?: string | undefined;
  rootTurnId?: string | undefined;
  outputSchema?: JsonValue | undefined;
}

/** Codex's inputs, with text in its short form. */
export type TurnInput = { type: "text"; text: string } | Exclude<UserInput, { type: "text" }>;

/** `merged`: the thread was busy, and Codex gave the input to the turn that already ran. */
export interface StartedTurn {
  turnId: string;
  merged: boolean;
}

export interface SteerRequest {
  threadId: string;
  input: readonly TurnInput[];
  expectedTurnId: string;
  clientUserMessageId: string;
}

export type SteerResult =
  | { status: "accepted"; turnId: string }
  | { status: "no_active_turn" }
  | { status: "wrong_turn"; activeTurnId: string | undefined }
  /** Compaction takes no input; try again when it is over. */
  | { status: "not_steerable" };

export type InterruptResult = { status: "interrupted" } | { status: "not_active" };

export interface FoundTurn {
  turnId: string;
  status: Turn["status"];
  /** The last thing the teammate said in this turn that was meant as an answer; undefined when it said nothing. */
  finalText: string | undefined;
  items: readonly ThreadItem[];
  error: TurnError | undefined;
  startedAt: Date | undefined;
  completedAt: Date | undefined;
}

/** Operations on threads and turns. All reject with `CodexError`. */
export interface CodexThreads {
  startThread(settings: NewThreadSettings): Promise<ThreadInfo>;
  /** Makes sure this connection is subscribed to a loaded thread, so that a turn may start. Unarchives when needed. */
  ensureLoaded(threadId: string, settings: ThreadSettings): Promise<LoadResult>;
  /** A new thread with the history of another, up to and including `lastTurnId`. Keeps the tools of the original. */
  fork(threadId: string, settings: ThreadSettings, lastTurnId?: string): Promise<ThreadInfo>;
  startTurn(request: TurnRequest): Promise<StartedTurn>;
  steer(request: SteerRequest): Promise<SteerResult>;
  /** Stops a turn and the commands it left running. Safe to repeat, and when the turn is already over. */
  interrupt(threadId: string, turnId: string): Promise<InterruptResult>;
  /** The same for whatever turn runs in a thread, also one that this connection cannot join (any more). */
  interruptAny(threadId: string): Promise<InterruptResult>;
  /** The newest turns first, with their items. Works for threads that are not loaded. */
  readTurns(threadId: string, limit?: number): Promise<readonly FoundTurn[]>;
  /** Looks for a turn among the last ones, by its id or by the message that started or steered it. */
  findTurn(threadId: string, by: { turnId: string } | { clientUserMessageId: string }): Promise<FoundTurn | undefined>;
  /** Has a loaded thread summarised, in a turn of its own that takes no input; resolves before that turn starts. */
  compact(threadId: string): Promise<void>;
  /**
   * Lets Codex put a thread away: it is resumed when it is needed again. Not one with commands that still run, which would end
   * with it, and not one that `isNeeded` by the time this is known. Resolves with whether it did.
   */
  release(threadId: string, isNeeded: () => boolean): Promise<boolean>;
  archive(threadId: string): Promise<void>;
  setName(threadId: string, name: string): Promise<void>;
}

export function createThreads(connection: CodexConnection): CodexThreads {
  // The latest turn of each thread this process started or rejoined; one short string per thread.
  const activeTurns = new Map<string, string>();
  // Codex handles requests side by side: a resume must not overtake the goodbye before it.
  const leaving = new Map<string, Promise<unknown>>();

  const loaded = (thread: Thread, model: string, effort: string | null): ThreadInfo => {
    connection.loadedThreads.add(thread.id);
    return { threadId: thread.id, model, effort: effort ?? undefined };
  };

  const resume = async (threadId: string, settings: ThreadSettings): Promise<LoadResult> => {
    const { thread, model, reasoningEffort, initialTurnsPage } = await connection.request("thread/resume", {
      threadId,
      ...threadParams(settings),
      // Whole histories are deprecated; the newest turn tells whether one is running.
      excludeTurns: true,
      initialTurnsPage: { limit: 1, sortDirection: "desc" },
    });
    const info = loaded(thread, model, reasoningEffort);
    const running = initialTurnsPage?.data.find(({ status }) => status === "inProgress");
    if (thread.status.type !== "active" || running === undefined) return { status: "resumed", ...info };
    activeTurns.set(threadId, running.id);
    return { status: "rejoined", turnId: running.id, ...info };
  };

  const ensureLoaded: CodexThreads["ensureLoaded"] = async (threadId, settings) => {
    if (connection.loadedThreads.has(threadId)) return { status: "reused" };
    await leaving.get(threadId);
    try {
      return await resume(threadId, settings);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      if (error.kind === "thread_missing") return { status: "missing", why: error.message };
      if (!/is archived/.test(error.message)) throw error;
      await connection.request("thread/unarchive", { threadId });
      return resume(threadId, settings);
    }
  };

  return {
    ensureLoaded,
    startThread: async (settings) => {
      const { thread, model, reasoningEffort } = await connection.request("thread/start", {
        ...threadParams(settings),
        dynamicTools: settings.dynamicTools === undefined ? null : [...settings.dynamicTools],
        ephemeral: settings.ephemeral ?? null,
      });
      return loaded(thread, model, reasoningEffort);
    },
    fork: async (threadId, settings, lastTurnId) => {
      const { thread, model, reasoningEffort } = await connection.request("thread/fork", {
        threadId,
        ...threadParams(settings),
        lastTurnId: lastTurnId ?? null,
        excludeTurns: true,
      });
      return loaded(thread, model, reasoningEffort);
    },
    startTurn: (request) => startTurn(connection, activeTurns, request),
    steer: (request) => steer(connection, request),
    interrupt: (threadId, turnId) => interrupt(connection, threadId, turnId),
    interruptAny: (threadId) => interruptAny(connection, threadId),
    readTurns: (threadId, limit = 10) => readTurns(connection, threadId, limit),
    findTurn: (threadId, by) => findTurn(connection, threadId, by),
    compact: (threadId) => compact(connection, threadId),
    release: async (threadId, isNeeded) => {
      if (!connection.loadedThreads.has(threadId)) return false;
      const { data } = await connection.request("thread/backgroundTerminals/list", { threadId });
      if (data.length > 0 || isNeeded()) return false;
      connection.loadedThreads.delete(threadId);
      activeTurns.delete(threadId);
      const gone = connection.request("thread/unsubscribe", { threadId });
      leaving.set(
        threadId,
        gone.catch(() => undefined),
      );
      try {
        await gone;
      } finally {
        leaving.delete(threadId);
      }
      return true;
    },
    archive: async (threadId) => {
      await connection.request("thread/archive", { threadId });
      connection.loadedThreads.delete(threadId);
    },
    setName: async (threadId, name) => void (await connection.request("thread/name/set", { threadId, name })),
  };
}

/** What start, resume and fork take alike. Null means "as it is" to Codex. */
function threadParams(settings: ThreadSettings) {
  return {
    cwd: settings.cwd,
    sandbox: settings.sandbox,
    approvalPolicy: settings.approvalPolicy,
    model: settings.model ?? null,
    modelProvider: settings.modelProvider ?? null,
    developerInstructions: settings.developerInstructions ?? null,
    baseInstructions: settings.baseInstructions ?? null,
    config: settings.config ?? null,
    serviceTier: settings.serviceTier ?? null,
  };
}
