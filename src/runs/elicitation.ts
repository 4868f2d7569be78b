import { z } from "zod";
import { type AttentionDetails, type Decision, matchingToolRule } from "../attention/index.ts";
import { plainDocument, toMarkdown } from "../chat/index.ts";
import type { ServerRequestOf } from "../codex/index.ts";
import { redact } from "../shared/index.ts";
import { inTransaction } from "../storage/index.ts";
import { askPerson } from "./ask-person.ts";
import { contentOf, formQuestions } from "./elicitation-form.ts";
import type { Opening, RequestHost, Taken, WaitingRoom } from "./requests.ts";

export type Elicitation = ServerRequestOf<"mcpServer/elicitation/request">;

/** What an MCP server, or Codex before it uses one of its tools, wants of a person. */
export async function handleElicitation(host: RequestHost, room: WaitingRoom, request: Elicitation): Promise<void> {
  const toolCall = toolCallOf(request);
  if (toolCall !== null) return approveTool(host, room, request, toolCall);
  const { params } = request;
  const base = { kind: "elicitation", method: "elicitation", risk: "normal", connectionEpoch: request.epoch } as const;
  if (params.mode === "url") {
    const { serverName: server, message, url } = params;
    // An address that holds a secret cannot be shown, and without it leads nowhere.
    if (!isWebAddress(url) || redact(url) !== url) return declineAloud(host, request);
    const details = { kind: "link", server, message, url } as const;
    return ask(host, room, request, { ...base, details }, ({ decision }) => say(request, actionOf(decision.choice)));
  }
  const fields = params.mode === "openai/userVerification" ? null : formQuestions(params.requestedSchema);
  if (fields === null) return declineAloud(host, request);
  const server = { name: params.serverName, message: "message" in params ? params.message : "" };
  const details = { kind: "question", questions: fields, server } as const;
  return ask(host, room, request, { ...base, details }, (taken) => {
    const action = actionOf(taken.decision.choice);
    say(request, action, action === "accept" ? contentOf(fields, taken.decision.answers ?? {}) : null);
  });
}

/** Its JSON-RPC id is all that recognises it; it starts over with every Codex, and so does every run. */
function ask(
  host: RequestHost,
  room: WaitingRoom,
  request: Elicitation,
  opening: Opening,
  answer: (taken: Taken) => void,
): Promise<void> {
  return askPerson(host, room, request, { key: `${request.method}/${request.id}`, opening }, answer);
}

type Action = "accept" | "decline" | "cancel";
type Content = Parameters<Elicitation["answer"]>[0]["content"];

function say(request: Elicitation, action: Action, content: Content = null, meta: Content = null): void {
  request.answer({ action, content, _meta: meta });
}

function actionOf(choice: Decision["choice"]): Action {
  switch (choice) {
    case "approve":
    case "approve_session":
    case "always":
    case "answer":
    case "skip":
      return "accept";
    case "deny":
      return "decline";
    case "stop":
    case "expired":
    case "cancelled":
      return "cancel";
  }
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
}

const toolCallSchema = z.object({
  codex_approval_kind: z.literal("mcp_tool_call"),
  persist: z.array(z.string()).catch([]),
  tool_name: z.string().catch(""),
  tool_params: z.record(z.string(), z.unknown()).catch({}),
});
type ToolCall = z.infer<typeof toolCallSchema>;

function toolCallOf({ params }: Elicitation): ToolCall | null {
  const parsed = toolCallSchema.safeParse(params._meta);
  return parsed.success ? parsed.data : null;
}

/** An MCP server's tool is used on the teammate's own authority only where it may act alone. */
async function approveTool(host: RequestHost, room: WaitingRoom, request: Elicitation, call: ToolCall): Promise<void> {
  const { deps, run } = host;
  const { teammate } = run.context;
  const asked = { server: request.params.serverName, tool: call.tool_name };
  if (teammate.autonomy === "autonomous" || (await matchingToolRule(deps.db, teammate.id, asked)) !== null) {
    return say(request, "accept", {});
  }
  const details: AttentionDetails = {
    kind: "mcp_tool",
    ...asked,
    parameters: Object.entries(call.tool_params).map(([name, value]) => ({ name, value: shown(value) })),
    canApproveForSession: call.persist.includes("session"),
    canAlwaysApprove: call.persist.includes("always"),
  };
  const opening: Opening = {
    kind: "approval",
    method: "mcp_tool",
    details,
    risk: "normal",
    connectionEpoch: request.epoch,
  };
  return ask(host, room, request, opening, ({ decision }) => {
    // A rule of ours answers from now on; Codex would remember it as well, and never hear that it was revoked.
    const forSession = decision.choice === "approve_session" ? { persist: "session" } : null;
    const action = actionOf(decision.choice);
    say(request, action, action === "accept" ? {} : null, forSession);
  });
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

const plain = (name: string) => toMarkdown(plainDocument(name));

/** What no card can show is declined, and the people there are told: the teammate alone would only see that somebody said no. */
async function declineAloud(host: RequestHost, request: Elicitation): Promise<void> {
  const { deps, run } = host;
  const { runId, conversationId, to } = run.context;
  say(request, "decline");
  await inTransaction(deps.db, deps.log, (unit) =>
    deps.outbox.enqueue(unit, {
      op: "post",
      post: { text: run.words.questions.notShown(plain(request.params.serverName)), notify: false },
      to,
      purpose: "notice",
      lane: `conversation:${conversationId}`,
      conversationId,
      runId,
      dedupKey: `elicitation:${runId}:${request.id}`,
    }),
  );
}
