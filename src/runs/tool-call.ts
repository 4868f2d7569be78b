import type { Decision, Question } from "../attention/index.ts";
import type { ServerRequestOf } from "../codex/index.ts";
import { redact } from "../shared/index.ts";
import type {
  OutgoingFiles,
  QuestionRequest,
  ToolAnswers,
  ToolContext,
  ToolDecision,
  ToolQuestion,
} from "../tools/index.ts";
import { type ActiveRun, tell } from "./active-run.ts";
import { valuesOf } from "./questions.ts";
import type { RequestHost, Taken, WaitingRoom } from "./requests.ts";
import { noteRoutine } from "./routine-line.ts";
import { proposeRoutine } from "./routine-proposal.ts";
import { notesOf } from "./routine-run.ts";
import { waitInTool } from "./tool-wait.ts";
import { welcomeNewcomer } from "./welcome.ts";

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
  return {
    callId: call.params.callId,
    caller: callerOf(run),
    workspace: workspace.path,
    outgoing: workspace.outgoing,
    files: outgoingFiles(host, adapter?.capabilities.limits.fileOutBytes ?? 0),
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
    async waitForDecision(attentionId, ms) {
      const taken = await waitInTool(host, room, { kind: "approval", attentionId, ms, signal: call.signal });
      return taken === null ? null : toToolDecision(taken.decision);
    },
    routineRun: notesOf(run),
    ask: (request) => ask(host, room, call, request),
    welcome: (unit, newcomer) => welcomeNewcomer(deps, unit, run, newcomer),
    proposeRoutine: (proposal) => proposeRoutine(deps, run, proposal),
    noteRoutine: (unit, became, routine) =>
      noteRoutine(deps, unit, run, { became, routine, callId: call.params.callId }),
  };
}

function outgoingFiles({ deps, run }: RequestHost, limitBytes: number): OutgoingFiles {
  // Calls of one response run side by side; their files keep the order in which the teammate named them.
  run.toolCalls += 1;
  const order = run.toolCalls;
  return {
    limitBytes,
    queued: () => run.files.length,
    queuedBytes: () => run.files.reduce((sum, file) => sum + file.size, 0),
    has: (key) => run.files.some((known) => known.key === key),
    add(file) {
      run.files.push({ ...file, order });
      run.files.sort((a, b) => a.order - b.order);
      const { key, path, name, caption } = file;
      tell(run, { kind: "file", at: deps.clock.now(), path, name, caption, key });
    },
  };
}

function callerOf({ context, routine }: ActiveRun): ToolContext["caller"] {
  const { runId, conversationId, place, to, teammate, requester, trigger } = context;
  return {
    runId,
    conversationId,
    placeId: place.id,
    thread: to.address.thread ?? "",
    isPrivate: place.kind === "dm",
    teammateId: teammate.id,
    requesterId: requester?.id ?? null,
    // Also where it goes on after an answer.
    trigger: routine === undefined ? trigger : "routine",
  };
}

function toToolDecision({ choice, by, note }: Decision): ToolDecision {
  // What is no approval is none, whatever else it may be.
  const known = choice === "answer" || choice === "skip" ? "cancelled" : choice;
  return { choice: known, by: whoOf(by), note };
}

function whoOf(by: Decision["by"]): ToolDecision["by"] {
  return by === null ? null : { displayName: by.name };
}

async function ask(
  host: RequestHost,
  room: WaitingRoom,
  call: ToolCall,
  request: QuestionRequest,
): Promise<ToolAnswers | null> {
  const { id } = await room.open(`tool/${request.callId}`, {
    kind: "question",
    method: "ask_user",
    details: { kind: "question", questions: request.questions.map(toQuestion) },
    risk: "normal",
    callId: request.callId,
    connectionEpoch: call.epoch,
    waitUntil: new Date(host.deps.clock.now().getTime() + request.waitMs),
  });
  const taken = await waitInTool(host, room, {
    kind: "question",
    attentionId: id,
    ms: request.waitMs,
    untilSpoken: true,
    signal: call.signal,
  });
  return taken === null ? null : toToolAnswers(taken);
}

function toQuestion(question: ToolQuestion): Question {
  return { ...question, free: true, skippable: true };
}

function toToolAnswers(taken: Taken): ToolAnswers {
  const { choice, by } = taken.decision;
  return { choice: endings[choice], by: whoOf(by), answers: valuesOf(taken) };
}

const endings = {
  answer: "answer",
  skip: "skip",
  stop: "stop",
  expired: "expired",
  cancelled: "cancelled",
  approve: "cancelled",
  approve_session: "cancelled",
  always: "cancelled",
  deny: "cancelled",
} as const satisfies Record<Decision["choice"], ToolAnswers["choice"]>;
