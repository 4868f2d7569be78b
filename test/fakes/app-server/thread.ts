import { randomUUID } from "node:crypto";
import type {
  NotificationMethod,
  RequestId,
  ServerRequestMethod,
  ServerRequestOf,
  ThreadItem,
  Turn,
  UserInput,
} from "../../../src/codex/index.ts";
import { agentMessage, makeTurn, notification, tokenUsage } from "./shapes.ts";

/** What a script may do in a turn. Everything happens at once; a script that wants to take its time awaits something. */
export interface TurnControl {
  readonly threadId: string;
  readonly turnId: string;
  /** All input so far, steered input included. */
  readonly input: readonly UserInput[];
  readonly text: string;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  /** Streams a message in pieces and completes it. */
  say(...pieces: readonly string[]): void;
  item(item: ThreadItem): void;
  /** Asks the client; rejects when it answers with an error. */
  ask<M extends ServerRequestMethod>(method: M, params: ServerRequestOf<M>["params"]): Promise<unknown>;
}

export type TurnScript = (turn: TurnControl) => void | Promise<void>;

/** Sends to everybody who is subscribed to a thread. */
export interface Outlet {
  send(message: string): void;
}

export interface OpenRequest {
  id: RequestId;
  message: string;
  answered(result: unknown): void;
  failed(message: string): void;
}

export interface FakeThread {
  readonly id: string;
  readonly cwd: string;
  readonly turns: Turn[];
  active: ActiveTurn | undefined;
}

interface ActiveTurn {
  readonly id: string;
  readonly input: UserInput[];
  readonly abort: AbortController;
}

export interface TurnDeps {
  outlet: Outlet;
  script: TurnScript;
  /** Registers a request to the client and returns its id. */
  open(request: Omit<OpenRequest, "id" | "message"> & { method: string; params: unknown }): RequestId;
  close(id: RequestId): void;
}

/** Starts a turn: its notifications follow the reply, in app-server's order, as fast as the script goes. */
export function beginTurn(thread: FakeThread, input: UserInput[], clientId: string | null, deps: TurnDeps): Turn {
  const active: ActiveTurn = { id: randomUUID(), input: [...input], abort: new AbortController() };
  thread.active = active;
  const turn = makeTurn(active.id, "inProgress", []);
  setImmediate(() => void runTurn(thread, active, clientId, deps));
  return { ...turn, startedAt: null };
}

async function runTurn(thread: FakeThread, active: ActiveTurn, clientId: string | null, deps: TurnDeps): Promise<void> {
  const place = { threadId: thread.id, turnId: active.id };
  const send = <M extends NotificationMethod>(method: M, params: Parameters<typeof notification<M>>[1]) =>
    deps.outlet.send(notification(method, params));
  send("thread/status/changed", { threadId: thread.id, status: { type: "active", activeFlags: [] } });
  send("turn/started", { threadId: thread.id, turn: makeTurn(active.id, "inProgress", []) });
  const items: ThreadItem[] = [];
  const complete = (item: ThreadItem) => {
    items.push(item);
    send("item/completed", { ...place, item, contentTokenCount: null, completedAtMs: Date.now() });
  };
  const start = (item: ThreadItem) => send("item/started", { ...place, item, startedAtMs: Date.now() });
  const userMessage: ThreadItem = { type: "userMessage", id: randomUUID(), clientId, content: active.input };
  start(userMessage);
  complete(userMessage);
  const control: TurnControl = {
    ...place,
    get input() {
      return active.input;
    },
    get text() {
      return active.input.map((piece) => (piece.type === "text" ? piece.text : "")).join("\n");
    },
    signal: active.abort.signal,
    say: (...pieces) => {
      const id = `msg_${randomUUID()}`;
      start(agentMessage(id, ""));
      for (const delta of pieces) send("item/agentMessage/delta", { ...place, itemId: id, delta });
      complete(agentMessage(id, pieces.join("")));
    },
    item: (item) => {
      start(item);
      complete(item);
    },
    ask: (method, params) => ask(method, params, active, deps),
  };
  const error = await runScript(deps.script, control);
  if (active.abort.signal.aborted) return endTurn(thread, active, [], "interrupted", null, deps);
  deps.outlet.send(tokenUsage(thread.id, active.id));
  endTurn(thread, active, items, error === undefined ? "completed" : "failed", error ?? null, deps);
}

async function runScript(script: TurnScript, control: TurnControl): Promise<Turn["error"] | undefined> {
  try {
    await script(control);
    return undefined;
  } catch (error) {
    return { message: String(error), codexErrorInfo: "other", additionalDetails: null, misalignment: null };
  }
}

function endTurn(
  thread: FakeThread,
  active: ActiveTurn,
  items: ThreadItem[],
  status: Turn["status"],
  error: Turn["error"],
  deps: TurnDeps,
): void {
  const last = items.findLast(({ type }) => type === "agentMessage");
  const turn = makeTurn(active.id, status, last === undefined ? [] : [last], error);
  thread.turns.unshift({ ...turn, items, itemsView: "full" });
  thread.active = undefined;
  const idle = error === null ? ({ type: "idle" } as const) : ({ type: "systemError" } as const);
  deps.outlet.send(notification("thread/status/changed", { threadId: thread.id, status: idle }));
  deps.outlet.send(notification("turn/completed", { threadId: thread.id, turn }));
}

function ask(method: string, params: unknown, active: ActiveTurn, deps: TurnDeps): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const id = deps.open({
      method,
      params,
      answered: resolve,
      failed: (message) => reject(new Error(message)),
    });
    active.abort.signal.addEventListener("abort", () => {
      deps.close(id);
      reject(new Error("interrupted"));
    });
  });
}
