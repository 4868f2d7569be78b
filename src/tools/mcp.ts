import type { ToolRooms } from "./rooms.ts";
import type { AnyTool } from "./tool.ts";

/** Add, test, change and remove MCP servers. */
export function mcpTools(_rooms: ToolRooms): readonly AnyTool[] {
  return [];
}
