import { issueTokens } from "../attention/index.ts";
import type { Outbox } from "../outbox/index.ts";
import { allows, type Person } from "../people/index.ts";
import { type Clock, type Log, newId } from "../shared/index.ts";
import type { Db, Queues, Unit } from "../storage/index.ts";
import type { ClaimRow } from "./claim.store.ts";
import { createClaims } from "./claims.ts";
import * as deliveries from "./deliveries.store.ts";
import { holdAll, lanesAfter, lanesWithWork, positionOf, releaseAll } from "./lanes.store.ts";
import { withoutQueuePost } from "./queue-post.store.ts";
import { removeQueuePost, showQueuePost, tellAnew } from "./queue-post.ts";
import type { Claim, ClaimLimits, HoldReason, NewDelivery, QueuedDelivery, QueuePosition } from "./types.ts";

export interface MailboxDeps {
  readonly db: Db;
  readonly log: Log;
  readonly clock: Clock;
  readonly queues: Pick<Queues, "add">;
  readonly outbox: Pick<Outbox, "enqueue">;
}

export type CancelResult = "cancelled" | "not_queued" | "refused";
export type RetryResult = "queued" | "nothing" | "refused";

export interface Mailbox {
  /** Stores a delivery in the caller's transaction; its lane is woken after the commit. The same idempotency key again is a no-op. */
  deliver(unit: Unit, delivery: NewDelivery): Promise<{ readonly deliveryId: string }>;
  /** Looks at a lane soon (after `delayMs`). A wake-up that gets lost is repeated by the sweep. */
  wake(conversationId: string, delayMs?: number): Promise<void>;
  /** Lets a worker of this process be woken without the way through the queue. Returns how to stop. */
  onWake(listener: (conversationId: string) => void): () => void;
  /** Turns the head of a lane into a run, or says why not. At most one claim per lane ever succeeds at a time. */
  claim(conversationId: string, limits: ClaimLimits): Promise<Claim>;
  position(db: Db, deliveryId: string): Promise<QueuePosition | undefined>;
  /** Says, once per delivery, what waits in a lane and for what; each post goes away when its delivery starts. */
  showLine(unit: Unit, conversationId: string): Promise<void>;
  /** The oldest delivery this person has in line here, if it may start. */
  nextOf(db: Db, whose: { conversationId: string; personId: string }): Promise<QueuedDelivery | undefined>;
  /** Takes the post away that said it waits. */
  hideInLine(unit: Unit, delivery: { readonly id: string; readonly queuePostId: string | null }): Promise<void>;
  /** Everything this person still has in line in this conversation. */
  cancelQueued(unit: Unit, whose: { conversationId: string; personId: string }): Promise<number>;
  /** Everything in line in this conversation, whoever asked for it. */
  cancelLane(unit: Unit, conversationId: string): Promise<number>;
  /** For the one who asked, and managers and above. */
  cancelDelivery(unit: Unit, deliveryId: string, by: Person): Promise<CancelResult>;
  /** Asks again for what a finished run was about. For the one who asked, and managers and above; once per run. */
  retry(unit: Unit, runId: string, by: Person): Promise<RetryResult>;
  /** Takes a queued delivery for a running turn: true for exactly one caller. */
  takeForSteer(db: Db, deliveryId: string, runId: string): Promise<boolean>;
  /** Codex took the steered delivery into the turn. */
  joined(unit: Unit, deliveryId: string): Promise<void>;
  /** Back into its old place in the line, exactly once; the lane is woken. */
  putBack(
    unit: Unit,
    which: { runId: string } | { deliveryId: string },
    hold?: { reason: HoldReason; readyAt?: Date | undefined },
  ): Promise<number>;
  /** Ends every delivery of a run with the run's own outcome; `cancelled`: what it was about is not done at all. */
  settleRun(
    unit: Unit,
    runId: string,
    outcome: { status: "completed" | "failed" | "interrupted" | "cancelled"; errorCode: string | null },
  ): Promise<void>;
  /** Ends one delivery whose turn ended before it was known to have joined. */
  settleDelivery(unit: Unit, deliveryId: string, outcome: "completed" | "failed" | "interrupted"): Promise<void>;
  /** After a run ended or began to wait: its own lane and the lanes that waited longest for what it held. */
  wakeAfter(run: { conversationId: string; teammateId: string }): Promise<void>;
  /** A teammate was hidden: what waits for it goes on waiting, and says so. Its running turns finish. */
  pause(unit: Unit, teammateId: string): Promise<void>;
  /** A teammate is back: its lanes go on, in their order. */
  resume(unit: Unit, teammateId: string): Promise<void>;
  /** The limit that messages waited for is over, or somebody else pays: all of them go on now. How many lanes it were. */
  endLimit(unit: Unit): Promise<number>;
  /** Wakes every lane that has something ready. */
  sweep(): Promise<void>;
}

