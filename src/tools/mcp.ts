import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type McpChange, type McpServer, nameProblem } from "../mcp/index.ts";
import { redact } from "../shared/index.ts";
import { inTransaction } from "../storage/index.ts";
import { describeServers, outcomeText, problemText } from "./mcp-results.ts";
import { type ReadWish, readWish, wishCard } from "./mcp-wish.ts";
import type { ToolRooms } from "./rooms.ts";
import {
  type AnyTool,
  checked,
  said,
  type Tool,
  type ToolContext,
  type ToolDecision,
  type ToolResult,
} from "./tool.ts";

const args = z.strictObject({
  action: z.enum(["list", "add", "change", "remove", "test"]),
  name: z.string().max(64).optional().describe("The server. Needed for everything but list."),
  url: z.string().max(2_000).optional().describe("Where it answers over HTTP. Without user, query or key."),
  command: z.string().max(1_000).optional().describe("Or the program to run, without a shell."),
  args: z.array(z.string().max(4_000)).max(64).optional().describe("Its arguments. Never a key."),
  folder: z
    .string()
    .max(1_000)
    .optional()
    .describe("Where the program runs, absolute. A folder of its own when absent."),
  keys: z
    .array(z.string().max(100))
    .max(8)
    .optional()
    .describe("Names of the variables, or over HTTP of the headers, that hold keys. The owner sets their values."),
  for: z.enum(["me", "everyone"]).optional().describe("Who gets its tools; me when absent."),
});
export type McpArgs = z.infer<typeof args>;

const waitMs = 10 * 60_000;
const testMs = 60_000;
const lookMs = 200;

/** List, add, test, change and remove MCP servers. */
export function mcpTools(rooms: ToolRooms): readonly AnyTool[] {
  const tool: Tool<typeof args> = {
    name: "manage_mcp_server",
    description:
      "List, add, change, remove or test MCP servers, which give more tools. Add, change and remove only when a person asked for exactly that; each waits for the owner or an admin to approve it. Keys are never given or shown here: where one is needed, the owner sets it with /mcp. New tools are there from the next turn on.",
    args,
    run: (given, context) => (given.action === "list" ? list(rooms, context) : manage(rooms, given, context)),
  };
  return [checked(tool)];
}

async function list({ mcp, db }: ToolRooms, { caller }: ToolContext): Promise<ToolResult> {
  const servers = (await mcp.list(db)).filter((each) => isTheirs(each, caller.teammateId));
  return said(describeServers(servers));
}

function isTheirs({ teammateId }: McpServer, caller: string): boolean {
  return teammateId === null || teammateId === caller;
}

async function manage(rooms: ToolRooms, given: McpArgs, context: ToolContext): Promise<ToolResult> {
  const { mcp, db } = rooms;
  const { caller } = context;
  const name = given.name ?? "";
  const named = nameProblem(name);
  if (named !== null) return said(problemText(named), false);
  const known = await mcp.named(db, name);
  const server = known !== undefined && isTheirs(known, caller.teammateId) ? known : undefined;
  if (given.action === "test") return test(rooms, server, context);
  if (caller.requesterId === null)
    return said("Nobody asked for this: MCP servers are changed only when a person asks.", false);
  const earlier = await mcp.askedBy(db, callKeyOf(context));
  if (earlier !== undefined && earlier.status !== "proposed") return settled(rooms, earlier.id, context);
  const wish = readWish(given, { name, server, teammateId: caller.teammateId });
  if (wish.kind === "problem") return said(wish.text, false);
  return ask(rooms, wish, context);
}

async function test(rooms: ToolRooms, server: McpServer | undefined, context: ToolContext): Promise<ToolResult> {
  if (server === undefined) return said("There is no such server of yours.", false);
  const { mcp } = rooms;
  const { requesterId, teammateId } = context.caller;
  const id = await unit(rooms, (each) =>
    mcp.request(each, { kind: "test", serverId: server.id, personId: requesterId, teammateId }),
  );
  return settled(rooms, id, context);
}

