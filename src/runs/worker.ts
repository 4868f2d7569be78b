import type { SignIns } from "../access/index.ts";
import type { ConnectionState } from "../codex/index.ts";
import type { ClaimedRun } from "../mailbox/index.ts";
import { type Db, inTransaction, type QueuePayload, type QueueWorker } from "../storage/index.ts";
import { newActiveRun } from "./active-run.ts";
import { loadDeliveries, runsOfMessage } from "./deliveries.store.ts";
import { createStrayWatch, recover } from "./recovery.ts";
import { isFleeting } from "./routine-run.ts";
import { createRun, firstTry, type Run, type Tries } from "./run.ts";
import { loadContext, requesterOf } from "./run-context.store.ts";
import * as store from "./runs.store.ts";
import type { RunDeps } from "./settings.ts";
import { loadFacts } from "./start.ts";
import { createRunControl, type RunControl } from "./stop.ts";
import { createIdleWatch } from "./threads-put-away.ts";
import { tidiesUp } from "./tidying.ts";
import { createTimelineWriter } from "./timeline-writer.ts";
import { defaultLimits, type RunLimits } from "./watchdog.ts";

export interface RunWorkerDeps extends Omit<RunDeps, "limits"> {
  readonly limits?: Partial<RunLimits> | undefined;
  readonly signIns: Pick<SignIns, "take">;
}

export interface RunWorkerStatus {
  readonly computer: string;
  readonly codex: ConnectionState["status"];
  readonly running: readonly store.RunningTask[];
  readonly queued: number;
  readonly maxConcurrentRuns: number;
}

/** The one owner of a computer's turns. */
export interface RunWorker extends RunControl {
  /** Settles what an earlier process left, then takes work. */
  start(): Promise<void>;
  /**
   * Takes nothing more and lets what runs finish for up to `graceMs`. What then still runs is ended and told so, or, where
   * Codex goes on without us, left to the next start. Resolves with the runs that were cut.
   */
  stop(graceMs: number): Promise<{ readonly cut: readonly string[] }>;
  status(db: Db): Promise<RunWorkerStatus>;
}

const jobsAtATime = 8;

