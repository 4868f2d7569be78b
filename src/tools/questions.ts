import type { ToolRooms } from "./rooms.ts";
import type { AnyTool } from "./tool.ts";

/** Ask the person. */
export function questionTools(_rooms: ToolRooms): readonly AnyTool[] {
  return [];
}
