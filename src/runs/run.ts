import { type AttentionItem, issueTokens } from "../attention/index.ts";
import { CodexError, type Notification, type ServerRequest, type ThreadHandler } from "../codex/index.ts";
import type { QueuedDelivery } from "../mailbox/index.ts";
import { inTransaction } from "../storage/index.ts";
import { type ActiveRun, headOf, partialOf, replyTo, type StopReason, tell } from "./active-run.ts";
import { react } from "./answer.ts";
import { finish, takeBack } from "./finish.ts";
import { createLiveView } from "./live-view.ts";
import { type Outcome, outcomeOf, outcomeOfFound, outcomeOfStop, saidIn } from "./outcome.ts";
import { whatBecame } from "./reconcile.ts";
import { createRequests, type Requests } from "./requests.ts";
import * as store from "./runs.store.ts";
import type { RunDeps } from "./settings.ts";
import { type Facts, type Prepared, pickThread, prepare, startTurn } from "./start.ts";
import { addNote, correct, type SteerHost, settleSteers, steer } from "./steer.ts";
import { threadSettings } from "./thread-choice.ts";
import { toTimelineEvents } from "./timeline.ts";
import { turnOf } from "./turn-record.ts";
import { overdue } from "./watchdog.ts";

/** One turn in the hands of this process, from its claim to its end. Nothing here rejects: what goes wrong ends the run. */
export interface Run {
  readonly state: ActiveRun;
  /** Resolves once Codex has the turn, or the run ended before that. */
  begin(): Promise<void>;
  /** Takes up a run that an earlier process left. Resolves once it is known what became of it. */
  recover(reachable: boolean): Promise<void>;
  /** Safe to repeat, in every phase. */
  stop(reason: StopReason): Promise<void>;
  /** True when the message joined, false when it stays in line. */
  steer(delivery: QueuedDelivery): Promise<boolean>;
  /** Resolves once Codex has the turn, or never will. */
  readonly started: Promise<void>;
  correct(messageId: string): Promise<void>;
  /** True when the turn waited for this decision, or will ask again for it. */
  decided(item: AttentionItem): Promise<boolean>;
  /** Looks at the deadlines. */
  check(): void;
  /** `taken_back`: Codex never had it, and its deliveries are in line again. */
  readonly ended: Promise<"completed" | "failed" | "interrupted" | "taken_back">;
}

/** How long a start that Codex refused for now is put off, and how often before it counts as failed. */
const againAfterMs = 3_000;
const mostStarts = 20;
/** Two looks this far apart have to agree that a turn was never started, before it may be started again. */
const lookAgainMs = 3_000;
const finishPauseMs = 2_000;
const interruptPauseMs = 100;

