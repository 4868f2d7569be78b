import { expect, it } from "vitest";
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
