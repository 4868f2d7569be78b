import type { ToolRooms } from "./rooms.ts";
import type { AnyTool } from "./tool.ts";

/** Install, enable and remove skills. */
export function skillTools(_rooms: ToolRooms): readonly AnyTool[] {
  return [];
}
