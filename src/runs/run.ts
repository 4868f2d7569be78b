import type { NoAccess, UsableAccess } from "../access/index.ts";
import type { AttentionItem } from "../attention/index.ts";
import { CodexError } from "../codex/index.ts";
import type { QueuedDelivery } from "../mailbox/index.ts";
import { dropTaken } from "../routines/index.ts";
import { inTransaction } from "../storage/index.ts";
import type { ActiveRun, StopReason } from "./active-run.ts";
import { react } from "./answer.ts";
import { connectionLost, createEnding, type HowEnded } from "./ending.ts";
import { cutOff, type FailureCode } from "./outcome.ts";
import { createReconciler } from "./reconcile.ts";
import { createRequests, type Requests } from "./requests.ts";
import { isFleeting, isUnwanted } from "./routine-run.ts";
import { leaveThread } from "./routine-thread.ts";
import { showView } from "./run-view.ts";
import * as store from "./runs.store.ts";
import type { RunDeps } from "./settings.ts";
import { type Facts, memoryMoved, type Prepared, pickThread, prepare, startTurn } from "./start.ts";
import { addNote, correct, type SteerHost, steer } from "./steer.ts";
import { takeOver } from "./take-over.ts";
import { threadSettings } from "./thread-choice.ts";
import { isWorthTidying, tidiesUp } from "./tidying.ts";
import { createTurnEvents } from "./turn-events.ts";
import { overdue } from "./watchdog.ts";

/** One turn in the hands of this process, from its claim to its end. Nothing here rejects: what goes wrong ends the run. */
export interface Run {
  readonly state: ActiveRun;
  /** Resolves once Codex has the turn, or never will. */
  readonly started: Promise<void>;
  readonly ended: Promise<HowEnded>;
  begin(): Promise<void>;
  /** Takes up a run that an earlier process left. Resolves once it is known what became of it. */
  recover(reachable: boolean): Promise<void>;
  /** Safe to repeat, in every phase. */
  stop(reason: StopReason): Promise<void>;
  /** True when the message joined, false when it stays in line. */
  steer(delivery: QueuedDelivery): Promise<boolean>;
  correct(messageId: string): Promise<void>;
  /** True when the turn waited for this decision, or will ask again for it. */
  decided(item: AttentionItem): Promise<boolean>;
  /** Looks at the deadlines. */
  check(): void;
}

const noAccessCodes = {
  no_account: "no_account",
  plan_limit: "usage_limit",
  key_rejected: "key_rejected",
} as const satisfies Record<NoAccess["why"], FailureCode>;

/** What became of this message's earlier runs that Codex never had. */
export interface Tries {
  readonly count: number;
  /** One of them was given back because the teammate's memory had changed under it. */
  readonly memoryMoved: boolean;
}

export const firstTry: Tries = { count: 0, memoryMoved: false };

