import type { ToolRooms } from "./rooms.ts";
import type { AnyTool } from "./tool.ts";

/** Remember, forget and search memories. */
export function memoryTools(_rooms: ToolRooms): readonly AnyTool[] {
  return [];
}
