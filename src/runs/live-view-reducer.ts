import type { AttentionKind } from "../storage/index.ts";
import type { Step, TimelineEvent } from "./types.ts";

/** What the live view knows of a run: little, whatever the run does. */
export interface LiveViewState {
  /** The newest steps, oldest first. */
  readonly steps: readonly ShownStep[];
  /** All steps there were. */
  readonly stepCount: number;
  /** The last thing the teammate said on the way, in one line. */
  readonly note: string | null;
  /** The answer as far as it was said; raw, so it is redacted when shown. */
  readonly answer: { readonly itemId: string; readonly text: string } | null;
  readonly waiting: Waiting | null;
  readonly retrying: boolean;
}

export interface ShownStep {
  readonly itemId: string;
  readonly step: Step;
  readonly outcome: "running" | "ok" | "failed" | "declined";
  readonly durationMs: number | null;
}

export interface Waiting {
  readonly on: AttentionKind;
  /** What is still open, where it is known by its id. */
  readonly open: readonly string[];
  readonly since: Date;
  readonly link: string | null;
}

/** Besides the timeline: that the run waits for a person (and where they decide), or no longer. */
export type LiveViewEvent =
  | TimelineEvent
  | {
      readonly kind: "waits";
      readonly at: Date;
      readonly on: AttentionKind | null;
      readonly link?: string | undefined;
    };

export const emptyLiveView: LiveViewState = {
  steps: [],
  stepCount: 0,
  note: null,
  answer: null,
  waiting: null,
  retrying: false,
};

const mostSteps = 12;
const mostNames = 99;
const mostOpen = 20;
const longestNote = 200;
const longestAnswer = 200_000;

/** Takes one event into the state. Pure, total, and of bounded size: events may come in any order, twice, or never. */
export function liveViewReducer(state: LiveViewState, event: LiveViewEvent): LiveViewState {
  switch (event.kind) {
    case "text_delta":
      return { ...state, retrying: false, answer: grownAnswer(state.answer, event) };
    case "text":
      return { ...withText(state, event), retrying: false };
    case "step_started":
      return started({ ...state, retrying: false }, event.itemId, event.step);
    case "step_ended":
      return ended({ ...state, retrying: false }, event);
    case "retrying":
      // The answer is begun again from the start when the model comes back.
      return { ...state, retrying: true, answer: null };
    case "waiting":
      return { ...state, waiting: alsoWaiting(state.waiting, event) };
    case "waits":
      return { ...state, waiting: waitingFor(state.waiting, event) };
    case "decided":
      return denied({ ...state, waiting: lessWaiting(state.waiting, event.attentionId) }, event.choice);
    case "turn_started":
    case "plan":
    case "thinking":
    case "joined":
    case "file":
      return state;
    default:
      event satisfies never;
      return state;
  }
}

type EventOf<K extends LiveViewEvent["kind"]> = Extract<LiveViewEvent, { kind: K }>;

function grownAnswer(answer: LiveViewState["answer"], event: EventOf<"text_delta">): LiveViewState["answer"] {
  const before = answer?.itemId === event.itemId ? answer.text : "";
  return { itemId: event.itemId, text: (before + event.text).slice(0, longestAnswer) };
}

function withText(state: LiveViewState, event: EventOf<"text">): LiveViewState {
  const { itemId, text, phase } = event;
  if (phase !== "commentary") return { ...state, answer: { itemId, text: text.slice(0, longestAnswer) } };
  const answer = state.answer?.itemId === itemId ? null : state.answer;
  return { ...state, answer, note: noteOf(text) ?? state.note };
}

function noteOf(text: string): string | null {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  return line === "" ? null : line.slice(0, longestNote).toWellFormed();
}

function started(state: LiveViewState, itemId: string, step: Step): LiveViewState {
  if (state.steps.some((shown) => shown.itemId === itemId)) return state;
  // What was said before further work was no answer, whatever it was called.
  const note = state.answer === null ? state.note : (noteOf(state.answer.text) ?? state.note);
  const steps = bounded([...state.steps, { itemId, step: boundedStep(step), outcome: "running", durationMs: null }]);
  return { ...state, note, answer: null, steps, stepCount: state.stepCount + 1 };
}

function ended(before: LiveViewState, event: EventOf<"step_ended">): LiveViewState {
  const state = started(before, event.itemId, event.step);
  const steps = state.steps.map((shown): ShownStep => {
    if (shown.itemId !== event.itemId) return shown;
    const { outcome } = event;
    return { itemId: shown.itemId, step: boundedStep(event.step), outcome, durationMs: event.durationMs ?? null };
  });
  return { ...state, steps: mergedReads(steps) };
}

/** What was just denied must not be shown as running until Codex says the same. With several under way it is not known which. */
function denied(state: LiveViewState, choice: string): LiveViewState {
  const running = state.steps.filter(({ outcome }) => outcome === "running");
  if (choice !== "deny" || running.length !== 1) return state;
  const steps = state.steps.map((shown) => (shown === running[0] ? { ...shown, outcome: "declined" as const } : shown));
  return { ...state, steps };
}

/** Files read one after another are one step to look at. */
function mergedReads(steps: readonly ShownStep[]): readonly ShownStep[] {
  const merged: ShownStep[] = [];
  for (const shown of steps) {
    const last = merged.at(-1);
    const joins = last?.outcome === "ok" && shown.outcome === "ok" && last.step.kind === "read";
    if (joins && last.step.kind === "read" && shown.step.kind === "read") {
      const names = [...new Set([...last.step.names, ...shown.step.names])];
      merged[merged.length - 1] = { ...shown, step: boundedStep({ kind: "read", names }) };
    } else {
      merged.push(shown);
    }
  }
  return merged;
}

/** Drops the oldest finished step first, since a running one still changes. */
function bounded(steps: readonly ShownStep[]): readonly ShownStep[] {
  if (steps.length <= mostSteps) return steps;
  const oldestDone = steps.findIndex((shown) => shown.outcome !== "running");
  return steps.toSpliced(Math.max(0, oldestDone), 1);
}

function boundedStep(step: Step): Step {
  if (step.kind === "read") return { kind: "read", names: step.names.slice(0, mostNames) };
  if (step.kind === "edit") return { kind: "edit", paths: step.paths.slice(0, mostNames) };
  return step;
}

function waitingFor(before: Waiting | null, event: EventOf<"waits">): Waiting | null {
  if (event.on === null) return null;
  const { open, since, link } = before ?? { open: [], since: event.at, link: null };
  return { on: event.on, open, since, link: event.link ?? link };
}

function alsoWaiting(before: Waiting | null, { on, at, attentionId }: EventOf<"waiting">): Waiting {
  const { open, since, link } = before ?? { open: [], since: at, link: null };
  return { on, open: [...open.filter((id) => id !== attentionId), attentionId].slice(-mostOpen), since, link };
}

function lessWaiting(before: Waiting | null, attentionId: string): Waiting | null {
  const open = before?.open.filter((id) => id !== attentionId) ?? [];
  return before === null || open.length === 0 ? null : { ...before, open };
}
