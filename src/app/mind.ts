import { createKeys } from "../access/index.ts";
import { createMcpServers } from "../mcp/index.ts";
import { createMemories } from "../memory/index.ts";
import type { Clock, Log, Seal } from "../shared/index.ts";
import { createSkills } from "../skills/index.ts";
import type { Queues } from "../storage/index.ts";
import { createTeammates } from "../teammates/index.ts";

export interface MindDeps {
  /** SHIPMATE_HOME. */
  readonly home: string;
  readonly seal: Seal;
  readonly queues: Pick<Queues, "add">;
  readonly clock: Clock;
  readonly log: Log;
}

/** What teammates are, remember, know how to do and are connected to. Nothing runs yet. */
export function createMind(deps: MindDeps) {
  return {
    teammates: createTeammates(),
    keys: createKeys(deps),
    memories: createMemories({ clock: deps.clock, log: deps.log }),
    skills: createSkills(deps),
    mcp: createMcpServers(deps),
  };
}
