import type { Adapters } from "../chat/index.ts";
import type { Destination, Outbox } from "../outbox/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Db, Queues, Unit } from "../storage/index.ts";
import type { AttentionItem, Decider, NewAttention, OpenItem, PressResult } from "./types.ts";

/** The mailbox's `deliver`, for a decision that comes after its turn ended. */
export type Deliver = (
  unit: Unit,
  delivery: {
    readonly messageId: string;
    readonly teammateId: string;
    readonly conversationId: string;
    readonly requesterPersonId: string | null;
    readonly trigger: "approval_decision";
    readonly idempotencyKey: string;
  },
) => Promise<unknown>;

export interface AttentionDeps {
  readonly outbox: Pick<Outbox, "enqueue" | "cardsOf">;
  readonly adapters: Adapters;
  readonly queues: Pick<Queues, "add">;
  readonly people: {
    owners(db: Db): Promise<readonly Decider[]>;
    dmOf(db: Db, personId: string, connectionId?: string): Promise<Destination | null>;
  };
  readonly deliver: Deliver;
  /** Where long details are kept as files until they were uploaded; absolute. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Attention {
  /** Stores what waits and posts its card; high risk (or no requester): copies in the owners' direct messages. */
  open(unit: Unit, request: NewAttention): Promise<{ readonly id: string }>;
  get(db: Db, id: string): Promise<AttentionItem | null>;
  /** The item of a request that Codex sent before (again after a reconnect), whatever its status. */
  findByRequest(db: Db, runId: string, codexRequestId: string): Promise<AttentionItem | null>;
  /** What this person may decide, oldest first. */
  listOpenFor(db: Db, person: Decider): Promise<readonly OpenItem[]>;
  /** Carries out a decision, or says which action the inbox must carry out. The first press wins. Null: a stranger. */
  press(unit: Unit, token: string, person: Decider | null): Promise<PressResult>;
  /** Takes the decision: true for the one caller that must now act on it. */
  settle(unit: Unit, attentionId: string): Promise<boolean>;
  /** The wait in the turn ended; the card stays. False when it was decided meanwhile: then the decision counts in the turn. */
  markLate(unit: Unit, attentionId: string): Promise<boolean>;
  /** The request was answered without us: the card is closed. */
  resolvedElsewhere(unit: Unit, attentionId: string): Promise<void>;
  /** The run is over: native requests are closed; our own tool's stay open for a late decision, unless a person stopped the run. */
  cancelRun(unit: Unit, runId: string, why: "turn_ended" | "stopped" | "restart"): Promise<void>;
  /** Turns a decision that no turn waits for into a delivery. False when somebody did before. */
  deliverLateDecision(unit: Unit, attentionId: string): Promise<boolean>;
  /** Reminds once, ends what expired, and announces again what was decided and not yet taken. */
  sweep(db: Db): Promise<void>;
}

export function createAttention(_deps: AttentionDeps): Attention {
  throw new Error("not built yet");
}
