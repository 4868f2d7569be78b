import { setTimeout as sleep } from "node:timers/promises";
import type { CodexConnection } from "./connection.ts";
import { CodexError } from "./errors.ts";
import type { JsonValue, ThreadItem, Turn, UserInput } from "./protocol/types.ts";
import { interrupt } from "./turns.ts";

/** Something for the model alone: it has no tools, no files and no conversation, and nothing of it is kept. */
export interface ModelQuestion {
  readonly instructions: string;
  readonly input: string;
  /** JSON schema of the answer; then the answer is JSON. */
  readonly outputSchema?: JsonValue | undefined;
  /** Codex's own choice when absent. */
  readonly model?: string | undefined;
  readonly modelProvider?: string | undefined;
  readonly effort?: string | undefined;
  /** What leads to the provider, where that needs more than its name. May hold a key: never log it. */
  readonly config?: Readonly<Record<string, JsonValue>> | undefined;
  /** All of it together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Everything a turn could do besides answering, and everything Codex would tell the model about a computer. */
const nothingElse: Readonly<Record<string, JsonValue>> = {
  web_search: "disabled",
  "features.shell_tool": false,
  "features.unified_exec": false,
  "features.request_permissions_tool": false,
  "tools.update_plan.enabled": false,
  "skills.include_instructions": false,
  include_environment_context: false,
  include_permissions_instructions: false,
};

/**
 * Asks the model one thing on the shared connection, in a thread that is gone afterwards, and resolves with the text of its answer.
 * Rejects with `CodexError`: `timeout` after `timeoutMs`, `unavailable` where the turn failed or the line did; or with the signal's reason.
 */
export async function askModel(connection: CodexConnection, question: ModelQuestion): Promise<string> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new CodexError("timeout", `The model did not answer within ${question.timeoutMs} ms.`));
  }, question.timeoutMs);
  const signal = question.signal === undefined ? late.signal : AbortSignal.any([late.signal, question.signal]);
  try {
    await connection.ready({ signal });
    return await answerOf(connection, await startThread(connection, question, signal), question, signal);
  } finally {
    clearTimeout(timer);
  }
}

async function startThread(
  connection: CodexConnection,
  { instructions, model, modelProvider, config }: ModelQuestion,
  signal: AbortSignal,
): Promise<string> {
  const params = {
    ephemeral: true,
    sandbox: "read-only" as const,
    approvalPolicy: "never" as const,
    // Tools that a model has whatever the settings say find no computer to work on.
    environments: [],
    baseInstructions: instructions,
    model: model ?? null,
    modelProvider: modelProvider ?? null,
    config: { ...nothingElse, ...config },
  };
  signal.throwIfAborted();
  const started = connection.request("thread/start", params);
  const given = Promise.withResolvers<never>();
  const onAbort = () => given.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return (await Promise.race([started, given.promise])).thread.id;
  } catch (error) {
    // A thread that comes too late is left at once.
    started.then(
      ({ thread }) => leave(connection, thread.id, undefined),
      () => undefined,
    );
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function answerOf(
  connection: CodexConnection,
  threadId: string,
  { input, outputSchema, effort }: ModelQuestion,
  signal: AbortSignal,
): Promise<string> {
  const over = Promise.withResolvers<Turn>();
  over.promise.catch(() => {}); // Awaited below, unless starting fails first.
  const onAbort = () => over.reject(signal.reason);
  let isOver = false;
  let said: string | undefined;
  using _attachment = connection.attach(threadId, {
    onNotification(notification) {
      if (notification.method === "item/completed") said = spoken(notification.params.item) ?? said;
      if (notification.method !== "turn/completed") return;
      isOver = true;
      over.resolve(notification.params.turn);
    },
    onRequest: (request) => void request.refuse("Nothing can be asked here."),
    onDisconnect: () => over.reject(new CodexError("unavailable", "The connection to Codex was lost.")),
  });
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const text: UserInput = { type: "text", text: input, text_elements: [] };
  const params = { threadId, input: [text], outputSchema: outputSchema ?? null, effort: effort ?? null };
  const started = connection.request("turn/start", params);
  try {
    const [, turn] = await Promise.all([started, over.promise]);
    if (turn.status === "completed" && said !== undefined) return said;
    throw new CodexError("unavailable", turn.error?.message ?? "The model gave no answer.", { data: turn.error });
  } finally {
    signal.removeEventListener("abort", onAbort);
    void leave(connection, threadId, isOver ? undefined : started);
  }
}

function spoken(item: ThreadItem): string | undefined {
  return item.type === "agentMessage" && item.phase !== "commentary" ? item.text : undefined;
}

/** Stops what nobody waits for any more. Codex forgets the thread once nobody listens to it. Never rejects. */
async function leave(
  connection: CodexConnection,
  threadId: string,
  started: Promise<{ readonly turn: Pick<Turn, "id"> }> | undefined,
): Promise<void> {
  try {
    const turnId = (await started?.catch(() => undefined))?.turn.id;
    if (turnId !== undefined) await stop(connection, threadId, turnId);
    await connection.request("thread/unsubscribe", { threadId });
  } catch {
    // The line is gone, and the thread with it; one that stays is idle and goes with the server.
  }
}

const stopTries = 20;
const stopPauseMs = 100;

/** A turn can be so fresh that Codex does not count it as running yet. */
async function stop(connection: CodexConnection, threadId: string, turnId: string): Promise<void> {
  for (let tries = 0; tries < stopTries; tries += 1) {
    if ((await interrupt(connection, threadId, turnId)).status === "interrupted") return;
    await sleep(stopPauseMs);
  }
}
