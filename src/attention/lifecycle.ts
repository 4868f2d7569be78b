import { type Clock, type Log, newId } from "../shared/index.ts";
import { type Db, inTransaction, type Queues, type Unit } from "../storage/index.ts";
import * as store from "./attention.store.ts";
import { type CardDeps, type CardEnding, closeCards, postCards, remind } from "./cards.ts";
import { redactDetails } from "./details.ts";
import { type Deliver, deliverDecision } from "./late-decision.ts";
import type { NewAttention } from "./types.ts";

export interface LifecycleDeps extends CardDeps {
  readonly queues: Pick<Queues, "add">;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly log: Log;
}

/** How what waits begins and ends, whether it is decided or answered. */
export interface Lifecycle {
  open(unit: Unit, request: NewAttention): Promise<{ readonly id: string }>;
  /** Every copy of the card, and whoever waits: a turn, or a new one. */
  afterDecision(unit: Unit, item: store.StoredItem, ending: CardEnding): Promise<void>;
  markLate(unit: Unit, id: string): Promise<boolean>;
  resolvedElsewhere(unit: Unit, id: string): Promise<void>;
  withdraw(unit: Unit, id: string): Promise<void>;
  cancelRun(unit: Unit, runId: string, why: "turn_ended" | "stopped" | "restart"): Promise<void>;
  deliverLateDecision(unit: Unit, attentionId: string): Promise<boolean>;
  sweep(db: Db): Promise<void>;
}

const minute = 60_000;
const lifetimeMs = 24 * 60 * minute;
const remindAfterMs = 10 * minute;
/** A decision that nobody took for this long is announced again. */
const takenWithinMs = 15_000;

export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { outbox, queues, clock, log, deliver } = deps;

  async function open(unit: Unit, request: NewAttention) {
    const id = newId();
    const now = clock.now();
    const details = redactDetails(request.details);
    const expiresAt = request.expiresAt ?? new Date(now.getTime() + lifetimeMs);
    const remindAt = new Date(now.getTime() + remindAfterMs);
    await store.insertItem(unit.db, { id, request, details, now, remindAt, expiresAt });
    const item = await store.getItem(unit.db, id);
    if (item === null) throw new Error("an attention item vanished while it was being stored");
    await postCards(unit, deps, item, request);
    return { id };
  }

  /** The worker that owns the run answers the turn; after the turn, the decision becomes a delivery. */
  function announce(unit: Unit, attentionId: string): void {
    unit.afterCommit(() =>
      queues.add("control", { kind: "decided", attentionId }, { dedupe: `decided:${attentionId}` }),
    );
  }

  async function afterDecision(unit: Unit, item: store.StoredItem, ending: CardEnding): Promise<void> {
    await closeCards(unit, outbox, item, ending);
    if (item.late) await deliverDecision(unit, item, deliver, clock.now());
    else announce(unit, item.id);
  }

  /** Ends an open item without a person. */
  async function end(unit: Unit, id: string, ending: Ending): Promise<void> {
    const { status, settled } = ending;
    const choice = status;
    if (!(await store.close(unit.db, id, { status, choice, by: null, now: clock.now(), settled }))) return;
    const item = await store.getItem(unit.db, id);
    if (item === null) return;
    await closeCards(unit, outbox, item, (words) => words.approval[ending.says]);
    if (!settled) announce(unit, id);
  }

  async function markLate(unit: Unit, id: string): Promise<boolean> {
    const item = await store.lockItem(unit.db, id);
    if (item === null || item.status !== "open") return false;
    if (canBeLate(item)) return store.markLate(unit.db, id);
    await end(unit, id, { status: "expired", says: "expired", settled: false });
    return false;
  }

  async function cancelRun(unit: Unit, runId: string, why: "turn_ended" | "stopped" | "restart"): Promise<void> {
    for (const item of await store.lockOfRun(unit.db, runId)) {
      const outlivesTurn = canBeLate(item) && why !== "stopped";
      if (item.status === "open") {
        if (outlivesTurn) await store.markLate(unit.db, item.id);
        else
          await end(unit, item.id, {
            status: "cancelled",
            says: why === "stopped" ? "stopped" : "noLongerNeeded",
            settled: true,
          });
      } else if (outlivesTurn) {
        // Decided in the moment the turn ended: the turn did not take it.
        await deliverDecision(unit, item, deliver, clock.now());
      } else {
        await store.settle(unit.db, item.id, clock.now());
      }
    }
  }

  /** While a turn may still take it, the decision is that turn's. A native request's ends with its turn. */
  async function deliverLateDecision(unit: Unit, attentionId: string): Promise<boolean> {
    const item = await store.getItem(unit.db, attentionId);
    if (item === null || item.status === "open" || isAwaited(item)) return false;
    if (canBeLate(item)) return deliverDecision(unit, item, deliver, clock.now());
    await store.settle(unit.db, attentionId, clock.now());
    return false;
  }

  async function sweep(db: Db): Promise<void> {
    const now = clock.now();
    const each = async (ids: readonly string[], work: (unit: Unit, id: string) => Promise<unknown>) => {
      for (const id of ids) {
        try {
          await inTransaction(db, log, (unit) => work(unit, id));
        } catch (error) {
          log.warn(
            { err: error, attentionId: id },
            "something that waits for a person could not be looked after; the next sweep tries again",
          );
        }
      }
    };
    await each(await store.dueExpiries(db, now), expire);
    await each(await store.dueReminders(db, now), async (unit, id) => {
      if (!(await store.takeReminder(unit.db, id, now))) return;
      const item = await store.getItem(unit.db, id);
      if (item !== null) await remind(unit, outbox, item);
    });
    await each(await store.unsettledSince(db, new Date(now.getTime() - takenWithinMs)), settleOrAnnounce);
  }

  async function expire(unit: Unit, id: string): Promise<void> {
    const item = await store.getItem(unit.db, id);
    // While its turn lives, somebody has to tell the turn.
    if (item !== null) await end(unit, id, { status: "expired", says: "expired", settled: !isAwaited(item) });
  }

  async function settleOrAnnounce(unit: Unit, id: string): Promise<void> {
    const item = await store.getItem(unit.db, id);
    if (item === null || item.settledAt !== null) return;
    if (isAwaited(item)) announce(unit, id);
    else await deliverLateDecision(unit, id);
  }

  const resolvedElsewhere = (unit: Unit, id: string) =>
    end(unit, id, { status: "cancelled", says: "answeredElsewhere", settled: true });

  const withdraw = (unit: Unit, id: string) => end(unit, id, { status: "cancelled", says: "wentOn", settled: true });

  return { open, afterDecision, markLate, resolvedElsewhere, withdraw, cancelRun, deliverLateDecision, sweep };
}

/** Our own tools' requests may be decided after their turn; what must not be read ends with the turn that would have read it. */
function canBeLate({ method, details }: store.StoredItem): boolean {
  if (method === "request_approval") return true;
  return method === "ask_user" && details.kind === "question" && !details.questions.some(({ secret }) => secret);
}

function isAwaited(item: store.StoredItem): boolean {
  return item.runIsLive && !item.late;
}

interface Ending {
  readonly status: "expired" | "cancelled";
  readonly says: "expired" | "stopped" | "noLongerNeeded" | "answeredElsewhere" | "wentOn";
  readonly settled: boolean;
}
