import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import type { Method, Params, Result, Thread } from "../../../src/codex/index.ts";
import { accountAnswers, type FakeAccount } from "./account.ts";
import { makeThread, notification, threadResult } from "./shapes.ts";
import { beginTurn, type FakeThread, type TurnDeps } from "./thread.ts";

export interface World extends TurnDeps {
  readonly version: string;
  readonly threads: Map<string, FakeThread>;
  /** True where it stands for one on another machine, which sees none of our files. */
  readonly otherMachine: boolean;
  readonly account: FakeAccount;
  /** Methods that it does not know, as an older one would not. */
  readonly unknown: ReadonlySet<string>;
}

export type Answer = ({ result: unknown } | { error: { code: number; message: string } }) & {
  /** What follows the reply. */
  after?: () => void;
};

export type Handlers = {
  [M in Method]?: (params: Params<M>, world: World) => Result<M> | Refusal | WithAfter<Result<M>>;
};

interface Refusal {
  refuse: string;
  /** -32600 when absent. */
  code?: number;
}

interface WithAfter<R> {
  reply: R;
  after: () => void;
}

/** Answers one request as app-server 0.171.0 does, in its words. */
export function answerRequest(world: World, method: string, params: Record<string, unknown>): Answer {
  const handler = handlers[method as Method] as
    | ((params: unknown, world: World) => Record<string, unknown>)
    | undefined;
  if (handler === undefined || world.unknown.has(method)) {
    return { error: { code: -32600, message: `Invalid request: unknown variant \`${method}\`, expected one of …` } };
  }
  const outcome = handler(params, world);
  if (typeof outcome.refuse === "string") {
    const code = typeof outcome.code === "number" ? outcome.code : -32600;
    return { error: { code, message: outcome.refuse } };
  }
  if (typeof outcome.after === "function") {
    const { after } = outcome;
    return { result: outcome.reply, after: () => void after() };
  }
  return { result: outcome };
}

const handlers: Handlers = {
  ...accountAnswers,
  initialize: ({ clientInfo }, { version }) => ({
    userAgent: `${clientInfo.name}/${version} (stand-in)`,
    codexHome: "/codex",
    platformFamily: "unix",
    platformOs: "linux",
  }),
  "fs/getMetadata": ({ path }, { otherMachine }) => {
    const found = otherMachine ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { refuse: "No such file or directory (os error 2)", code: -32603 };
    return {
      isDirectory: found.isDirectory(),
      isFile: found.isFile(),
      isSymlink: found.isSymbolicLink(),
      createdAtMs: 0,
      modifiedAtMs: Math.floor(found.mtimeMs),
    };
  },
  "thread/start": ({ cwd }, world) => {
    const thread: FakeThread = { id: randomUUID(), cwd: cwd ?? "/workspace", turns: [], active: undefined };
    world.threads.set(thread.id, thread);
    const described = describe(thread);
    return {
      reply: threadResult(described),
      after: () => world.outlet.send(notification("thread/started", { thread: described })),
    };
  },
  "thread/resume": ({ threadId }, world) => {
    const thread = world.threads.get(threadId);
    if (thread === undefined) return { refuse: `no rollout found for thread id ${threadId}` };
    return { ...threadResult(describe(thread)), ...resumedPage(thread) };
  },
  "thread/read": ({ threadId }, world) => {
    const thread = world.threads.get(threadId);
    return thread === undefined ? notFound(threadId) : { thread: describe(thread), readState: null };
  },
  "thread/turns/list": ({ threadId, limit }, world) => {
    const thread = world.threads.get(threadId);
    if (thread === undefined) return { refuse: `thread not loaded: ${threadId}` };
    return { data: thread.turns.slice(0, limit ?? 20), nextCursor: null, backwardsCursor: null };
  },
  "thread/backgroundTerminals/clean": () => ({}),
  "thread/unsubscribe": ({ threadId }, { threads }) => ({
    status: threads.has(threadId) ? "unsubscribed" : "notLoaded",
  }),
  "turn/start": ({ threadId, input, clientUserMessageId }, world) => {
    const thread = world.threads.get(threadId);
    if (thread === undefined) return notFound(threadId);
    if (thread.active !== undefined) {
      thread.active.input.push(...input);
      return { turn: inProgress(thread.active.id) };
    }
    return { turn: beginTurn(thread, input, clientUserMessageId ?? null, world) };
  },
  "turn/steer": ({ threadId, input, expectedTurnId }, world) => {
    const thread = world.threads.get(threadId);
    if (thread === undefined) return notFound(threadId);
    if (thread.active === undefined) return { refuse: "no active turn to steer" };
    if (thread.active.id !== expectedTurnId) {
      return { refuse: `expected active turn id \`${expectedTurnId}\` but found \`${thread.active.id}\`` };
    }
    thread.active.input.push(...input);
    return { turnId: thread.active.id };
  },
  "turn/interrupt": ({ threadId, turnId }, world) => {
    const thread = world.threads.get(threadId);
    if (thread?.active === undefined) return { refuse: "no active turn to interrupt" };
    if (thread.active.id !== turnId) {
      return { refuse: `expected active turn id ${turnId} but found ${thread.active.id}` };
    }
    thread.active.abort.abort(new Error("interrupted"));
    return {};
  },
};

function notFound(threadId: string): Refusal {
  return { refuse: `thread not found: ${threadId}` };
}

function describe(thread: FakeThread): Thread {
  const status: Thread["status"] = thread.active === undefined ? { type: "idle" } : { type: "active", activeFlags: [] };
  return makeThread(thread.id, thread.cwd, status);
}

function inProgress(id: string) {
  return {
    id,
    rootTurnId: id,
    items: [],
    itemsView: "notLoaded" as const,
    status: "inProgress" as const,
    error: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
  };
}

/** What a resumed thread tells on top of a started one: here, its newest turn. */
function resumedPage(thread: FakeThread) {
  const newest = thread.active === undefined ? thread.turns.slice(0, 1) : [inProgress(thread.active.id)];
  return {
    collaborationMode: null,
    initialTurnsPage: { data: newest, nextCursor: null, backwardsCursor: null },
    turnsBackwardsCursor: null,
    itemsBackwardsCursor: null,
  };
}
