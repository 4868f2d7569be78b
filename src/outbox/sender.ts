import type { Adapter, Adapters, ConnectionState, Receipt } from "../chat/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import { type ClaimedPost, claim, type WaitingPost } from "./claim.store.ts";
import type { Failure } from "./failure-notice.ts";
import { isTooLate, type Outcome, outcomeOf } from "./outcome.ts";
import { createPacing, type Pacing } from "./pacing.ts";
import { type Change, putBackLost, storeChanges } from "./posts.store.ts";
import { send } from "./send.ts";

export interface SenderDeps {
  readonly db: Db;
  readonly connectionId: string;
  readonly adapters: Adapters;
  readonly setConnectionState: (db: Db, connectionId: string, state: ConnectionState, detail?: string) => Promise<void>;
  /** Stores outcomes together with the notices about failures. */
  readonly storeFailures: (changes: readonly Change[], failures: readonly Failure[]) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
}

export interface SendLoop {
  wake(): void;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

interface Settled {
  readonly post: ClaimedPost;
  readonly receipt: Receipt;
  readonly outcome: Outcome;
}

const mostInFlight = 64;
const tooLate: Receipt = { outcome: "failed", error: { kind: "rejected", detail: "nobody waits for it any more" } };
/** Wake-ups are hints: this often we look without one. */
const lookEveryMs = 15_000;
/** For so long after trouble with the database a claim whose answer was lost may still turn up. */
const lostClaimsMs = 60_000;

/**
 * The send loop of one connection. One pass stores the receipts that came in since the last one and takes what may go next;
 * sends run beside it. However often it is woken, one pass runs at a time.
 */
export function createSendLoop(deps: SenderDeps): SendLoop {
  const { db, connectionId, clock, log } = deps;
  const inFlight = new Set<Promise<void>>();
  /** Claimed here, and not stored yet what became of it. */
  const ours = new Set<string>();
  let lookForLostUntil = 0;
  let unstored: Settled[] = [];
  let pacing: Pacing | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const idleWaiters: (() => void)[] = [];
  let wanted = false;
  let busy = false;
  let stopping = false;
  let troubles = 0;
  let refused = false;

  const isIdle = () => !busy && !wanted && inFlight.size === 0 && unstored.length === 0;

  function wake(): void {
    wanted = true;
    if (!busy) void loop();
  }

  async function loop(): Promise<void> {
    busy = true;
    while (wanted) {
      wanted = false;
      try {
        await pass();
        troubles = 0;
      } catch (error) {
        troubles += 1;
        lookForLostUntil = performance.now() + lostClaimsMs;
        log.warn({ err: error, connectionId }, "the outbox could not reach the database; it tries again");
        wakeIn(Math.min(30_000, 250 * 2 ** Math.min(troubles, 7)));
        break;
      }
    }
    busy = false;
    if (isIdle() || stopping) for (const resolve of idleWaiters.splice(0)) resolve();
  }

  async function pass(): Promise<void> {
    await storeReceipts();
    if (stopping) return;
    // A claim may be committed although its answer never came: nobody sends that post, and it holds its lane.
    if (performance.now() < lookForLostUntil) await putBackLost(db, connectionId, [...ours]);
    const adapter = deps.adapters.get(connectionId);
    if (adapter === undefined) return wakeIn(lookEveryMs);
    pacing ??= createPacing(adapter.capabilities);
    const now = clock.now();
    const free = Math.min(pacing.batch, mostInFlight - inFlight.size);
    if (free <= 0) return;
    if (pacing.connectionReadyAt() > now.getTime()) return wakeIn(pacing.connectionReadyAt() - now.getTime());
    const { claimed, waiting } = await claim(db, {
      connectionId,
      now,
      limit: free,
      limited: pacing.limited(now.getTime()),
      resting: pacing.resting(now.getTime()),
      restless: pacing.restless,
    });
    for (const post of claimed) start(adapter, pacing, post, now.getTime());
    await dropDead(waiting);
    wakeIn(nextLook(waiting, pacing, now.getTime(), claimed.length));
  }

  function start(adapter: Adapter, pace: Pacing, post: ClaimedPost, now: number): void {
    const at = pace.book(post.address.channel, post.placeKind, post.paced, now);
    const sending = sendAt(adapter, pace, post, at - now).finally(() => {
      inFlight.delete(sending);
      wake();
    });
    inFlight.add(sending);
    ours.add(post.id);
  }

  async function sendAt(adapter: Adapter, pace: Pacing, post: ClaimedPost, delayMs: number): Promise<void> {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const receipt = isTooLate(post, clock.now()) ? tooLate : await send(adapter, post);
    const outcome = outcomeOf(post, receipt, {
      idempotentPosts: adapter.capabilities.idempotentPosts,
      now: clock.now(),
      random: deps.random(),
    });
    const trouble = receipt.outcome === "failed" ? receipt.error.kind : undefined;
    if (outcome.status === "pending" && (trouble === "rate_limited" || trouble === "refused")) {
      pace.limit(post.address.channel, outcome.nextAt.getTime(), trouble === "rate_limited");
    }
    unstored.push({ post, receipt, outcome });
  }

  async function storeReceipts(): Promise<void> {
    const batch = unstored;
    if (batch.length === 0) return;
    unstored = [];
    try {
      const changes = batch.map(({ post, outcome }) => changeOf(post, outcome));
      const failures = batch.flatMap(failureOf);
      if (failures.length > 0) await deps.storeFailures(changes, failures);
      else await storeChanges(db, changes, clock.now());
    } catch (error) {
      unstored = [...batch, ...unstored];
      throw error;
    }
    for (const { post } of batch) ours.delete(post.id);
    report(batch);
    await reportState(batch);
  }

  function report(batch: readonly Settled[]): void {
    for (const { post, outcome } of batch) {
      if (outcome.status === "sent") continue;
      const { id, op, purpose } = post;
      log.warn(
        { connectionId, post: id, op, purpose, outcome: outcome.status, error: outcome.error },
        "a post was not taken",
      );
    }
  }

  async function reportState(batch: readonly Settled[]): Promise<void> {
    const refusal = batch.find(({ receipt }) => receipt.outcome === "failed" && receipt.error.kind === "refused");
    if (refusal?.receipt.outcome === "failed") {
      refused = true;
      await deps.setConnectionState(db, connectionId, "misconfigured", refusal.receipt.error.detail);
    } else if (refused && batch.some(({ receipt }) => receipt.outcome === "delivered")) {
      refused = false;
      await deps.setConnectionState(db, connectionId, "connected");
    }
  }

  async function dropDead(waiting: readonly WaitingPost[]): Promise<void> {
    const dead = waiting.filter((post) => post.readiness === "dead");
    if (dead.length === 0) return;
    const error = "what it is about was never sent";
    await storeChanges(
      db,
      dead.map(({ id }) => ({ id, status: "superseded", error })),
      clock.now(),
    );
    wanted = true;
  }

  function wakeIn(ms: number): void {
    clearTimeout(timer);
    if (!stopping || unstored.length > 0) timer = setTimeout(wake, Math.max(0, Math.min(ms, lookEveryMs)));
  }

  wake();
  return {
    wake,
    idle: () => new Promise((resolve) => (isIdle() ? resolve() : idleWaiters.push(resolve))),
    async stop() {
      stopping = true;
      await Promise.allSettled(inFlight);
      wake();
      await new Promise<void>((resolve) => (busy ? idleWaiters.push(resolve) : resolve()));
      clearTimeout(timer);
    },
  };
}

function changeOf(post: ClaimedPost, outcome: Outcome): Change {
  const { id } = post;
  switch (outcome.status) {
    case "sent":
      // Only a new message has an id of its own.
      return post.op === "post" || post.op === "upload" || post.op === "open_thread"
        ? { id, status: "sent", messageId: outcome.messageId }
        : { id, status: "sent" };
    case "pending":
      return { id, ...outcome };
    case "failed":
    case "uncertain":
      return { id, status: outcome.status, error: outcome.error };
  }
}

function failureOf({ post, outcome }: Settled): readonly Failure[] {
  if (outcome.status !== "failed" || outcome.tell === null) return [];
  return [{ post, kind: outcome.tell, detail: outcome.error }];
}

/** Milliseconds until the first of the lanes that wait may go. */
function nextLook(waiting: readonly WaitingPost[], pacing: Pacing, now: number, claimed: number): number {
  const times = waiting
    .filter((post) => post.readiness === "ready")
    .map((post) =>
      Math.max(post.nextAt.getTime(), pacing.readyAt(post.channel, post.paced), pacing.connectionReadyAt()),
    );
  const wait = Math.min(lookEveryMs, ...times.map((time) => time - now));
  // Due, yet not taken: the batch was full, or somebody else holds the row; then a moment later, not at once and for ever.
  return claimed > 0 ? Math.max(0, wait) : Math.max(50, wait);
}
