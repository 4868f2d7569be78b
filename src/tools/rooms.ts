import type { McpServers } from "../mcp/index.ts";
import type { Memories } from "../memory/index.ts";
import type { People } from "../people/index.ts";
import type { Routines } from "../routines/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Skills } from "../skills/index.ts";
import type { Db } from "../storage/index.ts";
import type { Teammates } from "../teammates/index.ts";

/** What tools reach into. */
export interface ToolRooms {
  readonly db: Db;
  readonly log: Log;
  readonly clock: Clock;
  readonly people: Pick<People, "get" | "owners">;
  readonly teammates: Teammates;
  readonly memories: Memories;
  readonly skills: Skills;
  readonly mcp: McpServers;
  readonly routines: Routines;
}
