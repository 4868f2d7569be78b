import type { DynamicToolSpec } from "../codex/index.ts";
import type { Log } from "../shared/index.ts";
import type { ToolContext, ToolResult } from "./tool.ts";

/** The one namespace of our tools; name it in `features.code_mode.direct_only_tool_namespaces`. */
export const toolNamespace = "shipmate";

export interface Tools {
  readonly specs: DynamicToolSpec[];
  /** Changes exactly when the specs do. */
  readonly fingerprint: string;
  /** Runs a tool. Never rejects: a failure is a result that says so. */
  call(name: string, args: unknown, context: ToolContext): Promise<ToolResult>;
}

export function createTools(_deps: { readonly log: Log }): Tools {
  throw new Error("not built yet");
}