/** Shows exactly what will be run or contacted, and for whom, and does it when the owner or an admin agrees. */
async function ask(rooms: ToolRooms, wish: ReadWish, context: ToolContext): Promise<ToolResult> {
  const { mcp, db, teammates } = rooms;
  const { callId } = context;
  const { change, isAgain } = await propose(rooms, wish, context);
  if (change.status !== "proposed") return settled(rooms, change.id, context);
  if (isAgain && change.attentionId !== null) {
    const decision = await context.waitForDecision(change.attentionId, 0);
    if (decision === null) return said(stillOpen);
    if (isYes(decision)) return carryOut(rooms, change, context);
    // That one is over, and somebody asked anew.
    await mcp.withdraw(db, change.id);
    return ask(rooms, wish, { ...context, callId: `${callId}/again` });
  }
  const whose = wish.teammateId === null ? null : ((await teammates.get(db, wish.teammateId))?.name ?? null);
  const card = { ...wishCard(wish, whose), callId, reversible: true, risk: "high" as const, waitMs };
  const attentionId = change.attentionId ?? (await context.openApproval(card)).attentionId;
  await mcp.askedOn(db, change.id, attentionId);
  const decision = await context.waitForDecision(attentionId, waitMs);
  if (decision === null) return said(stillOpen);
  if (isYes(decision)) return carryOut(rooms, change, context);
  await mcp.withdraw(db, change.id);
  return said(refusalText(decision), false);
}

function callKeyOf({ callId, caller }: ToolContext): string {
  return `${caller.runId}/${callId}`;
}

function propose(rooms: ToolRooms, wish: ReadWish, context: ToolContext) {
  const { conversationId, requesterId: personId, teammateId } = context.caller;
  const call = { key: callKeyOf(context), requestHash: hashOf(wish, conversationId) };
  return unit(rooms, (each) => rooms.mcp.propose(each, { ...wish.request, personId, teammateId, call }));
}

async function carryOut(rooms: ToolRooms, change: McpChange, context: ToolContext): Promise<ToolResult> {
  await unit(rooms, (each) => rooms.mcp.approve(each, change.id));
  return settled(rooms, change.id, context);
}

function isYes({ choice }: ToolDecision): boolean {
  return choice === "approve" || choice === "approve_session" || choice === "always";
}

const stillOpen =
  "Nobody has decided yet. The request stays open. End your turn now with one sentence that says what you are waiting for. When you are told that it was approved, call this tool again with the same arguments; nobody is asked a second time.";

function refusalText({ choice, note }: ToolDecision): string {
  const added = note === undefined || note.trim() === "" ? "" : ` They added: ${quoted(note)}.`;
  switch (choice) {
    case "deny":
      return `Denied. Nothing was changed. Don't look for a way around it.${added}`;
    case "stop":
      return `Stopped. Nothing was changed; end your turn.${added}`;
    case "expired":
      return "Nobody decided in time. Nothing was changed; say so.";
    default:
      return "The request was withdrawn before anybody decided. Nothing was changed.";
  }
}

/** What somebody typed, as their words. */
function quoted(text: string): string {
  return JSON.stringify(redact(text).replaceAll(/\s+/gu, " ").trim().slice(0, 1_000).toWellFormed());
}

/** The same for whoever asks for the same in the same conversation: they are asked once. */
function hashOf({ request, teammateId }: ReadWish, conversationId: string): string {
  const { kind, serverId, proposal } = request;
  return createHash("sha256")
    .update(JSON.stringify([conversationId, kind, serverId, proposal, teammateId]))
    .digest("hex");
}

/** Waits for the test, which is made where Codex is. */
async function settled({ mcp, db }: ToolRooms, changeId: string, { signal }: ToolContext): Promise<ToolResult> {
  for (let waited = 0; waited < testMs; waited += lookMs) {
    const change = await mcp.change(db, changeId);
    if (change === undefined) break;
    if (change.outcome !== null) {
      const id = change.outcome.kind === "done" ? change.outcome.serverId : change.serverId;
      const server = id === null ? undefined : await mcp.get(db, id);
      return said(outcomeText(change, change.outcome, server), change.outcome.kind === "done");
    }
    await sleep(lookMs, undefined, { signal });
  }
  return said("It is still being tested. Look with the action list in a minute; don't ask again.");
}

function unit<T>({ db, log }: ToolRooms, work: Parameters<typeof inTransaction<T>>[2]): Promise<T> {
  return inTransaction(db, log, work);
}
