/**
 * The routines room: work that happens by itself, when it is due, its runs, and what each of them has to know.
 * The due rows decide; queues only wake. What a run says and where that is posted is for the rooms above.
 */
export { type Calendars, createCalendars } from "./calendar.ts";
export { addDigest, type Digest, dropTaken, forgetDigests, takeDigests } from "./digests.store.ts";
export {
  changeDraft,
  closeDraft,
  findDraft,
  holdDraft,
  keepDraft,
  noteDraftPlace,
  replaceProposals,
} from "./drafts.store.ts";
export type {
  KeptDraft,
  RoutineDraft,
} from "./drafts.ts";
export {
  destinationText,
  draftText,
  type Here,
  isClipped,
  isSamePlace,
  missingIn,
  placeText,
  quoted,
  triggerText,
  whereText,
} from "./face.ts";
export { namedPlaces } from "./face-places.store.ts";
export { momentText } from "./face-time.ts";
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
export { isAboutPlace, mayChangeRoutine, mayMakeRoutines } from "./rights.ts";
export {
  createRoutines,
  type NewRoutine,
  type RoutineProblem,
  type RoutineSaved,
  type Routines,
} from "./routines.ts";
export { forgetRuns } from "./runs.store.ts";
export { nextDue, type Schedule, type ScheduleProblem } from "./schedule.ts";
export {
  limitPolicies,
  missedPolicies,
  type Routine,
  type RoutineBriefing,
  type RoutineDestination,
  type RoutinePlan,
  type RoutineRun,
  type RoutineTrigger,
  routineLimits,
  type WebhookFilter,
  webhookFilterSchema,
} from "./types.ts";
export type { WebhookCall } from "./webhook-call.ts";
export { forgetReceipts } from "./webhooks.store.ts";
export {
  createWebhooks,
  keepsSecret,
  type WebhookAnswer,
  type Webhooks,
  webhookLimits,
} from "./webhooks.ts";
export { readWhen } from "./when.ts";
