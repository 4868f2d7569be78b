import { createHash } from "node:crypto";
import type { DynamicToolSpec } from "../codex/index.ts";
import { attachFiles } from "./attach-files.ts";
import { historyTools } from "./history.ts";
import { mcpTools } from "./mcp.ts";
import { memoryTools } from "./memory.ts";
import { profileTools } from "./profiles.ts";
import { questionTools } from "./questions.ts";
import { requestApproval } from "./request-approval.ts";
import type { ToolRooms } from "./rooms.ts";
import { onlyInRoutines, routineRunTools } from "./routine-run.ts";
import { routineTools } from "./routines.ts";
import { skillTools } from "./skills.ts";
import { type AnyTool, checked, said, type ToolContext, type ToolResult } from "./tool.ts";

/** The one namespace of our tools; name it in `features.code_mode.direct_only_tool_namespaces`. */
export const toolNamespace = "shipmate";

/** Where a tool is there: in runs that somebody asked for, or in those of a routine, which perform it and settle nothing else. */
export type RunKind = "conversation" | "routine";

/** What threads of one kind of run are started with. */
export interface ToolSet {
  readonly specs: DynamicToolSpec[];
  /** Changes exactly when the specs do: Codex keeps the tools a thread was started with. */
  readonly fingerprint: string;
}

export interface Tools {
  of(kind: RunKind): ToolSet;
  /** Runs a tool. Rejects never: a failure is a result that says so. */
  call(name: string, args: unknown, context: ToolContext): Promise<ToolResult>;
}

interface Offered {
  readonly tool: AnyTool;
  readonly kinds: readonly RunKind[];
}

/** Every tool of the house, in an order that never changes by itself: the fingerprints depend on it. */
function catalog(rooms: ToolRooms): readonly Offered[] {
  return [
    ...inAny([checked(requestApproval), checked(attachFiles), ...questionTools(rooms), ...memoryTools(rooms)]),
    ...inAny(historyTools(rooms)),
    ...inKind("conversation", profileTools(rooms)),
    ...inAny(skillTools(rooms)),
    ...inKind("conversation", mcpTools(rooms)),
    ...inKind("conversation", routineTools(rooms)),
    ...inKind("routine", routineRunTools()),
  ];
}

function inAny(tools: readonly AnyTool[]): Offered[] {
  return tools.map((tool) => ({ tool, kinds: ["conversation", "routine"] }));
}

function inKind(kind: RunKind, tools: readonly AnyTool[]): Offered[] {
  return tools.map((tool) => ({ tool, kinds: [kind] }));
}

const notHere = {
  conversation: onlyInRoutines,
  routine: "This does not work in a run of a routine: perform the routine, and change nothing else.",
} as const satisfies Record<RunKind, string>;

export function createTools(rooms: ToolRooms): Tools {
  const { log } = rooms;
  const all = catalog(rooms);
  const tools = new Map(all.map((offered) => [offered.tool.spec.name, offered]));
  const sets = { conversation: setOf(all, "conversation"), routine: setOf(all, "routine") };
  return {
    of: (kind) => sets[kind],
    async call(name, args, context) {
      const offered = tools.get(name);
      if (offered === undefined) return said(`There is no tool called ${JSON.stringify(name.slice(0, 100))}.`, false);
      const { tool, kinds } = offered;
      const kind: RunKind = context.caller.trigger === "routine" ? "routine" : "conversation";
      if (!kinds.includes(kind)) return said(notHere[kind], false);
      try {
        return await tool.call(args, context);
      } catch (error) {
        if (context.signal.aborted) return said("The turn was over before this tool was done.", false);
        log.error({ err: error, tool: name, callId: context.callId }, "a tool failed");
        return said(
          "The tool failed for a reason on our side. You may try once more; if it fails again, say so.",
          false,
        );
      }
    },
  };
}

function setOf(all: readonly Offered[], kind: RunKind): ToolSet {
  const specs = [namespaceSpec(all.flatMap(({ tool, kinds }) => (kinds.includes(kind) ? [tool] : [])))];
  return { specs, fingerprint: createHash("sha256").update(JSON.stringify(specs)).digest("hex") };
}

function namespaceSpec(tools: readonly AnyTool[]): DynamicToolSpec {
  return {
    type: "namespace",
    name: toolNamespace,
    description: "How you reach people through Shipmate: ask for approval, send files.",
    tools: tools.map(({ spec }) => ({ type: "function", ...spec })),
  };
}
