import {
  type AttentionItem,
  type Decision,
  matchingRule,
  type NewAttention,
  type Secrets,
} from "../attention/index.ts";
import type { ServerRequest } from "../codex/index.ts";
import { type AttentionKind, inTransaction } from "../storage/index.ts";
import { type ActiveRun, replyTo, tell } from "./active-run.ts";
import {
  type ApprovalRequest,
  answerApproval,
  approvalDetails,
  commandForRules,
  isApproval,
  requestKey,
  riskOf,
} from "./approval.ts";
import { askPerson } from "./ask-person.ts";
import { handleElicitation } from "./elicitation.ts";
import { askUser } from "./questions.ts";
import { isFleeting } from "./routine-run.ts";
import { requesterOf } from "./run-context.store.ts";
import * as store from "./runs.store.ts";
import type { RunDeps } from "./settings.ts";
import { answerToolCall } from "./tool-call.ts";
import type { Workspace } from "./workspace.ts";

/** A decision in the hands of the one who acts on it, with the answers that stand nowhere else. */
export interface Taken {
  readonly decision: Decision;
  readonly secrets: Secrets;
}

/** What waits for one decision inside the running turn. */
export interface Waiter {
  readonly kind: AttentionKind;
  decide(taken: Taken): void;
  /** Its person wrote a message instead; absent where only a decision will do. */
  spoken?(): void;
}

/** Answers what Codex asks: by a stored rule, by a person, or by a plain no. Never silently. */
export interface Requests {
  take(request: ServerRequest): void;
  /** Gives a decision to the turn that waits for it. False when none does (yet). */
  decided(item: AttentionItem): Promise<boolean>;
  /** A message of the person who is asked has joined the turn, which cannot read it while it waits for an answer. */
  spoken(): void;
  /** The line is gone: Codex asks again when it is back, and nobody is asked twice. */
  forgetLine(): void;
}

export interface RequestHost {
  readonly deps: RunDeps;
  readonly run: ActiveRun;
  readonly workspace: Workspace;
  /** A person chose to end the whole task. */
  stopChosen(decision: Decision): void;
  /** A person's words to go with a decision. */
  addNote(attentionId: string, decision: Decision): void;
}

export interface WaitingRoom {
  /** Opens the card, or finds the one a request like it has already. */
  open(key: string, request: Opening): Promise<{ readonly id: string; readonly item: AttentionItem | null }>;
  add(attentionId: string, waiter: Waiter): void;
  remove(attentionId: string): void;
}

export type Opening = Pick<
  NewAttention,
  "kind" | "method" | "details" | "risk" | "callId" | "waitUntil" | "expiresAt" | "connectionEpoch"
>;

/** How often, and how far apart, it is looked whether a card was sent. */
const linkLooks = 10;
const linkPauseMs = 500;

export function createRequests(host: RequestHost): Requests {
  const { deps, run } = host;
  const waiters = new Map<string, Waiter>();
  const room = createWaitingRoom(host, waiters);

  function report(what: string, error: unknown): void {
    deps.log.error({ err: error, runId: run.context.runId, what }, "a request of Codex could not be handled");
  }

  return {
    take(request) {
      handle(host, room, request).catch((error: unknown) => {
        report(request.method, error);
        request.refuse("Shipmate could not handle this; go on without it.");
      });
    },
    async decided(item) {
      const waiter = waiters.get(item.id);
      if (waiter === undefined || item.decision === null) return false;
      const secrets = await inTransaction(deps.db, deps.log, (unit) => deps.attention.take(unit, item.id));
      if (secrets !== null) {
        room.remove(item.id);
        waiter.decide({ decision: item.decision, secrets });
      }
      return true;
    },
    spoken() {
      for (const waiter of [...waiters.values()]) waiter.spoken?.();
    },
    forgetLine() {
      for (const id of [...waiters.keys()]) room.remove(id);
    },
  };
}