export function createRun(deps: RunDeps, run: ActiveRun, facts: Facts, tries: Tries): Run {
  const { runId, teammate } = run.context;
  const started = Promise.withResolvers<void>();
  let prepared: Prepared | undefined;
  // Of a turn that another process began it is not known.
  let mayTellReports = true;
  let requests: Requests | undefined;
  let accepting: Promise<void> | undefined;
  const corrections = new Set<string>();

  const log = (error: unknown, message: string) => deps.log.error({ err: error, runId }, message);
  const isUnderWay = () => run.phase === "running" && events.areRead;
  const ending = createEnding({ deps, run, starts: tries.count, onOver: started.resolve, isUnderWay });
  const reconciler = createReconciler({
    deps,
    run,
    ending,
    isUnderWay: () => events.areRead,
    accepted,
    known: () =>
      prepared === undefined
        ? undefined
        : { settings: threadSettings(deps, teammate, prepared.needs), steers: steerHost(prepared) },
  });

  const events = createTurnEvents({ deps, run, ending, reconciler, requests: () => requests, accepted });

  function attach(threadId: string): void {
    run.attachment?.detach();
    run.attachment = deps.connection.attach(threadId, events.handler);
    run.threadId = threadId;
  }

  async function ready(access: UsableAccess, isStart: boolean): Promise<Prepared> {
    run.access = access;
    const made = await prepare(deps, run, facts, { attach, isStart, access });
    prepared = made;
    mayTellReports = !isStart || made.prompt.reports?.length !== 0;
    requests = createRequests({
      deps,
      run,
      workspace: made.workspace,
      // Only a command's or a patch's own answer can end a turn; for every other request it has to be interrupted.
      stopChosen: ({ by }) => void ending.stop({ kind: "person", personId: by?.id ?? null, name: by?.name ?? null }),
      addNote: (attentionId, decision) => {
        addNote(steerHost(made), attentionId, decision).catch((error: unknown) =>
          log(error, "a note was not passed on"),
        );
      },
    });
    return made;
  }

  function steerHost(made: Prepared): SteerHost {
    const ended = ending.ended.then((how) => (how === "taken_back" ? "interrupted" : how));
    return { deps, run, workspace: made.workspace, ended };
  }

  async function launch(made: Prepared, fresh: boolean): Promise<void> {
    if (ending.endIfStopped()) return;
    // Side by side: where the thread is at hand, only this look stands between now and the turn.
    const [thread, moved] = await Promise.all([
      pickThread(deps, run, made.needs, fresh),
      memoryMoved(deps, run, made.needs.memory.generation),
    ]);
    run.model = made.needs.access.model ?? thread.model;
    if (ending.endIfStopped()) return;
    if (moved) return memoryChanged();
    if (tidiesUp(run) && !isWorthTidying(made.needs, thread)) {
      return ending.end({ kind: "completed", text: run.words.threads.nothingToTidy });
    }
    run.phase = "starting";
    try {
      // Its turn has no name yet: the first one that starts there is it.
      if (tidiesUp(run)) return await deps.threads.compact(thread.threadId);
      const { turnId, merged } = await startTurn(deps, run, made, thread);
      if (merged) deps.log.warn({ runId }, "the thread was busy: Codex gave the message to the running turn");
      await accepted(turnId);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      // One that Codex put away unasked is resumed first; one it does not know is replaced.
      if (error.kind === "thread_missing" && !fresh) return await launch(made, thread.how !== "reused");
      if (error.kind !== "timeout" && error.kind !== "disconnected") throw error;
      // It may have been taken: only events or a look at the thread can tell, never a second try.
      reconciler.unconfirmed();
    }
  }

  /** The prompt holds what was corrected or forgotten meanwhile: it is made anew, once. */
  function memoryChanged(): Promise<void> {
    if (tries.memoryMoved) return ending.end({ kind: "failed", code: "memory_changed", detail: "", partial: "" });
    run.memoryMoved = true;
    return ending.giveBack("now");
  }

  /** 👀 on what was taken up; what said "in line" goes. */
  async function takeUp(): Promise<void> {
    if (run.routine !== undefined) return;
    try {
      await inTransaction(deps.db, deps.log, async (unit) => {
        await react(deps, unit, run, run.deliveries, "received");
        for (const each of run.deliveries) await deps.mailbox.hideInLine(unit, each);
      });
    } catch (error) {
      log(error, "nobody was shown that a message was taken up");
    }
  }

  function accepted(turnId: string): Promise<void> {
    accepting ??= enterTurn(turnId);
    return accepting;
  }

  async function enterTurn(turnId: string): Promise<void> {
    const { threadId } = run;
    if (ending.isOver || threadId === undefined) return;
    run.turnId = turnId;
    run.phase = "running";
    run.lastEventAt = deps.clock.now();
    const { effort = null, payer = null } = run.access ?? {};
    try {
      await store.markRunning(deps.db, {
        runId,
        threadId,
        turnId,
        model: run.model,
        effort,
        payer,
        at: deps.clock.now(),
      });
      if (mayTellReports) await dropTaken(deps.db, runId);
    } catch (error) {
      // Codex works on it all the same; its end is written whatever the row says by then.
      log(error, "it could not be noted that a turn runs");
    }
    showView(deps, run);
    events.read();
    started.resolve();
    if (run.stop !== undefined) await ending.interrupt();
    for (const messageId of corrections) await correctNow(messageId);
  }

  async function notStarted(error: unknown): Promise<void> {
    if (ending.endIfStopped()) return;
    const kind = error instanceof CodexError ? error.kind : undefined;
    const compacting = error instanceof CodexError && error.message.includes("ActiveTurnNotSteerable");
    const broken = kind === "timeout" || kind === "disconnected";
    // Nothing was sent, or nothing but what comes before turn/start: the next try cannot do anything twice.
    const untouched = kind === "overloaded" || kind === "unavailable" || (broken && run.phase === "preparing");
    if (untouched || compacting) return ending.giveBack();
    if (broken) return ending.end(connectionLost(run));
    log(error, "a turn could not be started");
    const detail = error instanceof Error ? error.message : String(error);
    await ending.end({ kind: "failed", code: "internal", detail, partial: "" });
  }

  async function correctNow(messageId: string): Promise<void> {
    if (prepared === undefined) return;
    await correct(steerHost(prepared), messageId).catch((error: unknown) =>
      log(error, "a correction was not passed on"),
    );
  }

  void ending.ended.then((how) => {
    if (isFleeting(run) && run.threadId !== undefined) void leaveThread(deps, run.threadId, how === "completed");
  });

  return {
    state: run,
    started: started.promise,
    ended: ending.ended,
    stop: ending.stop,
    async begin() {
      if (isUnwanted(run)) return ending.drop();
      // The first signs come before anything that may take long: a line that is down, a download, a new thread.
      showView(deps, run);
      const takingUp = takeUp();
      const again = run.context.trigger === "retry";
      const access = await deps.access.decide(deps.db, teammate, { again, known: facts.access });
      if (access.kind === "none") {
        await takingUp;
        run.refusal = access;
        return ending.end({ kind: "failed", code: noAccessCodes[access.why], detail: "", partial: "" });
      }
      try {
        await deps.connection.ready({ timeoutMs: deps.limits.reconcileMs, signal: run.abort.signal });
      } catch {
        if (!ending.endIfStopped()) await ending.end(connectionLost(run));
        return;
      }
      try {
        await launch(await ready(access, true), false);
      } catch (error) {
        await notStarted(error);
      } finally {
        await takingUp;
      }
    },
    async recover(reachable) {
      try {
        run.phase = "reconciling";
        if (run.threadId === undefined) return await ending.giveBack("now");
        if (isFleeting(run)) return await ending.end(cutOff(run));
        if (!reachable) return await ending.end(connectionLost(run));
        const made = await ready(await deps.access.inUse(deps.db, teammate, facts.thread?.provider), false);
        run.turnId = run.context.codexTurnId ?? undefined;
        attach(run.threadId);
        const settings = threadSettings(deps, teammate, made.needs);
        await takeOver({ deps, run, ending, settings, steers: steerHost(made), accepted });
      } catch (error) {
        log(error, "a run could not be recovered");
        await ending.end(cutOff(run));
      }
    },
    async steer(delivery) {
      if (run.phase !== "running" || run.stop !== undefined || prepared === undefined) return false;
      const { length } = run.deliveries;
      const isTaken = await steer(steerHost(prepared), delivery);
      if (run.deliveries.length > length) requests?.spoken();
      return isTaken;
    },
    async correct(messageId) {
      if (isUnderWay()) await correctNow(messageId);
      else corrections.add(messageId);
    },
    async decided(item) {
      if (ending.isOver || requests === undefined) return false;
      // While the line is down nobody waits, but Codex will ask again and find the decision.
      return (await requests.decided(item)) || run.phase === "reconciling";
    },
    check() {
      const now = deps.clock.now();
      if (ending.isOver) return;
      if (run.phase === "reconciling") return reconciler.check(now);
      const code = run.stop === undefined ? overdue(run, now, deps.limits) : undefined;
      if (code !== undefined) void ending.stop({ kind: "watchdog", code });
    },
  };
}
