import { createHash } from "node:crypto";
import { z } from "zod";
import type { DynamicToolSpec, JsonValue } from "../codex/index.ts";
import type { Log } from "../shared/index.ts";
import { requestApproval } from "./request-approval.ts";
import { sendFile } from "./send-file.ts";
import { said, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** The one namespace of our tools; name it in `features.code_mode.direct_only_tool_namespaces`. */
export const toolNamespace = "shipmate";

export interface Tools {
  readonly specs: DynamicToolSpec[];
  /** Changes exactly when the specs do: Codex keeps the tools a thread was started with. */
  readonly fingerprint: string;
  /** Runs a tool. Rejects never: a failure is a result that says so. */
  call(name: string, args: unknown, context: ToolContext): Promise<ToolResult>;
}

/** A tool with its argument type hidden behind the check. */
interface AnyTool {
  readonly spec: { name: string; description: string; inputSchema: JsonValue };
  call(args: unknown, context: ToolContext): Promise<ToolResult>;
}

export function createTools({ log }: { readonly log: Log }): Tools {
  const tools = new Map([checked(requestApproval), checked(sendFile)].map((tool) => [tool.spec.name, tool]));
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

/** Codex does not check arguments against the schema, so we do, and say what is wrong in words. */
function checked<Args extends z.ZodType>(tool: Tool<Args>): AnyTool {
  const { name, description, args } = tool;
  return {
    spec: { name, description, inputSchema: jsonSchema(args) },
    async call(given, context) {
      const parsed = args.safeParse(given);
      if (!parsed.success) return said(`Wrong arguments for ${name}:\n${z.prettifyError(parsed.error)}`, false);
      return await tool.run(parsed.data, context);
    },
  };
}

function jsonSchema(args: z.ZodType): JsonValue {
  const { $schema: _, "~standard": __, ...schema } = z.toJSONSchema(args);
  return z.json().parse(JSON.parse(JSON.stringify(schema)));
}
