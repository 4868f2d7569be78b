import type { Keys } from "../access/index.ts";
import type { Attention } from "../attention/index.ts";
import type { Adapters } from "../chat/index.ts";
import type { Mailbox } from "../mailbox/index.ts";
import type { McpServers } from "../mcp/index.ts";
import type { Memories } from "../memory/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { People } from "../people/index.ts";
import type { Places } from "../places/index.ts";
import type { Calendars, Routines, Webhooks } from "../routines/index.ts";
import type { RunControl } from "../runs/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Skills } from "../skills/index.ts";
import type { Db, Queues } from "../storage/index.ts";
import type { Teammates } from "../teammates/index.ts";
import type { WebForms } from "../web-forms/index.ts";

/** One line of what the owner sees about the installation: `{ name: "Codex", state: "connected, 2 turns" }`. */
export interface SystemLine {
  readonly name: string;
  readonly state: string;
}

export interface InboxLimits {
  /** An event that was sent longer ago than this is not answered any more, in milliseconds. */
  readonly staleAfterMs: number;
  readonly waitingPerTeammate: number;
  readonly waitingPerPerson: number;
}

export const defaultLimits: InboxLimits = {
  staleAfterMs: 24 * 60 * 60_000,
  waitingPerTeammate: 20,
  waitingPerPerson: 5,
};

export interface InboxDeps {
  readonly db: Db;
  readonly people: People;
  readonly places: Places;
  readonly teammates: Teammates;
  readonly memories: Memories;
  readonly skills: Skills;
  readonly mcp: McpServers;
  readonly keys: Keys;
  readonly routines: Routines;
  /** What starts routines from outside. */
  readonly webhooks: Webhooks;
  /** When they are due, for other programs. */
  readonly calendars: Calendars;
  readonly mailbox: Pick<
    Mailbox,
    "deliver" | "wake" | "cancelQueued" | "cancelDelivery" | "retry" | "pause" | "resume" | "endLimit"
  >;
  readonly outbox: Pick<Outbox, "enqueue" | "moveUnsent">;
  readonly attention: Pick<Attention, "press" | "fill" | "reply" | "formFor" | "secretPage" | "listOpenFor">;
  readonly runs: RunControl;
  /** Pages for what must not be written in a chat. */
  readonly webForms: Pick<WebForms, "issue">;
  readonly queues: Pick<Queues, "add">;
  readonly adapters: Adapters;
  /** Where what is too long for a message is kept as a file until it was uploaded; absolute. */
  readonly cardFolder: string;
  /** Versions, database and Codex, for the owner's `/status`. */
  readonly system: () => Promise<readonly SystemLine[]>;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<InboxLimits> | undefined;
}
