import type { CommandAction, MessagePhase, Notification, ThreadItem } from "../codex/index.ts";
import { redact } from "../shared/index.ts";
import { bareCommand } from "./timeline-command.ts";
import { saidBy } from "./turn-record.ts";
import type { PlanStatus, Step, TextPhase, TimelineEvent } from "./types.ts";

/**
 * What a notification adds to the timeline. Texts come out redacted and cut, except the pieces of a message
 * (`text_delta`), which only make sense together: whoever stores or shows them redacts them joined.
 */
export function toTimelineEvents(notification: Notification, receivedAt: Date = new Date()): readonly TimelineEvent[] {
  const at = notification.emittedAtMs === undefined ? receivedAt : new Date(notification.emittedAtMs);
  switch (notification.method) {
    case "turn/started":
      return [{ kind: "turn_started", at }];
    case "item/started":
      return started(notification.params.item, at);
    case "item/completed":
      return completed(notification.params.item, at);
    case "item/agentMessage/delta": {
      const { itemId, delta } = notification.params;
      return [{ kind: "text_delta", at, itemId, text: storable(delta) }];
    }
    case "turn/plan/updated": {
      const steps = notification.params.plan.slice(0, maxListed);
      return [
        {
          kind: "plan",
          at,
          steps: steps.map(({ step, status }) => ({ text: kept(step), status: planStatus[status] })),
        },
      ];
    }
    case "error":
      return notification.params.willRetry
        ? [{ kind: "retrying", at, detail: kept(notification.params.error.message) }]
        : [];
    default:
      return [];
  }
}

function started(item: ThreadItem, at: Date): readonly TimelineEvent[] {
  const step = stepOf(item);
  return step === undefined ? [] : [{ kind: "step_started", at, itemId: item.id, step }];
}

function completed(item: ThreadItem, at: Date): readonly TimelineEvent[] {
  switch (item.type) {
    case "agentMessage": {
      // Whole, however long: the answer is picked from these, and the outbox splits it.
      const text = redact(storable(saidBy(item).text));
      return [{ kind: "text", at, itemId: item.id, text, phase: textPhase(item.phase) }];
    }
    case "plan":
      return [{ kind: "text", at, itemId: item.id, text: kept(item.text), phase: "commentary" }];
    case "reasoning": {
      const text = kept(item.summary.join("\n\n"));
      return text === "" ? [] : [{ kind: "thinking", at, itemId: item.id, text }];
    }
    default: {
      const step = stepOf(item);
      if (step === undefined) return [];
      const durationMs = "durationMs" in item && item.durationMs !== null ? item.durationMs : undefined;
      return [{ kind: "step_ended", at, itemId: item.id, step, outcome: outcomeOf(item), durationMs }];
    }
  }
}

/** What an item does, where it is something a person would call a step. Kinds a later Codex adds are none. */
function stepOf(item: ThreadItem): Step | undefined {
  switch (item.type) {
    case "commandExecution":
      return commandStep(item.command, item.commandActions);
    case "fileChange":
      return { kind: "edit", paths: item.changes.slice(0, maxListed).map((change) => kept(change.path)) };
    case "mcpToolCall":
      return { kind: "tool", tool: kept(item.tool), server: kept(item.server) };
    case "dynamicToolCall":
      return {
        kind: "tool",
        tool: kept(item.tool),
        server: item.namespace === null ? undefined : kept(item.namespace),
      };
    case "webSearch":
      return { kind: "search", query: kept(item.query) };
    case "imageView":
      return { kind: "image", path: kept(item.path) };
    case "imageGeneration":
      return { kind: "other", name: "image" };
    case "collabAgentToolCall":
    case "subAgentActivity":
      return { kind: "other", name: "helper" };
    case "enteredReviewMode":
      return { kind: "other", name: "review" };
    case "contextCompaction":
      return { kind: "compaction" };
    case "userMessage":
    case "agentMessage":
    case "reasoning":
    case "plan":
    case "functionCallOutput":
    case "hookPrompt":
    case "sleep":
    case "exitedReviewMode":
      return undefined;
    default:
      item satisfies never;
      return undefined;
  }
}

/** A command that only looks at things is shown as what it looks at; Codex parses it, and a pipe has several parts. */
function commandStep(command: string, actions: readonly CommandAction[]): Step {
  const shown: Step = { kind: "command", command: kept(bareCommand(command)) };
  if (actions.length === 0) return shown;
  const reads = actions.flatMap((action) => (action.type === "read" ? [kept(action.name)] : []));
  if (reads.length === actions.length) return { kind: "read", names: reads.slice(0, maxListed) };
  if (actions.some((action) => action.type === "unknown")) return shown;
  const search = actions.find((action) => action.type === "search");
  if (search !== undefined) return { kind: "find", query: kept(search.query ?? search.path ?? "") };
  return { kind: "list" };
}

type Outcome = "ok" | "failed" | "declined";

function outcomeOf(item: ThreadItem): Outcome {
  if (!("status" in item)) return "ok";
  if (item.status === "declined") return "declined";
  const failed = item.status === "failed" || item.status === "interrupted";
  return failed || ("success" in item && item.success === false) ? "failed" : "ok";
}

function textPhase(phase: MessagePhase | null): TextPhase {
  if (phase === "final_answer") return "final";
  return phase === "commentary" ? "commentary" : "unknown";
}

const planStatus = { pending: "pending", inProgress: "in_progress", completed: "done" } satisfies Record<
  string,
  PlanStatus
>;

const maxListed = 50;
const maxKept = 4_000;

/** PostgreSQL takes neither NUL nor half a surrogate pair in jsonb. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** Redacted first, cut after. */
function kept(text: string): string {
  const safe = redact(storable(text));
  return safe.length <= maxKept ? safe : `${safe.slice(0, maxKept).toWellFormed()}…`;
}
