import type { CodexConnection } from "./connection.ts";
import { CodexError } from "./errors.ts";
import type { ThreadItem, Turn, UserInput } from "./protocol/types.ts";
import type {
  CodexThreads,
  FoundTurn,
  InterruptResult,
  StartedTurn,
  SteerRequest,
  SteerResult,
  TurnInput,
  TurnRequest,
} from "./threads.ts";

/** Turns we know to have started, the latest of each thread. */
export interface KnownTurns {
  get(threadId: string): string | undefined;
  set(threadId: string, turnId: string): void;
}

/**
 * Starts a turn. On a busy thread Codex gives the input to the running turn and returns that turn's id, in a reply
 * that looks just the same; an id we knew before is how to tell.
 */
export async function startTurn(
  connection: CodexConnection,
  known: KnownTurns,
  request: TurnRequest,
): Promise<StartedTurn> {
  const { threadId, input, ...rest } = request;
  try {
    const { turn } = await connection.request("turn/start", {
      threadId,
      input: input.map(toUserInput),
      clientUserMessageId: rest.clientUserMessageId,
      model: rest.model ?? null,
      effort: rest.effort ?? null,
      approvalPolicy: rest.approvalPolicy ?? null,
      sandboxPolicy: rest.sandboxPolicy ?? null,
      additionalContext: rest.additionalContext ?? null,
      turnTrigger: rest.turnTrigger ?? null,
      parentTurnId: rest.parentTurnId ?? null,
      rootTurnId: rest.rootTurnId ?? null,
      outputSchema: rest.outputSchema ?? null,
    });
    const merged = known.get(threadId) === turn.id;
    known.set(threadId, turn.id);
    return { turnId: turn.id, merged };
  } catch (error) {
    if (error instanceof CodexError && error.kind === "thread_missing") connection.loadedThreads.delete(threadId);
    throw error;
  }
}

export async function compact(connection: CodexConnection, threadId: string): Promise<void> {
  try {
    await connection.request("thread/compact/start", { threadId });
  } catch (error) {
    if (error instanceof CodexError && error.kind === "thread_missing") connection.loadedThreads.delete(threadId);
    throw error;
  }
}

export async function steer(connection: CodexConnection, request: SteerRequest): Promise<SteerResult> {
  try {
    const { turnId } = await connection.request("turn/steer", { ...request, input: request.input.map(toUserInput) });
    return { status: "accepted", turnId };
  } catch (error) {
    const outcome = error instanceof CodexError ? steerOutcome(error) : undefined;
    if (outcome === undefined) throw error;
    return outcome;
  }
}

/** Codex tells the reasons apart in its texts only (0.171.0). */
function steerOutcome({ kind, message }: CodexError): SteerResult | undefined {
  if (kind === "thread_missing" || /no active turn/.test(message)) return { status: "no_active_turn" };
  if (/cannot steer|NotSteerable/.test(message)) return { status: "not_steerable" };
  const wrong = /expected active turn id .* but found `?([0-9a-zA-Z-]+)/.exec(message);
  return wrong === null ? undefined : { status: "wrong_turn", activeTurnId: wrong[1] };
}

/** Interrupts, then ends the commands the turn left running, which an interrupt alone does not. */
export async function interrupt(
  connection: CodexConnection,
  threadId: string,
  turnId: string,
): Promise<InterruptResult> {
  const result = await interruptTurn(connection, threadId, turnId);
  if (result === "other_turn") return { status: "not_active" };
  try {
    await connection.request("thread/backgroundTerminals/clean", { threadId });
  } catch (error) {
    if (!(error instanceof CodexError && error.kind === "thread_missing")) throw error;
  }
  return { status: result };
}

/** Goes by no turn that Codex ever made, so that it says which one runs. */
const noTurn = "00000000-0000-7000-8000-000000000000";

/** Interrupts whatever turn runs in a thread: one that cannot be joined or listed any more is known to Codex alone. */
export async function interruptAny(connection: CodexConnection, threadId: string): Promise<InterruptResult> {
  try {
    await connection.request("turn/interrupt", { threadId, turnId: noTurn });
    return { status: "not_active" };
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    const turnId = /but found `?([0-9a-zA-Z-]+)/.exec(error.message)?.[1];
    if (turnId !== undefined) return interrupt(connection, threadId, turnId);
    if (error.kind === "thread_missing" || /no active turn/.test(error.message)) return { status: "not_active" };
    throw error;
  }
}

