import type { Adapters, ConnectionState } from "../chat/index.ts";
import { type Clock, type Log, newId } from "../shared/index.ts";
import { type Db, inTransaction, type Queues, type QueueWorker, type Unit } from "../storage/index.ts";
import { failureNotice } from "./failure-notice.ts";
import { outcomeOf } from "./outcome.ts";
import { bodiesOf } from "./parts.ts";
import { cardsOf, idsOf, insertParts, interrupted, moveUnsent, storeChanges } from "./posts.store.ts";
import { threadAnew } from "./report-trouble.ts";
import { createSendLoop, type SendLoop } from "./sender.ts";
import type { NewPost, Outbox, OwnerDirectory, Sender } from "./types.ts";

export interface OutboxDeps {
  readonly db: Db;
  readonly adapters: Adapters;
  readonly queues: Pick<Queues, "add" | "work">;
  readonly people: OwnerDirectory;
  readonly setConnectionState: (db: Db, connectionId: string, state: ConnectionState, detail?: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** Between 0 and 1; spreads retries. */
  readonly random?: (() => number) | undefined;
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const { db, adapters, queues, clock, log } = deps;
  const random = deps.random ?? Math.random;
  const senders = new Map<string, SendLoop>();
  const woken = new WeakMap<Unit, Set<string>>();

  async function enqueue(unit: Unit, post: NewPost) {
    const bodies = bodiesOf(post, adapters.get(post.to.connectionId));
    const parts = bodies.map((body) => ({ id: newId(), body }));
    if (!(await insertParts(unit.db, post, parts, clock.now())))
      return { postIds: await idsOf(unit.db, post.dedupKey) };
    const postIds = parts.map((part) => part.id);
    wakeAfter(unit, post.to.connectionId);
    return { postIds };
  }

  /** Once a unit and connection, however many posts the unit holds. */
  function wakeAfter(unit: Unit, connectionId: string): void {
    const already = woken.get(unit) ?? new Set();
    woken.set(unit, already);
    if (already.has(connectionId)) return;
    already.add(connectionId);
    unit.afterCommit(() => {
      const here = senders.get(connectionId);
      if (here !== undefined) return here.wake();
      return queues.add("outbox", { connectionId }, { dedupe: connectionId, scope: connectionId });
    });
  }

  function startSender(connectionId: string): Sender {
    const loop = createSendLoop({
      ...deps,
      connectionId,
      random,
      storeFailures: (changes, failures) =>
        inTransaction(db, log, async (unit) => {
          const lost = new Set<string>();
          for (const { post, kind } of failures) {
            if (kind === "gone" && (await threadAnew(unit, enqueue, connectionId, post))) lost.add(post.id);
          }
          const nextAt = clock.now();
          await storeChanges(
            unit.db,
            changes.map((each) => (lost.has(each.id) ? { ...each, status: "pending", nextAt } : each)),
            nextAt,
          );
          for (const failure of failures) {
            if (lost.has(failure.post.id)) continue;
            const notice = await failureNotice(unit.db, deps.people, connectionId, failure, clock.now());
            if (notice !== null) await enqueue(unit, notice);
          }
        }),
    });
    senders.set(connectionId, loop);
    const listening = listen(connectionId, loop);
    return {
      wake: loop.wake,
      idle: loop.idle,
      async stop() {
        if (senders.get(connectionId) === loop) senders.delete(connectionId);
        await Promise.all([loop.stop(), listening.then((worker) => worker?.close())]);
      },
    };
  }

  /** Wake-ups from other processes. Without them the loop still looks every few seconds. */
  async function listen(connectionId: string, loop: SendLoop): Promise<QueueWorker | undefined> {
    try {
      return await queues.work("outbox", async () => loop.wake(), { scope: connectionId });
    } catch (error) {
      log.warn({ err: error, connectionId }, "the outbox cannot be woken by other processes");
      return undefined;
    }
  }

  return {
    enqueue,
    startSender,
    async recover(database, connectionId) {
      const now = clock.now();
      const idempotentPosts = adapters.get(connectionId)?.capabilities.idempotentPosts ?? false;
      const lost = { outcome: "unknown", detail: "we ended while it was being sent" } as const;
      const changes = (await interrupted(database, connectionId)).map((post) => {
        const outcome = outcomeOf(post, lost, { idempotentPosts, now, random: random() });
        return { id: post.id, ...outcome };
      });
      if (changes.length > 0) await storeChanges(database, changes, now);
    },
    cardsOf,
    moveUnsent: (unit, connectionId, from, to) => moveUnsent(unit.db, connectionId, from, to),
  };
}
