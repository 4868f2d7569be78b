import type { ToolRooms } from "./rooms.ts";
import type { AnyTool } from "./tool.ts";

/** Make, read and change colleagues; list models. */
export function profileTools(_rooms: ToolRooms): readonly AnyTool[] {
  return [];
}