async function interruptTurn(
  connection: CodexConnection,
  threadId: string,
  turnId: string,
): Promise<"interrupted" | "not_active" | "other_turn"> {
  try {
    await connection.request("turn/interrupt", { threadId, turnId });
    return "interrupted";
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    if (error.kind === "thread_missing" || /no active turn/.test(error.message)) return "not_active";
    // Another turn runs meanwhile: its commands must not be ended with ours.
    if (/expected active turn id/.test(error.message)) return "other_turn";
    throw error;
  }
}

export async function readTurns(
  connection: CodexConnection,
  threadId: string,
  limit: number,
): Promise<readonly FoundTurn[]> {
  const page = await listTurns(connection, threadId, limit, null);
  return page.data.map(describeTurn);
}

const searchPages = 5;
const searchPageSize = 20;

/** Searches the last hundred turns: a recovery looks for something recent. */
export async function findTurn(
  connection: CodexConnection,
  threadId: string,
  by: Parameters<CodexThreads["findTurn"]>[1],
): Promise<FoundTurn | undefined> {
  let cursor: string | null = null;
  for (let pages = 0; pages < searchPages; pages += 1) {
    const page = await listTurns(connection, threadId, searchPageSize, cursor);
    const found = page.data.find((turn) => fits(turn, by));
    if (found !== undefined) return describeTurn(found);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return undefined;
}

interface TurnPage {
  data: readonly Turn[];
  nextCursor: string | null;
}

async function listTurns(
  connection: CodexConnection,
  threadId: string,
  limit: number,
  cursor: string | null,
): Promise<TurnPage> {
  try {
    return await connection.request("thread/turns/list", {
      threadId,
      limit,
      cursor,
      sortDirection: "desc",
      itemsView: "full",
    });
  } catch (error) {
    // What Codex says of a thread that never had a turn.
    if (error instanceof CodexError && /is not supported yet|not materialized/.test(error.message)) {
      return { data: [], nextCursor: null };
    }
    throw error;
  }
}

function fits(turn: Turn, by: Parameters<CodexThreads["findTurn"]>[1]): boolean {
  if ("turnId" in by) return turn.id === by.turnId;
  return turn.items.some((item) => item.type === "userMessage" && item.clientId === by.clientUserMessageId);
}

function describeTurn(turn: Turn): FoundTurn {
  return {
    turnId: turn.id,
    status: turn.status,
    finalText: finalTextOf(turn.items),
    items: turn.items,
    error: turn.error ?? undefined,
    startedAt: fromSeconds(turn.startedAt),
    completedAt: fromSeconds(turn.completedAt),
  };
}

type AgentMessage = Extract<ThreadItem, { type: "agentMessage" }>;

/**
 * The answer among the items of a turn: the last message marked as final, else the last unmarked one. Comments made
 * along the way are none. Take it from whole items: streamed words may be incomplete after a reconnect.
 */
function finalTextOf(items: readonly ThreadItem[]): string | undefined {
  const messages = items.filter((item): item is AgentMessage => item.type === "agentMessage" && item.text !== "");
  const final = messages.findLast(({ phase, delivery }) => phase === "final_answer" && delivery !== "async");
  return (final ?? messages.findLast(({ phase }) => phase === null) ?? messages.findLast(isAsync))?.text;
}

function isAsync({ delivery }: AgentMessage): boolean {
  return delivery === "async";
}

function toUserInput(input: TurnInput): UserInput {
  return input.type === "text" ? { type: "text", text: input.text, text_elements: [] } : input;
}

function fromSeconds(seconds: number | null): Date | undefined {
  return seconds === null ? undefined : new Date(seconds * 1000);
}
