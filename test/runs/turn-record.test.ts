import { expect, it } from "vitest";
import type { ThreadItem } from "../../src/codex/index.ts";
import { createTurnRecord } from "../../src/runs/turn-record.ts";

it("counts what a turn used once, also when Codex repeats the last count to a line that is new", () => {
  const record = createTurnRecord();
  const first = { input: 1_000, output: 10 };
  const second = { input: 1_200, output: 20 };
  record.take(usage(first, 1_010));
  record.take(usage(second, 2_230));
  record.take(usage(second, 2_230));
  expect(record.usage()).toEqual({ input: 2_200, cachedInput: 0, output: 30, reasoning: 0 });
});

it("loses nothing that is said or asked on the way: it comes before the answer", () => {
  const record = createTurnRecord();
  const questions = [
    { title: "Which branch?", options: ["main", "release"] },
    { title: "When?", options: null },
  ];
  record.take(message("1", { text: "", delivery: "async", phase: "final_answer", questions }));
  record.take(message("2", { text: "I found it.", delivery: "async", phase: "final_answer" }));
  record.take(message("3", { text: "Looking further.", phase: "commentary" }));
  record.take(message("4", { text: "Done.", phase: "final_answer" }));
  expect(record.answer()).toBe("Which branch?\n- main\n- release\n\nWhen?\n\nI found it.\n\nDone.");
});

it("answers with what was asked where nothing else was said", () => {
  const record = createTurnRecord();
  const questions = [{ title: "Which branch?", options: ["main"] }];
  record.take(message("1", { text: "Which branch?\n- main", delivery: "async", phase: "final_answer", questions }));
  expect(record.answer()).toBe("Which branch?\n- main");
});

type AgentMessage = Extract<ThreadItem, { type: "agentMessage" }>;

function message(id: string, more: Partial<AgentMessage>) {
  const empty = { moderation: null, phase: null, memoryCitation: null, delivery: null, questions: null };
  const item: AgentMessage = { type: "agentMessage", id, text: "", ...empty, ...more };
  return {
    method: "item/completed" as const,
    params: { threadId: "thread", turnId: "turn", item, completedAtMs: 0 },
    emittedAtMs: undefined,
  };
}

function usage({ input, output }: { input: number; output: number }, total: number) {
  const breakdown = { cachedInputTokens: 0, cacheWriteInputTokens: 0, reasoningOutputTokens: 0 };
  const last = { ...breakdown, totalTokens: input + output, inputTokens: input, outputTokens: output };
  const tokenUsage = { last, total: { ...last, totalTokens: total }, modelContextWindow: null };
  return {
    method: "thread/tokenUsage/updated" as const,
    params: { threadId: "thread", turnId: "turn", tokenUsage },
    emittedAtMs: undefined,
  };
}
