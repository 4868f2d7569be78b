import type { Attention } from "../attention/index.ts";
import type { Adapters } from "../chat/index.ts";
import type { CodexConnection, CodexThreads } from "../codex/index.ts";
import type { Mailbox } from "../mailbox/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { People } from "../people/index.ts";
import type { Clock, Log } from "../shared/index.ts";
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
  /** Names what answers model requests; a thread stays with the provider it was made with. */
  readonly provider: string;
  /** Codex's own choice when absent; a teammate's own model goes before. */
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  /** Who pays for the model: the ledger keeps the two apart. */
  readonly authMode: "plan" | "api_key";
  /** True where Codex has no account at all: it would try for half a minute before it gave up. */
  readonly accountMissing?: boolean | undefined;
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
  readonly teammates: Pick<Teammates, "list">;
  readonly settings: RunSettings;
  readonly limits: RunLimits;
  /** When the plan's limit resets, by what Codex last reported; undefined when it reported none. */
  readonly limitResetsAt: () => Date | undefined;
}
