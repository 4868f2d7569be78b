import type { Decision } from "../attention/index.ts";
import type { ServerRequestOf } from "../codex/index.ts";
import { redact } from "../shared/index.ts";
import { inTransaction } from "../storage/index.ts";
import type { ToolContext, ToolDecision } from "../tools/index.ts";
import { type ActiveRun, tell } from "./active-run.ts";
import type { RequestHost, WaitingRoom } from "./requests.ts";

type ToolCall = ServerRequestOf<"item/tool/call">;

/** Runs one of our tools and gives its result to the turn. */
export async function answerToolCall(host: RequestHost, room: WaitingRoom, call: ToolCall): Promise<void> {
  const { deps, params } = { deps: host.deps, params: call.params };
  const result = await deps.tools.call(params.tool, params.arguments, toolContext(host, room, call));
  // A call that was cut off by a lost line comes again; its result is told then.
  if (!call.signal.aborted) call.answer(result);
}

function toolContext(host: RequestHost, room: WaitingRoom, call: ToolCall): ToolContext {
  const { deps, run, workspace } = host;
  const adapter = deps.adapters.get(run.context.to.connectionId);
  // Calls of one response run side by side; their files keep the order in which the teammate named them.
  run.toolCalls += 1;
  const order = run.toolCalls;
  return {
    callId: call.params.callId,
    caller: callerOf(run),
    workspace: workspace.path,
    outgoing: workspace.outgoing,
    files: {
      limitBytes: adapter?.capabilities.limits.fileOutBytes ?? 0,
      queued: run.files.length,
      queuedBytes: run.files.reduce((sum, file) => sum + file.size, 0),
    },
    signal: call.signal,
    async openApproval(request) {
      const { id } = await room.open(`tool/${request.callId}`, {
        kind: "approval",
        method: "request_approval",
        details: {
          kind: "request_approval",
          title: redact(request.title),
          details: redact(request.details),
          reversible: request.reversible,
        },
        risk: request.risk,
        callId: request.callId,
        connectionEpoch: call.epoch,
        waitUntil: new Date(deps.clock.now().getTime() + request.waitMs),
      });
      return { attentionId: id };
    },
    waitForDecision: (attentionId, ms) => waitForDecision(host, room, call.signal, attentionId, ms),
    async queueFile(file) {
      // A call whose response got lost comes again with the same id.
      if (run.files.some((known) => known.callId === file.callId)) return;
      run.files.push({ ...file, order });
      run.files.sort((a, b) => a.order - b.order);
      const { path, name, caption } = file;
      tell(run, { kind: "file", at: deps.clock.now(), path, name, caption });
    },
  };
}

function callerOf({ context }: ActiveRun): ToolContext["caller"] {
  const { runId, conversationId, place, teammate, requester, trigger } = context;
  return {
    runId,
    conversationId,
    placeId: place.id,
    isPrivate: place.kind === "dm",
    teammateId: teammate.id,
    requesterId: requester?.id ?? null,
    trigger,
  };
}

async function waitForDecision(
  host: RequestHost,
  room: WaitingRoom,
  signal: AbortSignal,
  attentionId: string,
  ms: number,
): Promise<ToolDecision | null> {
  const { deps } = host;
  const decision = await new Promise<Decision | null>((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms);
    const aborted = () => {
      clearTimeout(timer);
      reject(new Error("nobody waits for this tool any more"));
    };
    const done = (decided: Decision) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
      resolve(decided);
    };
    if (signal.aborted) return aborted();
    signal.addEventListener("abort", aborted, { once: true });
    room.add(attentionId, { kind: "approval", decide: done });
    // It may have been decided between its card and this line, or while the line was down.
    takeDecision(host, attentionId).then((decided) => (decided === null ? undefined : done(decided)), reject);
  }).finally(() => room.remove(attentionId));
  if (decision === null) return late(host, attentionId);
  if (decision.choice === "stop") host.stopChosen(decision);
  tell(host.run, { kind: "decided", at: deps.clock.now(), attentionId, choice: decision.choice });
  return toToolDecision(decision);
}

/** The wait is over: the card stays, unless the decision came in this very moment. */
async function late(host: RequestHost, attentionId: string): Promise<ToolDecision | null> {
  const { deps } = host;
  const isLate = await inTransaction(deps.db, deps.log, (unit) => deps.attention.markLate(unit, attentionId));
  if (isLate) return null;
  const decided = await takeDecision(host, attentionId);
  return decided === null ? null : toToolDecision(decided);
}

async function takeDecision({ deps }: RequestHost, attentionId: string): Promise<Decision | null> {
  const item = await deps.attention.get(deps.db, attentionId);
  if (item === null || item.decision === null) return null;
  await inTransaction(deps.db, deps.log, (unit) => deps.attention.settle(unit, attentionId));
  return item.decision;
}

function toToolDecision(decision: Decision): ToolDecision {
  return {
    choice: decision.choice,
    by: decision.by === null ? null : { displayName: decision.by.name },
    note: decision.note,
  };
}
