import type { Access } from "../access/index.ts";
import type { Attention } from "../attention/index.ts";
import type { Adapters } from "../chat/index.ts";
import type { CodexConnection, CodexThreads } from "../codex/index.ts";
import type { Mailbox } from "../mailbox/index.ts";
import type { McpServers } from "../mcp/index.ts";
import type { Memories } from "../memory/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { People } from "../people/index.ts";
import type { Routines } from "../routines/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Skills } from "../skills/index.ts";
import type { Db, Queues } from "../storage/index.ts";
import type { Teammates } from "../teammates/index.ts";
import type { Tools } from "../tools/index.ts";
import type { RunLimits } from "./watchdog.ts";

export interface RunSettings {
  /** The computer this worker owns: its runs carry the name. */
  readonly computer: string;
  /** False while somebody else may own it: then nothing is taken up. Always true when absent. */
  readonly ownsComputer?: (() => boolean) | undefined;
  /** SHIPMATE_HOME, absolute: workspaces live below it. */
  readonly home: string;
  readonly maxConcurrentRuns: number;
  /** True where Codex goes on without us (a remote computer): then a stop leaves its turns alone. */
  readonly codexOutlivesUs: boolean;
  /** True where the computer may be broken without harm: only there a teammate with full access leaves the sandbox. */
  readonly isolated: boolean;
}

/** What everything in this room is made with. */
export interface RunDeps {
  readonly db: Db;
  readonly log: Log;
  readonly clock: Clock;
  readonly queues: Pick<Queues, "add" | "work">;
  readonly mailbox: Mailbox;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly attention: Attention;
  readonly people: Pick<People, "owners" | "dmOf">;
  readonly adapters: Adapters;
  readonly connection: CodexConnection;
  readonly threads: CodexThreads;
  readonly tools: Tools;
  readonly teammates: Teammates;
  readonly access: Access;
  readonly memories: Memories;
  readonly skills: Skills;
  readonly mcp: McpServers;
  readonly routines: Routines;
  readonly settings: RunSettings;
  readonly limits: RunLimits;
}