const sweepLimit = 500;

export function createMailbox(deps: MailboxDeps): Mailbox {
  const { db, clock } = deps;
  const listeners = new Set<(conversationId: string) => void>();
  const now = () => clock.now();
  const claims = createClaims(db, now);

  async function wake(conversationId: string, delayMs = 0): Promise<void> {
    if (listeners.size > 0 && delayMs === 0) {
      // The rows are committed, so a crash from here on loses nothing: the next start sweeps.
      for (const listener of listeners) listener(conversationId);
      return;
    }
    await deps.queues.add("mailbox", { conversationId }, { dedupe: conversationId, delayMs });
  }

  async function hideInLine(unit: Unit, delivery: { id: string; queuePostId: string | null }): Promise<void> {
    if (delivery.queuePostId !== null) await removeQueuePost(deps.outbox, unit, delivery.id, delivery.queuePostId);
  }

  async function cancel(unit: Unit, which: Parameters<typeof deliveries.cancel>[1]): Promise<number> {
    const rows = await deliveries.cancel(unit.db, which, now());
    for (const row of rows) await hideInLine(unit, { id: row.id, queuePostId: row.queue_post_id });
    const lanes = new Set(rows.map((row) => row.conversation_id));
    unit.afterCommit(() => Promise.all([...lanes].map((lane) => wake(lane))).then(() => undefined));
    return rows.length;
  }

  return {
    async deliver(unit, delivery) {
      const deliveryId = await deliveries.insertDelivery(unit.db, newId(), delivery, now());
      const delay = delivery.readyAt === undefined ? 0 : Math.max(0, delivery.readyAt.getTime() - now().getTime());
      unit.afterCommit(() => wake(delivery.conversationId, delay));
      return { deliveryId };
    },
    wake,
    onWake(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async claim(conversationId, limits) {
      const row = await claims({ conversationId, limits });
      return row === undefined ? { kind: "empty" } : toClaim(row, conversationId, now());
    },
    position: positionOf,
    async showLine(unit, conversationId) {
      const waiting = await withoutQueuePost(unit.db, conversationId, now());
      for (const id of waiting) await showQueuePost({ outbox: deps.outbox, issueTokens }, unit, id);
    },
    nextOf: (db, whose) => deliveries.nextOf(db, whose, now()),
    hideInLine,
    cancelQueued: cancel,
    cancelLane: (unit, conversationId) => cancel(unit, { conversationId }),
    async cancelDelivery(unit, deliveryId, by) {
      const delivery = await deliveries.getDelivery(unit.db, deliveryId);
      if (delivery === undefined) return "not_queued";
      if (!mayDecide(delivery.requester_person_id, by)) return "refused";
      return (await cancel(unit, { deliveryId })) > 0 ? "cancelled" : "not_queued";
    },
    retry: (unit, runId, by) => retry(deps, wake, unit, runId, by),
    takeForSteer: deliveries.takeForSteer,
    async joined(unit, deliveryId) {
      await deliveries.setStatus(unit.db, deliveryId, ["starting"], "running", null);
    },
    async putBack(unit, which, hold) {
      const lanes = await deliveries.putBack(unit.db, which, hold?.reason ?? null, hold?.readyAt);
      const delay = hold?.readyAt === undefined ? 0 : Math.max(0, hold.readyAt.getTime() - now().getTime());
      unit.afterCommit(() => Promise.all(lanes.map((lane) => wake(lane, delay))).then(() => undefined));
      return lanes.length;
    },
    settleRun: (unit, runId, { status, errorCode }) => deliveries.settleRun(unit.db, runId, status, errorCode, now()),
    async settleDelivery(unit, deliveryId, outcome) {
      await deliveries.setStatus(unit.db, deliveryId, ["starting", "running"], outcome, { at: now(), errorCode: null });
    },
    async wakeAfter(run) {
      const lanes = await lanesAfter(db, run);
      await Promise.all(lanes.map((lane) => wake(lane)));
    },
    async pause(unit, teammateId) {
      const held = await holdAll(unit.db, teammateId);
      for (const { id } of held) await tellAnew({ outbox: deps.outbox, issueTokens }, unit, id);
    },
    async resume(unit, teammateId) {
      const freed = await releaseAll(unit.db, teammateId);
      for (const { id, isHead } of freed) {
        // The first of a lane starts now, which takes its post away.
        if (!isHead) await tellAnew({ outbox: deps.outbox, issueTokens }, unit, id);
      }
      const lanes = [...new Set(freed.map((each) => each.lane))];
      unit.afterCommit(() => Promise.all(lanes.map((lane) => wake(lane))).then(() => undefined));
    },
    async endLimit(unit) {
      const lanes = await deliveries.endLimit(unit.db, now());
      unit.afterCommit(() => Promise.all(lanes.map((lane) => wake(lane))).then(() => undefined));
      return lanes.length;
    },
    async sweep() {
      for (const lane of await lanesWithWork(db, now(), sweepLimit)) await wake(lane);
    },
  };
}

/** The one who asked decides over their own request; a manager over everybody's. */
function mayDecide(requesterPersonId: string | null, by: Person): boolean {
  return requesterPersonId === by.id || allows(by.role, "manager");
}

async function retry(
  deps: MailboxDeps,
  wake: Mailbox["wake"],
  unit: Unit,
  runId: string,
  by: Person,
): Promise<RetryResult> {
  const before = await deliveries.deliveriesOfRun(unit.db, runId);
  if (before.some((each) => !mayDecide(each.requester_person_id, by))) return "refused";
  for (const each of before) {
    await deliveries.insertDelivery(
      unit.db,
      newId(),
      {
        messageId: each.message_id,
        teammateId: each.teammate_id,
        conversationId: each.conversation_id,
        requesterPersonId: each.requester_person_id,
        trigger: each.trigger === "compact" ? "compact" : "retry",
        idempotencyKey: `retry:${each.id}`,
        retryOf: each.id,
      },
      deps.clock.now(),
    );
  }
  const lane = before[0]?.conversation_id;
  if (lane === undefined) return "nothing";
  unit.afterCommit(() => wake(lane));
  return "queued";
}

function toClaim(row: ClaimRow, conversationId: string, now: Date): Claim {
  const next: QueuedDelivery = {
    id: row.id,
    messageId: row.message_id,
    conversationId,
    requesterPersonId: row.requester_person_id,
    trigger: row.trigger,
    queuePostId: row.queue_post_id,
  };
  switch (row.verdict) {
    case "busy":
      return { kind: "busy", runId: row.busy_run ?? "", next: row.ready_at > now ? null : next };
    case "not-ready":
      return { kind: "held", reason: row.hold_reason ?? "not-ready", retryAt: row.ready_at, next };
    case "server-busy":
    case "task-limit":
    case "hidden":
      return { kind: "held", reason: row.verdict, next };
    case "claimed":
      return {
        kind: "claimed",
        run: {
          id: row.run_id ?? "",
          conversationId,
          teammateId: row.teammate_id,
          requesterPersonId: row.requester_person_id,
          trigger: row.trigger,
          codexThreadId: row.codex_thread_id,
          deliveries: row.taken.map((each) => ({
            id: each.id,
            messageId: each.message_id,
            queuePostId: each.queue_post_id,
          })),
          more: row.left > 0,
        },
      };
  }
}
