import type { CommandAction, FileUpdateChange, MessagePhase, Notification, ThreadItem } from "../codex/index.ts";
import { redact } from "../shared/index.ts";

export type StepStatus = "running" | "done" | "failed" | "declined";

export type ShellAction =
  | { readonly kind: "read"; readonly name: string }
  | { readonly kind: "list"; readonly path: string | null }
  | { readonly kind: "search"; readonly query: string | null }
  | { readonly kind: "run" };

export interface PatchedFile {
  readonly path: string;
  readonly change: "add" | "update" | "delete";
}

/** One thing that happened in a turn, in our words; texts are redacted and short enough to keep. */
export type TimelineItem =
  | { readonly type: "message"; readonly author: "person" | "teammate"; readonly text: string; readonly phase: Phase }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "plan"; readonly text: string }
  | {
      readonly type: "shell";
      readonly command: string;
      readonly actions: readonly ShellAction[];
      readonly status: StepStatus;
      readonly exitCode: number | null;
      readonly durationMs: number | null;
      readonly output: string | null;
    }
  | { readonly type: "patch"; readonly files: readonly PatchedFile[]; readonly status: StepStatus }
  | {
      readonly type: "tool";
      /** The namespace or MCP server it belongs to. */
      readonly from: string | null;
      readonly name: string;
      readonly status: StepStatus;
      readonly durationMs: number | null;
    }
  | { readonly type: "search"; readonly query: string }
  | { readonly type: "image"; readonly path: string | null }
  | { readonly type: "helper"; readonly status: StepStatus }
  | { readonly type: "system"; readonly what: "compaction" | "review" };

/** What an agent message is: the answer, a note on the way there, or not said (older models). */
export type Phase = "final" | "commentary" | "partial" | null;

interface At {
  readonly at: Date;
}

/** A row of `run_events`; the run's own events (waiting) come from us, the others from Codex. */
export type TimelineEvent = At &
  (
    | { readonly kind: "turn_started"; readonly turnId: string }
    | { readonly kind: "item_started"; readonly itemId: string; readonly item: TimelineItem }
    | { readonly kind: "item_delta"; readonly itemId: string; readonly text: string }
    | { readonly kind: "item_completed"; readonly itemId: string; readonly item: TimelineItem }
    | { readonly kind: "plan_updated"; readonly steps: readonly PlanStep[] }
    | { readonly kind: "retrying"; readonly message: string }
    | { readonly kind: "error"; readonly message: string }
    | { readonly kind: "waiting"; readonly on: "approval" | "permission" | "question" | null }
    | { readonly kind: "turn_ended"; readonly status: "completed" | "interrupted" | "failed" }
  );

export interface PlanStep {
  readonly text: string;
  readonly status: "pending" | "running" | "done";
}

/** What a notification adds to the timeline: one event or none. Reads nothing but its arguments. */
export function toTimelineEvents(notification: Notification, receivedAt: Date): TimelineEvent[] {
  const at = notification.emittedAtMs === undefined ? receivedAt : new Date(notification.emittedAtMs);
  switch (notification.method) {
    case "turn/started":
      return [{ kind: "turn_started", at, turnId: notification.params.turn.id }];
    case "turn/completed": {
      const { status } = notification.params.turn;
      return status === "inProgress" ? [] : [{ kind: "turn_ended", at, status }];
    }
    case "item/started":
      return itemEvent("item_started", notification.params.item, at);
    case "item/completed":
      return itemEvent("item_completed", notification.params.item, at);
    case "item/agentMessage/delta":
    case "item/plan/delta":
    case "item/reasoning/summaryTextDelta":
      return [{ kind: "item_delta", at, itemId: notification.params.itemId, text: notification.params.delta }];
    case "turn/plan/updated":
      return [{ kind: "plan_updated", at, steps: notification.params.plan.slice(0, maxListed).map(planStep) }];
    case "error": {
      const message = kept(notification.params.error.message);
      return [{ kind: notification.params.willRetry ? "retrying" : "error", at, message }];
    }
    default:
      return [];
  }
}

function itemEvent(kind: "item_started" | "item_completed", item: ThreadItem, at: Date): TimelineEvent[] {
  const mapped = toTimelineItem(item);
  return mapped === undefined ? [] : [{ kind, at, itemId: item.id, item: mapped }];
}

