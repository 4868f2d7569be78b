import type { NoAccess, UsableAccess } from "../access/index.ts";
import type { Attachment } from "../codex/index.ts";
import type { RoutineBriefing } from "../routines/index.ts";
import { type Words, wordsFor } from "../words/index.ts";
import type { RunDelivery } from "./deliveries.store.ts";
import type { Colleague } from "./prompt-around.ts";
import { newRoutineState, type RoutineState } from "./routine-run.ts";
import type { RunContext } from "./run-context.store.ts";
import { createTurnRecord, type TurnRecord } from "./turn-record.ts";
import type { LiveView, TimelineEvent, TimelineWriter } from "./types.ts";

/** Why a run is being stopped: the first reason counts. */
export type StopReason =
  | { readonly kind: "person"; readonly personId: string | null; readonly name: string | null }
  | { readonly kind: "watchdog"; readonly code: "silent" | "deadline" }
  | { readonly kind: "restart" };

/**
 * Where a run stands:
 * - `preparing`: nothing was said to Codex yet
 * - `starting`: turn/start is on its way
 * - `running`: Codex has the turn
 * - `reconciling`: it is not known what became of it
 * - `ended`: its row is final
 */
export type Phase = "preparing" | "starting" | "running" | "reconciling" | "ended";

export interface QueuedFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Of the call that attached it, and its place in that call. */
  readonly key: string;
  readonly caption?: string | undefined;
  /** Its place among the files of this run. */
  readonly order: number;
}

/** A run in the hands of this process. Its parts share this one state; whoever changes the phase does so through the Run. */
export interface ActiveRun {
  readonly context: RunContext;
  /** Set where it performs a routine. */
  readonly routine: RoutineState | undefined;
  readonly words: Words;
  readonly record: TurnRecord;
  readonly timeline: TimelineWriter;
  /** Aborts when the run is to be stopped or has ended: downloads and waits end with it. */
  readonly abort: AbortController;
  readonly files: QueuedFile[];
  /** How many calls of our tools this process took for the run. */
  toolCalls: number;
  readonly startedAt: Date;
  /** What was said before this process took the run over. */
  readonly saidBefore: string;
  deliveries: readonly RunDelivery[];
  /** The teammate's own instructions as they stood in its folder when the turn began; unset before that. */
  own: { readonly folder: string; readonly text: string } | undefined;
  /** The other teammates of the place, once they were looked up; none in a direct message. */
  colleagues: readonly Colleague[];
  phase: Phase;
  threadId: string | undefined;
  turnId: string | undefined;
  /** What it runs on; unset until that was decided. */
  access: UsableAccess | undefined;
  /** Why it was not even begun. */
  refusal: NoAccess | undefined;
  model: string | null;
  /** It was given back because what the teammate remembers changed before it started. */
  memoryMoved: boolean;
  view: LiveView | undefined;
  attachment: Attachment | undefined;
  stop: StopReason | undefined;
  lastEventAt: Date;
  waitingSince: Date | undefined;
  waitedMs: number;
}

/** Stores and shows one event. */
export function tell(run: ActiveRun, event: TimelineEvent): void {
  run.timeline.record(event);
  run.view?.show(event);
}

/** The delivery whose id Codex knows as the client message id of the turn. */
export function headOf(run: ActiveRun): RunDelivery {
  const head = run.deliveries.find((each) => each.joined === "start") ?? run.deliveries[0];
  if (head === undefined) throw new Error(`run ${run.context.runId} has no delivery`);
  return head;
}

/** The message an answer belongs to; in a direct message there is nobody else to tell apart. */
export function replyTo(run: ActiveRun): string | undefined {
  if (run.context.place.kind === "dm") return undefined;
  return run.deliveries.findLast((each) => each.joined === "start")?.platformMessageId ?? undefined;
}

/** Everything the teammate has said in this run so far. */
export function partialOf(run: ActiveRun): string {
  return [run.saidBefore, run.record.partial()].filter((text) => text !== "").join("\n\n");
}

export interface NewActiveRun {
  readonly context: RunContext;
  /** Of the routine that it performs, where it does. */
  readonly briefing?: RoutineBriefing | undefined;
  readonly deliveries: readonly RunDelivery[];
  readonly timeline: TimelineWriter;
  readonly now: Date;
  readonly saidBefore?: string | undefined;
  readonly files?: readonly QueuedFile[] | undefined;
}

export function newActiveRun(made: NewActiveRun): ActiveRun {
  const { context } = made;
  return {
    context,
    routine: made.briefing && newRoutineState(made.briefing, context),
    words: wordsFor(context.requester?.locale),
    record: createTurnRecord(),
    timeline: made.timeline,
    abort: new AbortController(),
    files: [...(made.files ?? [])],
    toolCalls: 0,
    startedAt: context.createdAt,
    saidBefore: made.saidBefore ?? "",
    deliveries: made.deliveries,
    own: undefined,
    colleagues: [],
    phase: "preparing",
    threadId: context.codexThreadId ?? undefined,
    turnId: undefined,
    access: undefined,
    refusal: undefined,
    model: context.model,
    memoryMoved: false,
    view: undefined,
    attachment: undefined,
    stop: undefined,
    lastEventAt: made.now,
    waitingSince: undefined,
    waitedMs: 0,
  };
}
