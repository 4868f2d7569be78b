import { describe, expect, test } from "vitest";
import type { Notification, ThreadItem } from "../../src/codex/index.ts";
import { toTimelineEvents } from "../../src/runs/timeline.ts";
import { bareCommand } from "../../src/runs/timeline-command.ts";

const at = new Date("2026-11-13T09:14:00Z");
const turn = { threadId: "t1", turnId: "u1" };

function completed(item: ThreadItem): Notification {
  const params = { ...turn, item, completedAtMs: at.getTime() };
  return { method: "item/completed", params, emittedAtMs: at.getTime() };
}
function started(item: ThreadItem): Notification {
  return { method: "item/started", params: { ...turn, item, startedAtMs: at.getTime() }, emittedAtMs: at.getTime() };
}
function message(text: string, phase: "commentary" | "final_answer" | null): ThreadItem {
  return {
    type: "agentMessage",
    id: "i1",
    text,
    phase,
    moderation: null,
    memoryCitation: null,
    delivery: null,
    questions: null,
  };
}
function shell(more: Partial<Extract<ThreadItem, { type: "commandExecution" }>> = {}): ThreadItem {
  return {
    type: "commandExecution",
    id: "i2",
    pluginId: null,
    scriptPath: null,
    command: "/bin/bash -lc 'npm test'",
    cwd: "/w",
    processId: null,
    source: "agent",
    status: "completed",
    commandActions: [],
    aggregatedOutput: "ok",
    exitCode: 0,
    durationMs: 12_000,
    ...more,
  };
}

describe("the timeline", () => {
  test("tells an answer from a note on the way", () => {
    const phases = ([null, "commentary", "final_answer"] as const).map((phase) => {
      const [event] = toTimelineEvents(completed(message("Done.", phase)));
      return event?.kind === "text" ? event.phase : undefined;
    });
    expect(phases).toEqual(["unknown", "commentary", "final"]);
  });

  test("keeps an answer whole, however long", () => {
    const [event] = toTimelineEvents(completed(message("word ".repeat(20_000), "final_answer")));
    expect(event).toMatchObject({ kind: "text", itemId: "i1", at });
    expect(event?.kind === "text" && event.text.length).toBe(100_000);
  });

  test("shows a command as a person would type it, with its duration", () => {
    expect(toTimelineEvents(started(shell({ status: "inProgress" })))).toEqual([
      { kind: "step_started", at, itemId: "i2", step: { kind: "command", command: "npm test" } },
    ]);
    expect(toTimelineEvents(completed(shell()))).toEqual([
      {
        kind: "step_ended",
        at,
        itemId: "i2",
        step: { kind: "command", command: "npm test" },
        outcome: "ok",
        durationMs: 12_000,
      },
    ]);
  });

  test.each([
    ["failed", "failed"],
    ["declined", "declined"],
    ["completed", "ok"],
  ] as const)("a command that is %s ended as %s", (status, outcome) => {
    expect(toTimelineEvents(completed(shell({ status })))).toMatchObject([{ outcome }]);
  });

  test("a command that only looks at files is shown as what it looks at", () => {
    const reads = ["a.ts", "b.ts"].map((name) => ({ type: "read" as const, command: "cat", name, path: `/w/${name}` }));
    expect(toTimelineEvents(completed(shell({ commandActions: reads })))).toMatchObject([
      { step: { kind: "read", names: ["a.ts", "b.ts"] } },
    ]);
    const search = { type: "search" as const, command: "rg port", query: "port", path: null };
    const list = { type: "listFiles" as const, command: "ls", path: null };
    expect(toTimelineEvents(completed(shell({ commandActions: [list, search] })))).toMatchObject([
      { step: { kind: "find", query: "port" } },
    ]);
    expect(toTimelineEvents(completed(shell({ commandActions: [list] })))).toMatchObject([{ step: { kind: "list" } }]);
    const unknown = { type: "unknown" as const, command: "rm a" };
    expect(toTimelineEvents(completed(shell({ commandActions: [...reads, unknown] })))).toMatchObject([
      { step: { kind: "command" } },
    ]);
  });

  test("a tool of ours that said no is a failed step", () => {
    const call = {
      type: "dynamicToolCall",
      id: "i3",
      namespace: "shipmate",
      tool: "attach_files_to_response",
      arguments: {},
      status: "completed",
      contentItems: null,
      success: false,
      durationMs: 5,
    } as const;
    expect(toTimelineEvents(completed({ ...call }))).toMatchObject([
      {
        kind: "step_ended",
        outcome: "failed",
        step: { kind: "tool", tool: "attach_files_to_response", server: "shipmate" },
      },
    ]);
  });

  test("an error that Codex gets over is a retry, a final one is told by the end of the turn", () => {
    const error = { message: "Reconnecting... 1/5", codexErrorInfo: null, additionalDetails: null, misalignment: null };
    const notification = (willRetry: boolean): Notification => ({
      method: "error",
      params: { ...turn, error, willRetry },
      emittedAtMs: undefined,
    });
    expect(toTimelineEvents(notification(true), at)).toEqual([{ kind: "retrying", at, detail: "Reconnecting... 1/5" }]);
    expect(toTimelineEvents(notification(false), at)).toEqual([]);
  });

  test("says nothing about kinds of items that a later Codex may bring", () => {
    const later: unknown = { type: "teleport", id: "i9" };
    expect(toTimelineEvents(completed(later as ThreadItem))).toEqual([]);
    expect(toTimelineEvents(started(later as ThreadItem))).toEqual([]);
  });

  test("F-66 commands, queries and texts are redacted before they are cut", () => {
    const secret = `sk-${"a".repeat(40)}`;
    const command = `/bin/bash -lc 'curl -H "Authorization: Bearer ${secret}" x'`;
    const long = `${"x".repeat(3_990)} ${secret}`;
    const events = [shell({ command }), shell({ command: long }), message(secret, null)].flatMap((item) => [
      ...toTimelineEvents(completed(item)),
    ]);
    expect(events).toHaveLength(3);
    expect(JSON.stringify(events)).not.toContain("sk-a");
  });

  test("carries nothing that jsonb refuses", () => {
    const delta = { ...turn, itemId: "i1", delta: "a\0b\uD800c" };
    const notification: Notification = { method: "item/agentMessage/delta", params: delta, emittedAtMs: undefined };
    expect(toTimelineEvents(notification, at)).toEqual([{ kind: "text_delta", at, itemId: "i1", text: "ab\uFFFDc" }]);
  });
});

describe("a command as a person thinks of it", () => {
  test.each([
    ["/bin/bash -lc 'npm test'", "npm test"],
    ['bash -lc "echo \\"hi\\" \\$HOME"', 'echo "hi" $HOME'],
    [`/bin/zsh -lc 'echo '"'"'hi'"'"''`, "echo 'hi'"],
    ["/usr/bin/bash -c 'a && b'", "a && b"],
    ["bash -lc ls", "ls"],
    ["git status", "git status"],
    ["bash -lc 'unfinished", "'unfinished"],
  ])("%s", (reported, shown) => {
    expect(bareCommand(reported)).toBe(shown);
  });
});
