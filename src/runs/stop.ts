import type { Mailbox } from "../mailbox/index.ts";
import { allows, type Person } from "../people/index.ts";
import type { Clock } from "../shared/index.ts";
import type { Queues, Unit } from "../storage/index.ts";
import * as store from "./runs.store.ts";

export type StopResult = "stopping" | "not_running" | "refused";

/** What people may do to runs from a chat, in whatever process their message arrives. */
export interface RunControl {
  /**
   * Asks for the end of a run: its requester, or a manager and above. What its requester has waiting in that conversation is
   * cancelled too. Goes past every queue of work; safe to repeat.
   */
  stopRun(unit: Unit, runId: string, by: Person): Promise<StopResult>;
  /** Asks for the end of what runs in a lane, whoever asked for it: rights are decided before. What waits there is left alone. */
  stopLane(unit: Unit, conversationId: string, by: Person | null): Promise<StopResult>;
}

export interface RunControlDeps {
  readonly queues: Pick<Queues, "add">;
  readonly mailbox: Pick<Mailbox, "cancelQueued">;
  readonly clock: Clock;
}

export function createRunControl(deps: RunControlDeps): RunControl {
  return {
    async stopRun(unit, runId, by) {
      const run = await store.runForStop(unit.db, runId);
      if (run === undefined) return "not_running";
      const requester = run.requester_person_id;
      if (requester !== by.id && !allows(by.role, "manager")) return "refused";
      const stopping = await store.requestStop(unit.db, runId, by.id, deps.clock.now());
      if (stopping === undefined) return "not_running";
      if (requester !== null) {
        await deps.mailbox.cancelQueued(unit, { conversationId: stopping.conversationId, personId: requester });
      }
      unit.afterCommit(() => deps.queues.add("control", { kind: "stop", runId }));
      return "stopping";
    },
    async stopLane(unit, conversationId, by) {
      const runId = await store.requestLaneStop(unit.db, conversationId, by?.id ?? null, deps.clock.now());
      if (runId === undefined) return "not_running";
      unit.afterCommit(() => deps.queues.add("control", { kind: "stop", runId }));
      return "stopping";
    },
  };
}