export function createRun(deps: RunDeps, run: ActiveRun, facts: Facts, starts: number): Run {
  const { runId, teammate } = run.context;
  const over = Promise.withResolvers<Awaited<Run["ended"]>>();
  let prepared: Prepared | undefined;
  let requests: Requests | undefined;
  /** What arrives before it is known which turn is ours. */
  let early: (() => void)[] | undefined = [];
  let ending: Promise<void> | undefined;
  let force: NodeJS.Timeout | undefined;
  let reconcilingSince: Date | undefined;
  let looking: Promise<void> | undefined;
  let lookedAt = 0;
  let notStartedAt: number | undefined;
  const corrections = new Set<string>();
  const started = Promise.withResolvers<void>();

  const log = (error: unknown, message: string) => deps.log.error({ err: error, runId }, message);

  function end(outcome: Outcome): Promise<void> {
    ending ??= wrapUp(outcome);
    return ending;
  }

  async function wrapUp(outcome: Outcome): Promise<void> {
    close();
    for (;;) {
      try {
        await finish(deps, run, outcome);
        break;
      } catch (error) {
        // The database is away: the answer is in our hands, so we keep trying.
        log(error, "a run could not be ended; it is tried again");
        await new Promise((resolve) => setTimeout(resolve, finishPauseMs));
      }
    }
    over.resolve(outcome.kind === "stopped" || outcome.kind === "cut" ? "interrupted" : outcome.kind);
  }

  /** Codex never had this turn: back into the line with it. */
  function giveBack(): Promise<void> {
    if (run.stop !== undefined) return end(outcomeOfStop(run));
    if (starts >= mostStarts) return end(lost());
    ending ??= (async () => {
      close();
      await takeBack(deps, run, new Date(deps.clock.now().getTime() + againAfterMs)).catch((error: unknown) =>
        log(error, "a run could not be taken back; the next start does it"),
      );
      over.resolve("taken_back");
    })();
    return ending;
  }

  function close(): void {
    run.phase = "ended";
    clearTimeout(force);
    run.abort.abort();
    run.attachment?.detach();
    started.resolve();
  }

  function lost(): Outcome {
    return { kind: "failed", code: "connection_lost", detail: "", partial: partialOf(run) };
  }

  const handler: ThreadHandler = {
    onNotification(notification) {
      run.lastEventAt = deps.clock.now();
      if (early === undefined) return take(notification);
      early.push(() => take(notification));
      const turnId = startedByUs(notification);
      if (turnId !== undefined) void accepted(turnId);
    },
    onRequest(request) {
      if (early === undefined) takeRequest(request);
      else early.push(() => takeRequest(request));
    },
    onDisconnect: lineLost,
    onReconnect: () => void look(),
  };

  function takeRequest(request: ServerRequest): void {
    run.lastEventAt = deps.clock.now();
    requests?.take(request);
  }

  /** The turn is ours when it was opened by our own message: also where the response to turn/start got lost. */
  function startedByUs(notification: Notification): string | undefined {
    if (notification.method !== "item/started" && notification.method !== "item/completed") return undefined;
    const { item, turnId } = notification.params;
    return item.type === "userMessage" && item.clientId === headOf(run).id ? turnId : undefined;
  }

  function take(notification: Notification): void {
    const turn = turnOf(notification);
    if (turn !== undefined && turn !== run.turnId) return;
    run.record.take(notification);
    for (const event of toTimelineEvents(notification, deps.clock.now())) tell(run, event);
    if (notification.method === "turn/completed") void end(outcomeOf(run, notification.params.turn));
  }

  function attach(threadId: string): void {
    run.attachment?.detach();
    run.attachment = deps.connection.attach(threadId, handler);
    run.threadId = threadId;
  }

  async function ready(): Promise<Prepared> {
    const made = await prepare(deps, run, facts, attach);
    prepared = made;
    requests = createRequests({
      deps,
      run,
      workspace: made.workspace,
      stopChosen: ({ by }) => {
        run.stop ??= { kind: "person", personId: by?.id ?? null, name: by?.name ?? null };
      },
      addNote: (attentionId, decision) => {
        addNote(host(made), attentionId, decision).catch((error: unknown) => log(error, "a note was not passed on"));
      },
    });
    return made;
  }

  function host(made: Prepared): SteerHost {
    const ended = over.promise.then((how) => (how === "taken_back" ? "interrupted" : how));
    return { deps, run, workspace: made.workspace, ended };
  }

  async function begin(): Promise<void> {
    try {
      await deps.connection.ready({ timeoutMs: deps.limits.reconcileMs, signal: run.abort.signal });
      const made = await ready();
      await launch(made, false);
    } catch (error) {
      await notStarted(error);
    }
  }

  async function launch(made: Prepared, fresh: boolean): Promise<void> {
    if (isOver()) return;
    const thread = await pickThread(deps, run, made.needs, fresh);
    run.model = teammate.model ?? deps.settings.model ?? thread.model;
    if (isOver()) return;
    run.phase = "starting";
    const takingUp = takeUp();
    try {
      const { turnId, merged } = await startTurn(deps, run, made, thread);
      if (merged) deps.log.warn({ runId }, "the thread was busy: Codex gave the message to the running turn");
      await accepted(turnId);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      if (error.kind === "thread_missing" && !fresh) return await launch(made, true);
      if (error.kind !== "timeout" && error.kind !== "disconnected") throw error;
      // It may have been taken: only events or a look at the thread can tell, never a second try.
      unconfirmed();
    } finally {
      await takingUp;
    }
  }

  function isOver(): boolean {
    if (run.stop !== undefined) void end(outcomeOfStop(run));
    return ending !== undefined;
  }

  /** 👀 on what was taken up; what said "in line" goes. */
  async function takeUp(): Promise<void> {
    try {
      await inTransaction(deps.db, deps.log, async (unit) => {
        await react(deps, unit, run, run.deliveries, "received");
        for (const each of run.deliveries) await deps.mailbox.hideInLine(unit, each);
      });
    } catch (error) {
      log(error, "nobody was shown that a message was taken up");
    }
  }

  let accepting: Promise<void> | undefined;
  function accepted(turnId: string): Promise<void> {
    accepting ??= (async () => {
      const { threadId } = run;
      if (ending !== undefined || threadId === undefined) return;
      run.turnId = turnId;
      run.phase = "running";
      reconcilingSince = undefined;
      run.lastEventAt = deps.clock.now();
      await store.markRunning(deps.db, {
        runId,
        threadId,
        turnId,
        model: run.model,
        effort: teammate.effort ?? deps.settings.effort ?? null,
        at: deps.clock.now(),
      });
      showView();
      const waiting = early ?? [];
      early = undefined;
      for (const each of waiting) each();
      started.resolve();
      if (run.stop !== undefined) await interrupt();
      for (const messageId of corrections) await correctNow(messageId);
    })();
    return accepting;
  }

  function showView(): void {
    const { to, requester } = run.context;
    const adapter = deps.adapters.get(to.connectionId);
    if (adapter === undefined || run.view !== undefined) return;
    run.view = createLiveView({
      db: deps.db,
      adapter,
      destination: to,
      runId,
      teammate,
      words: run.words,
      clock: deps.clock,
      log: deps.log,
      startedAt: run.startedAt,
      replyTo: replyTo(run),
      stopToken: async () => {
        const choices = [{ key: "stop", action: "stop", payload: { runId } }] as const;
        const tokens = await inTransaction(deps.db, deps.log, (unit) =>
          issueTokens(unit, { choices, runId, personId: requester?.id, minRole: "manager" }),
        );
        return tokens.stop;
      },
    });
  }

  async function notStarted(error: unknown): Promise<void> {
    if (isOver()) return;
    const kind = error instanceof CodexError ? error.kind : undefined;
    const compacting = error instanceof CodexError && error.message.includes("ActiveTurnNotSteerable");
    if (kind === "overloaded" || compacting) return giveBack();
    if (kind === "unavailable" || kind === "timeout" || kind === "disconnected") return end(lost());
    log(error, "a turn could not be started");
    const detail = error instanceof Error ? error.message : String(error);
    await end({ kind: "failed", code: "internal", detail, partial: "" });
  }

  function unconfirmed(): void {
    if (ending !== undefined || run.turnId !== undefined) return;
    run.phase = "reconciling";
    reconcilingSince = deps.clock.now();
    void look();
  }

  function lineLost(): void {
    if (run.phase !== "running") return;
    run.phase = "reconciling";
    reconcilingSince = deps.clock.now();
    requests?.forgetLine();
    void store
      .setRunStatus(deps.db, runId, "reconciling")
      .catch((error: unknown) => log(error, "the lost line could not be noted"));
  }

  /** Asks Codex what became of the turn. One look at a time. */
  function look(): Promise<void> {
    looking ??= lookOnce()
      .catch((error: unknown) => log(error, "it could not be found out what became of a turn"))
      .finally(() => {
        looking = undefined;
        lookedAt = deps.clock.now().getTime();
      });
    return looking;
  }

  async function lookOnce(): Promise<void> {
    if (run.phase !== "reconciling" || prepared === undefined) return;
    const made = prepared;
    const seen = await whatBecame(deps, run, threadSettings(deps, teammate, made.needs));
    if (run.phase !== "reconciling") return;
    switch (seen.kind) {
      case "running":
        return resume(made, seen.turnId);
      case "over":
        run.turnId = seen.turn.turnId;
        await settleSteers(host(made));
        return end(outcomeOfFound(seen.turn, partialOf(run), interruptedAway()));
      case "gone":
        return end(interruptedAway());
      case "not_started": {
        const now = deps.clock.now().getTime();
        notStartedAt ??= now;
        if (now - notStartedAt >= lookAgainMs) await giveBack();
        return;
      }
      case "unreachable":
        return;
    }
  }

  /** The turn was cut off while we could not see it. */
  function interruptedAway(): Outcome {
    return run.stop === undefined ? lost() : outcomeOfStop(run);
  }

  async function resume(made: Prepared, turnId: string): Promise<void> {
    if (run.turnId === undefined || early !== undefined) return accepted(turnId);
    run.phase = "running";
    reconcilingSince = undefined;
    run.lastEventAt = deps.clock.now();
    await store.setRunStatus(deps.db, runId, "running");
    await settleSteers(host(made));
    if (run.stop !== undefined) await interrupt();
  }

  async function stop(reason: StopReason): Promise<void> {
    if (ending !== undefined) return;
    run.stop ??= reason;
    run.abort.abort();
    if (run.phase === "preparing") return end(outcomeOfStop(run));
    // Whatever Codex does, the lane is free by then.
    force ??= setTimeout(() => void end(outcomeOfStop(run)), deps.limits.interruptMs);
    if (run.phase === "running" && early === undefined) await interrupt();
  }

  async function interrupt(): Promise<void> {
    const { threadId, turnId } = run;
    if (threadId === undefined || turnId === undefined) return;
    force ??= setTimeout(() => void end(outcomeOfStop(run)), deps.limits.interruptMs);
    try {
      while (ending === undefined && run.phase === "running") {
        const result = await deps.threads.interrupt(threadId, turnId);
        if (result.status === "interrupted") return;
        // Over already, and its end is on its way or got lost; or so fresh that Codex does not count it as running yet.
        const turn = await deps.threads.findTurn(threadId, { turnId });
        if (turn !== undefined && turn.status !== "inProgress") {
          return await end(outcomeOfFound(turn, partialOf(run), outcomeOfStop(run)));
        }
        await new Promise((resolve) => setTimeout(resolve, interruptPauseMs));
      }
    } catch (error) {
      log(error, "a turn could not be interrupted");
    }
  }

  async function correctNow(messageId: string): Promise<void> {
    if (prepared === undefined) return;
    await correct(host(prepared), messageId).catch((error: unknown) => log(error, "a correction was not passed on"));
  }

  async function recover(reachable: boolean): Promise<void> {
    try {
      run.phase = "reconciling";
      reconcilingSince = deps.clock.now();
      if (run.threadId === undefined) return await giveBack();
      if (!reachable) return await end(lost());
      const made = await ready();
      run.turnId = run.context.codexTurnId ?? undefined;
      attach(run.threadId);
      await recoverWith(made);
    } catch (error) {
      log(error, "a run could not be recovered");
      await end({ kind: "cut", partial: partialOf(run) });
    }
  }

  async function recoverWith(made: Prepared): Promise<void> {
    const cut: Outcome = run.stop === undefined ? { kind: "cut", partial: partialOf(run) } : outcomeOfStop(run);
    const seen = await whatBecame(deps, run, threadSettings(deps, teammate, made.needs));
    switch (seen.kind) {
      case "running":
        await accepted(seen.turnId);
        return settleSteers(host(made));
      case "over":
        await settleSteers(host(made));
        return end(outcomeOfFound(seen.turn, partialOf(run) || saidIn(seen.turn.items), cut));
      case "not_started":
        // The process that would have started it is gone, so it cannot start any more.
        return run.context.status === "starting" ? giveBack() : end(cut);
      case "gone":
        return end(cut);
      case "unreachable":
        return end(lost());
    }
  }

  return {
    state: run,
    ended: over.promise,
    started: started.promise,
    begin,
    recover,
    stop,
    async steer(delivery) {
      if (run.phase !== "running" || run.stop !== undefined || prepared === undefined) return false;
      return steer(host(prepared), delivery);
    },
    async correct(messageId) {
      if (run.phase === "running" && early === undefined) await correctNow(messageId);
      else corrections.add(messageId);
    },
    async decided(item) {
      if (ending !== undefined || requests === undefined) return false;
      // While the line is down nobody waits, but Codex will ask again and find the decision.
      return (await requests.decided(item)) || run.phase === "reconciling";
    },
    check() {
      const now = deps.clock.now();
      if (ending !== undefined) return;
      if (run.phase === "reconciling") {
        if (now.getTime() - (reconcilingSince ?? now).getTime() >= deps.limits.reconcileMs) void end(lost());
        else if (now.getTime() - lookedAt >= lookAgainMs && deps.connection.epoch !== undefined) void look();
        return;
      }
      const code = run.stop === undefined ? overdue(run, now, deps.limits) : undefined;
      if (code !== undefined) void stop({ kind: "watchdog", code });
    },
  };
}
