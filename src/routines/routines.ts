import type { Person } from "../people/index.ts";
import { type Clock, type Log, redact } from "../shared/index.ts";
import type { Db, Queues, Unit } from "../storage/index.ts";
import type { Actor } from "../teammates/index.ts";
import { catchUp, pauseRoutine, removeRoutine, resumeRoutine, runNow, startFromWebhook } from "./life.ts";
import * as store from "./routines.store.ts";
import * as runs from "./runs.store.ts";
import { checkRoutine, createRoutine, updateRoutine } from "./save.ts";
import type { ScheduleProblem } from "./schedule.ts";
import { tick } from "./tick.ts";
import type { Routine, RoutineBriefing, RoutinePlan, RoutineRun } from "./types.ts";

export type RoutineProblem =
  | { readonly kind: "not_allowed" }
  /** It acts with the rights of somebody who may do more. */
  | { readonly kind: "outranked" }
  | { readonly kind: "gone" }
  | { readonly kind: "no_teammate" }
  | { readonly kind: "name_empty" | "name_too_long" | "name_taken" }
  | { readonly kind: "instruction_empty" | "instruction_too_long" }
  | { readonly kind: "too_many"; readonly limit: number }
  | { readonly kind: "place"; readonly placeId: string }
  | { readonly kind: "too_many_destinations"; readonly limit: number }
  | { readonly kind: "schedule"; readonly problem: ScheduleProblem };

export type RoutineSaved =
  | { readonly kind: "saved"; readonly routine: Routine }
  | { readonly kind: "refused"; readonly problem: RoutineProblem };

export interface NewRoutine extends RoutinePlan {
  readonly teammateId: string;
  readonly home: Routine["home"];
}

/** What a run that somebody wanted came to. `running`: one is under way already. */
export type StartedNow =
  | { readonly kind: "queued"; readonly routineRunId: string }
  | { readonly kind: "running" }
  | { readonly kind: "refused"; readonly problem: RoutineProblem };

/** What a call from outside came to. `full`: so many wait already that one more would only grow old. */
export type StartedFromWebhook =
  | { readonly kind: "queued"; readonly routineRunId: string }
  | { readonly kind: "paused" | "full" };

const longestFailure = 500;

export interface Routines {
  get(db: Db, id: string): Promise<Routine | undefined>;
  /** Those that exist, by teammate and name; those of one teammate, or whose home or destination is one place, where given. */
  list(db: Db, of?: { readonly teammateId?: string; readonly placeId?: string }): Promise<Routine[]>;
  /** What would be refused if it were made, or (by its id) became that; null where it would be saved. Nothing is written. */
  check(db: Db, by: Actor, routine: NewRoutine, id?: string): Promise<RoutineProblem | null>;
  /** Nothing is written unless all of it is well. The same creation key again gives what was saved with it. */
  create(unit: Unit, by: Actor, routine: NewRoutine, creationKey?: string): Promise<RoutineSaved>;
  /** All of it or nothing. A changed trigger or zone counts from now. */
  update(unit: Unit, by: Actor, id: string, change: Partial<RoutinePlan>): Promise<RoutineSaved>;
  /** Its runs in line are cancelled; one under way goes on. */
  pause(unit: Unit, by: Actor, id: string): Promise<RoutineSaved>;
  /** Goes on with the next due time from now: what would have been due meanwhile is not made up for. */
  resume(unit: Unit, by: Actor, id: string): Promise<RoutineSaved>;
  /** Its runs in line are cancelled, one under way is stopped. */
  remove(unit: Unit, by: Actor, id: string): Promise<RoutineSaved>;
  /** One run now. A `test` shows its work and is never quiet. */
  runNow(unit: Unit, by: Actor, id: string, how: "manual" | "test", key: string): Promise<StartedNow>;
  /** One run for a call from outside. */
  startFromWebhook(
    unit: Unit,
    id: string,
    call: { readonly payload: string; readonly at: Date },
  ): Promise<StartedFromWebhook>;
  /** Its latest runs, newest first. */
  runs(db: Db, id: string, limit: number): Promise<RoutineRun[]>;
  /** What the run has to know; undefined where it is no run of a routine. */
  briefing(db: Db, runId: string): Promise<RoutineBriefing | undefined>;
  /** The teammate ended it with nothing new to say. */
  setQuiet(unit: Unit, routineRunId: string): Promise<void>;
  /** What the teammate says went wrong; at most 500 characters. */
  setFailure(unit: Unit, routineRunId: string, reason: string): Promise<void>;
  /** At the usage limit, where it is not to wait. */
  setSkipped(unit: Unit, routineRunId: string, because: "limit"): Promise<void>;
  /** A teammate is back: what was due while it was away is marked as skipped, and its routines go on. */
  catchUp(unit: Unit, teammateId: string): Promise<void>;
  /** Turns what is due into runs. Safe to repeat and to do in several processes at once. */
  tick(db: Db): Promise<void>;
  /** How many are active, and when the first of them is due. */
  upcoming(db: Db): Promise<{ readonly active: number; readonly nextDueAt: Date | null }>;
}

/** What the routines room needs of rooms above it. */
export interface RoutinesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly queues: Pick<Queues, "add">;
  /** The mailbox's `deliver`. */
  readonly deliver: DeliverRoutine;
  /** Takes everything of a lane out of the line. */
  readonly cancelLane: (unit: Unit, conversationId: string) => Promise<unknown>;
  /** Stops what runs in a lane. */
  readonly stopLane: (unit: Unit, conversationId: string, by: Person | null) => Promise<unknown>;
  /** Says something to the author of a routine that stopped by itself (author, place), in their private chat or else its home. */
  readonly tellAuthor: (unit: Unit, routine: Routine) => Promise<void>;
}

export type DeliverRoutine = (
  unit: Unit,
  delivery: {
    readonly messageId: string;
    readonly teammateId: string;
    readonly conversationId: string;
    readonly requesterPersonId: string | null;
    readonly trigger: "routine";
    readonly idempotencyKey: string;
    readonly readyAt?: Date | undefined;
  },
) => Promise<{ readonly deliveryId: string }>;

export function createRoutines(deps: RoutinesDeps): Routines {
  return {
    get: store.get,
    list: (db, of = {}) => store.list(db, of),
    check: (db, by, given, id) => checkRoutine(deps, db, by, { given, id }),
    create: (unit, by, given, key) => createRoutine(deps, unit, by, { given, key }),
    update: (unit, by, id, given) => updateRoutine(deps, unit, by, { id, given }),
    pause: (unit, by, id) => pauseRoutine(deps, unit, by, id),
    resume: (unit, by, id) => resumeRoutine(deps, unit, by, id),
    remove: (unit, by, id) => removeRoutine(deps, unit, by, id),
    runNow: (unit, by, id, how, key) => runNow(deps, unit, by, { id, how, key }),
    startFromWebhook: (unit, id, call) => startFromWebhook(deps, unit, id, call),
    runs: runs.runs,
    briefing: runs.briefing,
    setQuiet: (unit, id) => runs.setQuiet(unit.db, id),
    setFailure: (unit, id, reason) => runs.setFailure(unit.db, id, redact(reason).slice(0, longestFailure)),
    setSkipped: (unit, id, because) => runs.setSkipped(unit.db, id, because),
    catchUp: (unit, teammateId) => catchUp(deps, unit, teammateId),
    tick: (db) => tick(deps, db),
    upcoming: (db) => store.upcoming(db, deps.clock.now()),
  };
}
