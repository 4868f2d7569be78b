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
import { skillTools } from "./skills.ts";
import { type AnyTool, checked, said, type ToolContext, type ToolResult } from "./tool.ts";

/** The one namespace of our tools; name it in `features.code_mode.direct_only_tool_namespaces`. */
export const toolNamespace = "shipmate";

export interface Tools {
  readonly specs: DynamicToolSpec[];
  /** Changes exactly when the specs do: Codex keeps the tools a thread was started with. */
  readonly fingerprint: string;
  /** Runs a tool. Rejects never: a failure is a result that says so. */
  call(name: string, args: unknown, context: ToolContext): Promise<ToolResult>;
}

/** Every tool of the house, in an order that never changes by itself: the fingerprint depends on it. */
function catalog(rooms: ToolRooms): readonly AnyTool[] {
  return [
    checked(requestApproval),
    checked(attachFiles),
    ...questionTools(rooms),
    ...memoryTools(rooms),
    ...historyTools(rooms),
    ...profileTools(rooms),
    ...skillTools(rooms),
    ...mcpTools(rooms),
  ];
}

export function createTools(rooms: ToolRooms): Tools {
  const { log } = rooms;
  const tools = new Map(catalog(rooms).map((tool) => [tool.spec.name, tool]));
  const specs = [namespaceSpec([...tools.values()])];
  return {
    specs,
    fingerprint: createHash("sha256").update(JSON.stringify(specs)).digest("hex"),
    async call(name, args, context) {
      const tool = tools.get(name);
      if (tool === undefined) return said(`There is no tool called ${JSON.stringify(name.slice(0, 100))}.`, false);
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

function namespaceSpec(tools: readonly AnyTool[]): DynamicToolSpec {
  return {
    type: "namespace",
    name: toolNamespace,
    description: "How you reach people through Shipmate: ask for approval, send files.",
    tools: tools.map(({ spec }) => ({ type: "function", ...spec })),
  };
}