export function createRunWorker(given: RunWorkerDeps): RunWorker {
  const deps: RunDeps = { ...given, limits: { ...defaultLimits, ...given.limits } };
  const isOurs = deps.settings.ownsComputer ?? (() => true);
  const active = new Map<string, Run>();
  /** Lanes being looked at, and whether they have to be looked at once more. */
  const looking = new Map<string, { again: boolean; done: Promise<void> }>();
  const tries = new Map<string, Tries>();
  const workers: QueueWorker[] = [];
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let unlisten = () => {};

  function adopt(run: Run): void {
    const { runId } = run.state.context;
    active.set(runId, run);
    void run.ended.then((how) => {
      active.delete(runId);
      const head = run.state.deliveries[0]?.id;
      if (head === undefined) return;
      if (how !== "taken_back") return void tries.delete(head);
      const { count, memoryMoved } = tries.get(head) ?? firstTry;
      tries.set(head, { count: count + 1, memoryMoved: memoryMoved || run.state.memoryMoved });
    });
  }

  const putIdleAway = createIdleWatch(deps, (threadId) =>
    [...active.values()].some((run) => run.state.threadId === threadId),
  );
  const lookForStrays = createStrayWatch(deps, {
    isOurs: ({ id, conversationId }) => active.has(id) || looking.has(conversationId),
    adopt,
    stop: stopNow,
  });

  /** One look at a lane at a time: a wake-up in the middle of one leads to exactly one more. */
  function look(conversationId: string): Promise<void> {
    const current = looking.get(conversationId);
    if (current !== undefined) {
      current.again = true;
      return current.done;
    }
    const entry = { again: true, done: Promise.resolve() };
    looking.set(conversationId, entry);
    entry.done = (async () => {
      try {
        while (entry.again) {
          entry.again = false;
          await takeFrom(conversationId);
        }
      } finally {
        looking.delete(conversationId);
      }
    })();
    return entry.done;
  }

  function lookSoon(conversationId: string): void {
    look(conversationId).catch((error: unknown) => deps.log.error({ err: error }, "a lane could not be looked at"));
  }

  async function takeFrom(conversationId: string): Promise<void> {
    const { computer, maxConcurrentRuns } = deps.settings;
    while (!stopping && isOurs()) {
      const claim = await deps.mailbox.claim(conversationId, { computer, maxConcurrentRuns });
      switch (claim.kind) {
        case "empty":
          return;
        case "claimed":
          await launch(claim.run);
          if (!claim.run.more) return;
          continue;
        case "busy": {
          const how = await steerInto(claim.runId, conversationId);
          if (how === "joined") continue;
          return how === "later" ? undefined : showLine(conversationId);
        }
        case "held":
          if (claim.retryAt === undefined || claim.reason === "usage-limit") await showLine(conversationId);
          if (claim.retryAt === undefined) return;
          return deps.mailbox.wake(conversationId, Math.max(1, claim.retryAt.getTime() - deps.clock.now().getTime()));
      }
    }
  }

  /** The turn itself runs on its own: a slow download here must not hold up another lane. */
  async function launch(claimed: ClaimedRun): Promise<void> {
    const { id: runId, conversationId, teammateId } = claimed;
    const [context, deliveries, facts] = await Promise.all([
      loadContext(deps.db, runId),
      loadDeliveries(deps.db, { runId }),
      loadFacts(deps, { runId, conversationId, teammateId }),
    ]);
    if (context === undefined) return;
    const briefing = context.routineId === null ? undefined : await deps.routines.briefing(deps.db, runId);
    const timeline = createTimelineWriter({ db: deps.db, runId, log: deps.log });
    const state = newActiveRun({ context, briefing, deliveries, timeline, now: deps.clock.now() });
    const run = createRun(deps, state, facts, tries.get(deliveries[0]?.id ?? "") ?? firstTry);
    adopt(run);
    void run.begin();
  }

  /** The requester's next message joins the running turn, where the teammate works that way. */
  async function steerInto(runId: string, conversationId: string): Promise<"joined" | "later" | "no"> {
    const run = active.get(runId);
    if (run === undefined || run.state.context.teammate.busyMode !== "steer" || tidiesUp(run.state)) return "no";
    // What comes into a routine's lane is a run of its own.
    if (isFleeting(run.state)) return "no";
    const personId = await requesterOf(deps.db, runId);
    const next = personId === null ? undefined : await deps.mailbox.nextOf(deps.db, { conversationId, personId });
    if (next === undefined) return "no";
    const { phase } = run.state;
    if (phase === "preparing" || phase === "starting") {
      // It joins as soon as there is a turn to join; until then it is not "in line".
      void run.started.then(() => lookSoon(conversationId));
      return "later";
    }
    return (await run.steer(next)) ? "joined" : "no";
  }

  async function showLine(conversationId: string): Promise<void> {
    await inTransaction(deps.db, deps.log, (unit) => deps.mailbox.showLine(unit, conversationId));
  }

  async function control(job: QueuePayload<"control">): Promise<void> {
    switch (job.kind) {
      case "stop":
        return stopNow(job.runId);
      case "decided":
        return decided(job.attentionId);
      case "sign_in":
        return given.signIns.take(job.signInId);
      case "edited": {
        const deliveries = await runsOfMessage(deps.db, job.messageId);
        for (const runId of deliveries) void active.get(runId)?.correct(job.messageId);
        return;
      }
    }
  }

  async function stopNow(runId: string): Promise<void> {
    const row = await store.runForStop(deps.db, runId);
    if (row === undefined) return;
    // The claim is committed a moment before its run is in our hands.
    if (!active.has(runId)) await looking.get(row.conversation_id)?.done;
    // Not awaited: a Codex that does not answer would hold this place up, and with it the next person's Stop.
    void active.get(runId)?.stop({ kind: "person", personId: row.stopper_id, name: row.stopper_name });
  }

  async function decided(attentionId: string): Promise<void> {
    const item = await deps.attention.get(deps.db, attentionId);
    if (item === null || item.settledAt !== null) return;
    const run = item.runId === null ? undefined : active.get(item.runId);
    if (run !== undefined && !item.late && (await run.decided(item))) return;
    if (run !== undefined && !item.late) return;
    await inTransaction(deps.db, deps.log, (unit) => deps.attention.deliverLateDecision(unit, attentionId));
  }

  /** What is being looked at and what runs may finish, in this order: a look may still begin a run. */
  async function drained(graceMs: number): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      late = setTimeout(resolve, graceMs);
    });
    const quiet = async () => {
      await workers[0]?.close();
      await Promise.all([...looking.values()].map((entry) => entry.done.catch(() => undefined)));
      await Promise.all([...active.values()].map((run) => run.ended));
    };
    await Promise.race([quiet(), limit]);
    clearTimeout(late);
  }

  return {
    ...createRunControl(deps),
    async start() {
      await recover(deps, adopt);
      unlisten = deps.mailbox.onWake(lookSoon);
      timer = setInterval(() => {
        for (const run of active.values()) run.check();
        if (stopping || !isOurs()) return;
        putIdleAway();
        void lookForStrays();
      }, deps.limits.checkMs);
      workers.push(
        await deps.queues.work("mailbox", ({ conversationId }) => look(conversationId), { concurrency: jobsAtATime }),
        await deps.queues.work("control", control, { concurrency: jobsAtATime }),
      );
      await deps.mailbox.sweep();
    },
    async stop(graceMs) {
      stopping = true;
      unlisten();
      await drained(graceMs);
      const cut = [...active.keys()];
      if (!deps.settings.codexOutlivesUs) {
        const left = [...active.values()];
        for (const run of left) void run.stop({ kind: "restart" });
        await drained(deps.limits.interruptMs);
      }
      await workers[1]?.close();
      clearInterval(timer);
      return { cut };
    },
    async status(db) {
      const { computer, maxConcurrentRuns } = deps.settings;
      const [running, queued] = await Promise.all([store.running(db, computer), store.queuedCount(db)]);
      return { computer, codex: deps.connection.state.status, running, queued, maxConcurrentRuns };
    },
  };
}