function createWaitingRoom(host: RequestHost, waiters: Map<string, Waiter>): WaitingRoom {
  const { deps, run } = host;
  const { runId, conversationId, teammate, requester, to } = run.context;

  function changed(on: AttentionKind | null): void {
    const now = deps.clock.now();
    if (on !== null) run.waitingSince ??= now;
    else if (run.waitingSince !== undefined) {
      run.waitedMs += now.getTime() - run.waitingSince.getTime();
      run.waitingSince = undefined;
      run.lastEventAt = now;
    }
    run.view?.waiting(on);
    if (run.phase !== "running") return;
    void store
      .setRunStatus(deps.db, runId, on === null ? "running" : "waiting", on)
      .then(() => (on === null ? undefined : deps.mailbox.wakeAfter({ conversationId, teammateId: teammate.id })))
      .catch((error: unknown) => deps.log.warn({ err: error, runId }, "the waiting state could not be stored"));
  }

  /** The card can be opened from the live view as soon as the platform has it. */
  async function linkToCard(attentionId: string, on: AttentionKind): Promise<void> {
    if (deps.adapters.get(to.connectionId)?.link === undefined) return;
    for (let look = 0; look < linkLooks && waiters.has(attentionId); look += 1) {
      const link = await deps.attention.linkOf(deps.db, attentionId);
      if (link !== undefined) {
        if (waiters.has(attentionId)) run.view?.waiting(on, link);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, linkPauseMs));
    }
  }

  return {
    async open(key, request) {
      const known = await deps.attention.findByRequest(deps.db, runId, key);
      if (known !== null) return { id: known.id, item: known };
      if (run.routine !== undefined) run.routine.asked = true;
      const { id } = await inTransaction(deps.db, deps.log, async (unit) => {
        const requesterId = await requesterOf(unit.db, runId);
        return deps.attention.open(unit, {
          ...request,
          codexRequestId: key,
          teammate,
          runId,
          conversationId,
          requester: requester && requesterId !== null ? { ...requester, id: requesterId } : null,
          to,
          replyTo: replyTo(run),
          // A routine works when nobody may be looking there.
          alsoPrivately: isFleeting(run),
        });
      });
      tell(run, { kind: "waiting", at: deps.clock.now(), on: request.kind, attentionId: id });
      return { id, item: null };
    },
    add(attentionId, waiter) {
      waiters.set(attentionId, waiter);
      changed(waiter.kind);
      linkToCard(attentionId, waiter.kind).catch((error: unknown) =>
        deps.log.debug({ err: error, runId }, "the live view has no link to the card"),
      );
    },
    remove(attentionId) {
      if (waiters.delete(attentionId) && waiters.size === 0) changed(null);
    },
  };
}

async function handle(host: RequestHost, room: WaitingRoom, request: ServerRequest): Promise<void> {
  if (isApproval(request)) return handleApproval(host, room, request);
  switch (request.method) {
    case "item/tool/call":
      return answerToolCall(host, room, request);
    case "item/tool/requestUserInput":
      return askUser(host, room, request);
    case "mcpServer/elicitation/request":
      return handleElicitation(host, room, request);
    default:
      request.refuse("Shipmate does not offer this.");
      return note(host, request);
  }
}

function note({ deps, run }: RequestHost, request: ServerRequest): void {
  deps.log.warn(
    { runId: run.context.runId, method: request.method },
    "Codex asked for something that no person is shown",
  );
}

async function handleApproval(host: RequestHost, room: WaitingRoom, request: ApprovalRequest): Promise<void> {
  const { deps, run } = host;
  const { teammate } = run.context;
  const details = approvalDetails(request, run.record.changes(request.params.itemId), host.workspace.path);
  if (await allowedBefore(host, request)) {
    answerApproval(request, "approve");
    return;
  }
  if (teammate.autonomy === "autonomous") {
    deps.log.info({ runId: run.context.runId, method: request.method }, "allowed: this teammate acts on its own");
    answerApproval(request, "approve");
    return;
  }
  const opening: Opening = {
    kind: request.method === "item/permissions/requestApproval" ? "permission" : "approval",
    method: details.kind,
    details,
    risk: riskOf(details, host.workspace.path),
    callId: request.params.itemId,
    connectionEpoch: request.epoch,
  };
  return askPerson(host, room, request, { key: requestKey(request), opening }, ({ decision }) =>
    answerApproval(request, decision.choice),
  );
}

async function allowedBefore({ deps, run }: RequestHost, request: ApprovalRequest): Promise<boolean> {
  const command = commandForRules(request);
  return command !== undefined && (await matchingRule(deps.db, run.context.teammate.id, command)) !== null;
}
