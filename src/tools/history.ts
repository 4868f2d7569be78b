import type { ToolRooms } from "./rooms.ts";
import type { AnyTool } from "./tool.ts";

/** Search and read what was said. */
export function historyTools(_rooms: ToolRooms): readonly AnyTool[] {
  return [];
}
