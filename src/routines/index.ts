/**
 * The routines room: work that happens by itself, when it is due, its runs, and what each of them has to know.
 * The due rows decide; queues only wake. What a run says and where that is posted is for the rooms above.
 */
export { addDigest, type Digest, dropTaken, forgetDigests, takeDigests } from "./digests.store.ts";
export {
  addReport,
  deliveriesOf,
  lostThread,
  ownThreadKey,
  type PostOfReport,
  type ReportDelivery,
  type ReportTarget,
  reportTargets,
  reportWith,
  setOwnThread,
  setReportMessage,
} from "./reports.store.ts";
export {
  createRoutines,
  type NewRoutine,
  type RoutineProblem,
  type RoutineSaved,
  type Routines,
  type StartedNow,
} from "./routines.ts";
export { nextDue, type Schedule, type ScheduleProblem, scheduleSchema } from "./schedule.ts";
export { type Weekday, weekdays } from "./schedule-shape.ts";
export type {
  Routine,
  RoutineBriefing,
  RoutineDestination,
  RoutinePlan,
  RoutineRun,
  RoutineRunStatus,
  RoutineTrigger,
  WebhookFilter,
} from "./types.ts";