/** Our name for a Codex item; undefined for what nobody needs to see, and for kinds a later Codex may add. */
export function toTimelineItem(item: ThreadItem): TimelineItem | undefined {
  switch (item.type) {
    case "userMessage": {
      const text = item.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      return { type: "message", author: "person", text: kept(text.trim()), phase: null };
    }
    case "agentMessage":
      return { type: "message", author: "teammate", text: redact(clean(item.text)), phase: phaseOf(item.phase) };
    case "reasoning":
      return { type: "thinking", text: kept(item.summary.join("\n\n")) };
    case "plan":
      return { type: "plan", text: kept(item.text) };
    case "commandExecution":
      return {
        type: "shell",
        command: kept(bareCommand(item.command)),
        actions: item.commandActions.slice(0, maxListed).map(shellAction),
        status: stepStatus(item.status),
        exitCode: item.exitCode,
        durationMs: item.durationMs,
        output: item.aggregatedOutput === null ? null : keptEnd(item.aggregatedOutput),
      };
    case "fileChange":
      return {
        type: "patch",
        files: item.changes.slice(0, maxListed).map(patchedFile),
        status: stepStatus(item.status),
      };
    case "mcpToolCall":
    case "dynamicToolCall": {
      const from = item.type === "mcpToolCall" ? item.server : item.namespace;
      return { type: "tool", from, name: item.tool, status: stepStatus(item.status), durationMs: item.durationMs };
    }
    case "webSearch":
      return { type: "search", query: kept(item.query) };
    case "imageView":
      return { type: "image", path: kept(item.path) };
    case "imageGeneration":
      return { type: "image", path: item.savedPath === undefined ? null : kept(item.savedPath) };
    case "collabAgentToolCall":
      return { type: "helper", status: stepStatus(item.status) };
    case "subAgentActivity":
      return { type: "helper", status: item.kind === "completed" ? "done" : "running" };
    case "contextCompaction":
      return { type: "system", what: "compaction" };
    case "enteredReviewMode":
    case "exitedReviewMode":
      return { type: "system", what: "review" };
    case "functionCallOutput":
    case "hookPrompt":
    case "sleep":
      return undefined;
    default:
      item satisfies never;
      return undefined;
  }
}

const maxListed = 50;
const maxKept = 4_000;

/** PostgreSQL takes neither NUL nor half a surrogate pair in jsonb. */
export function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function kept(text: string): string {
  const safe = redact(clean(text));
  return safe.length <= maxKept ? safe : `${safe.slice(0, maxKept).toWellFormed()}…`;
}

/** Of a command's output the end is what tells how it went. */
function keptEnd(text: string): string {
  const safe = redact(clean(text));
  return safe.length <= maxKept ? safe : `…${safe.slice(-maxKept).toWellFormed()}`;
}

function phaseOf(phase: MessagePhase | null): Phase {
  switch (phase) {
    case "final_answer":
      return "final";
    case "commentary":
      return "commentary";
    case "partial_answer":
      return "partial";
    default:
      return null;
  }
}

function stepStatus(status: "inProgress" | "completed" | "failed" | "declined" | "interrupted"): StepStatus {
  switch (status) {
    case "inProgress":
      return "running";
    case "completed":
      return "done";
    case "declined":
      return "declined";
    default:
      return "failed";
  }
}

/** Codex reports `/bin/bash -lc 'npm test'`; people think of it as `npm test`. */
export function bareCommand(command: string): string {
  const wrapped = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c ([\s\S]+)$/u.exec(command.trim())?.[1];
  if (wrapped === undefined) return command.trim();
  const quoted = /^'((?:[^']|'\\'')*)'$|^"((?:[^"\\]|\\.)*)"$/u.exec(wrapped);
  if (quoted?.[1] !== undefined) return quoted[1].replaceAll("'\\''", "'");
  if (quoted?.[2] !== undefined) return quoted[2].replaceAll(/\\(["\\$`])/gu, "$1");
  return wrapped;
}

function shellAction(action: CommandAction): ShellAction {
  switch (action.type) {
    case "read":
      return { kind: "read", name: kept(action.name) };
    case "listFiles":
      return { kind: "list", path: action.path === null ? null : kept(action.path) };
    case "search":
      return { kind: "search", query: action.query === null ? null : kept(action.query) };
    default:
      return { kind: "run" };
  }
}

function patchedFile(change: FileUpdateChange): PatchedFile {
  return { path: kept(change.path), change: change.kind.type };
}

function planStep(step: { step: string; status: "pending" | "inProgress" | "completed" }): PlanStep {
  const status = step.status === "inProgress" ? "running" : step.status === "completed" ? "done" : "pending";
  return { text: kept(step.step), status };
}
