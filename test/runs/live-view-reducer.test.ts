import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMarkdown, toPlainText } from "../../src/chat/index.ts";
import {
  emptyLiveView,
  type LiveViewEvent,
  type LiveViewState,
  liveViewReducer,
} from "../../src/runs/live-view-reducer.ts";
import { renderDraft, renderLiveView } from "../../src/runs/live-view-render.ts";
import type { Step } from "../../src/runs/types.ts";
import { wordsFor } from "../../src/words/index.ts";

const startedAt = new Date("2026-11-13T09:14:00Z");
const after = (ms: number) => new Date(startedAt.getTime() + ms);
const frame = (ms: number) => ({ name: "Milo", startedAt, now: after(ms), words: wordsFor("en") });

function seen(events: readonly LiveViewEvent[]): LiveViewState {
  return events.reduce(liveViewReducer, emptyLiveView);
}
/** The message as a reader sees it. */
function shown(events: readonly LiveViewEvent[], ms = 42_000): string {
  return toPlainText(parseMarkdown(renderLiveView(seen(events), frame(ms)).text));
}
function began(itemId: string, step: Step): LiveViewEvent {
  return { kind: "step_started", at: startedAt, itemId, step };
}
function did(itemId: string, step: Step, durationMs?: number): LiveViewEvent {
  return { kind: "step_ended", at: startedAt, itemId, step, outcome: "ok", durationMs };
}
function delta(itemId: string, text: string): LiveViewEvent {
  return { kind: "text_delta", at: startedAt, itemId, text };
}

describe("the live view", () => {
  test("says who works, for how long, and what was done last", () => {
    const events = [
      did("a", { kind: "read", names: ["a.ts"] }),
      did("b", { kind: "read", names: ["b.ts", "c.ts"] }),
      did("c", { kind: "command", command: "npm test" }, 12_400),
      began("d", { kind: "edit", paths: ["src/app.ts"] }),
    ];
    expect(shown(events)).toBe(
      ["Milo · working · 42 s · 4 steps", "✓ Read 3 files", "✓ Ran npm test · 12 s", "▸ Editing src/app.ts"].join("\n"),
    );
  });

  test("keeps to the last five steps and counts all", () => {
    const events = Array.from({ length: 30 }, (_, n) => did(`i${n}`, { kind: "command", command: `step ${n}` }));
    const lines = shown(events).split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[0]).toContain("30 steps");
    expect(lines.at(-1)).toBe("✓ Ran step 29");
  });

  test("a step that failed or was refused shows it", () => {
    const step: Step = { kind: "command", command: "npm test" };
    const failed: LiveViewEvent = { kind: "step_ended", at: startedAt, itemId: "a", step, outcome: "failed" };
    expect(shown([began("a", step), failed])).toContain("✗ Ran npm test");
  });

  test("says for whom it waits, since when and where to decide", () => {
    const link = "https://example.com/card";
    const waits: LiveViewEvent = { kind: "waits", at: after(60_000), on: "approval", link };
    const { text } = renderLiveView(seen([waits]), frame(60_000 + 190_000));
    expect(toPlainText(parseMarkdown(text))).toBe(`Milo · waiting for you · 3 min · Decide here (${link})`);
  });

  test("what waits for a decision, or was denied, is not shown as running", () => {
    const step: Step = { kind: "command", command: "rm -rf build" };
    const waiting: LiveViewEvent = { kind: "waiting", at: startedAt, on: "approval", attentionId: "x" };
    const denied: LiveViewEvent = { kind: "decided", at: startedAt, attentionId: "x", choice: "deny" };
    const approved: LiveViewEvent = { ...denied, choice: "approve" };
    expect(shown([began("a", step), waiting])).not.toContain("rm -rf");
    expect(shown([began("a", step), waiting, denied])).toContain("✗ Not done: running rm -rf build");
    expect(shown([began("a", step), waiting, approved])).toContain("▸ Running rm -rf build");
    const other = began("b", { kind: "edit", paths: ["a.ts"] });
    expect(shown([began("a", step), other, waiting, denied])).toContain("▸ Editing a.ts");
  });

  test("goes back to work once it was decided", () => {
    const waiting: LiveViewEvent = { kind: "waiting", at: startedAt, on: "approval", attentionId: "x" };
    const decided: LiveViewEvent = { kind: "decided", at: startedAt, attentionId: "x", choice: "approve" };
    expect(shown([waiting])).toContain("waiting for you");
    expect(shown([waiting, decided])).toContain("working");
  });

  test("waits as long as one of several questions is open", () => {
    const waiting = (attentionId: string): LiveViewEvent => ({
      kind: "waiting",
      at: startedAt,
      on: "approval",
      attentionId,
    });
    const decided = (attentionId: string): LiveViewEvent => ({
      kind: "decided",
      at: startedAt,
      attentionId,
      choice: "deny",
    });
    const events = [waiting("x"), waiting("y"), decided("x")];
    expect(shown(events)).toContain("waiting for you");
    expect(shown([...events, decided("y")])).toContain("working");
  });

  test("says that the model doesn't answer, until it does", () => {
    const retrying: LiveViewEvent = { kind: "retrying", at: startedAt, detail: "Reconnecting... 1/5" };
    expect(shown([retrying])).toContain("the model doesn't answer, trying again");
    expect(shown([retrying])).not.toContain("Reconnecting");
    expect(shown([retrying, delta("a", "Hi")])).toContain("working");
  });

  test("what the teammate notes on the way stands above the steps, in one line", () => {
    const text = "I look at the **tests** first.\nThen the rest.";
    const note: LiveViewEvent = { kind: "text", at: startedAt, itemId: "n", phase: "commentary", text };
    expect(shown([note, began("a", { kind: "list" })]).split("\n")).toEqual([
      "Milo · working · 42 s · 1 step",
      "I look at the **tests** first.",
      "▸ Looking through folders",
    ]);
  });

  test("a draft streams the answer beneath the last steps, with its Markdown closed", () => {
    const events = [did("a", { kind: "list" }), delta("m", "The **main "), delta("m", "point is th")];
    expect(renderDraft(seen(events), frame(3_000))).toBe(
      "Milo · working · 3 s · 1 step\\\n✓ Looked through folders\n\nThe **main point is**",
    );
  });

  test("a long answer shows its end, and a code block it began stays one", () => {
    const events = [delta("m", `\`\`\`ts\n${"const line = 1;\n".repeat(600)}last `)];
    const draft = renderDraft(seen(events), frame(3_000));
    expect(draft.length).toBeLessThan(3_500);
    expect(draft).toContain("…\n```\nconst line");
    expect(draft.endsWith("\nlast")).toBe(true);
  });

  test("an answer that was begun again after a dropped stream is not shown twice", () => {
    const retrying: LiveViewEvent = { kind: "retrying", at: startedAt, detail: "" };
    const draft = renderDraft(seen([delta("m1", "Half of "), retrying, delta("m2", "Whole of it ")]), frame(1_000));
    expect(draft).toContain("Whole of");
    expect(draft).not.toContain("Half");
  });

  test("F-66 a secret is not shown, nor the half of one that is still being said", () => {
    const key = `sk-${"a1".repeat(20)}`;
    const half = renderDraft(seen([delta("m", `Key: ${key.slice(0, 12)}`)]), frame(1_000));
    const whole = renderDraft(seen([delta("m", `Key: ${key} ok `)]), frame(1_000));
    const command = shown([began("c", { kind: "command", command: `${"x ".repeat(45)}${key}` })]);
    expect(`${half}${whole}${command}`).not.toContain("sk-");
  });

  test("a command cannot format, link or break the message", () => {
    const command = "echo `x` **y** [z](https://evil.example)\n# no";
    expect(shown([began("a", { kind: "command", command })]).split("\n")).toEqual([
      "Milo · working · 42 s · 1 step",
      "▸ Running echo `x` **y** [z](https://evil.example) # no",
    ]);
  });

  test("an absolute path says no more than a reader needs", () => {
    expect(shown([began("a", { kind: "edit", paths: ["/srv/home/workspaces/milo/site/index.html"] })])).toContain(
      "▸ Editing site/index.html",
    );
  });
});

const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const text = fc.oneof(fc.string(), fc.string({ unit: "binary", maxLength: 300 }), fc.constant("y".repeat(300_000)));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("command" as const), command: text }),
  fc.record({ kind: fc.constant("read" as const), names: fc.array(text, { maxLength: 200 }) }),
  fc.record({ kind: fc.constant("edit" as const), paths: fc.array(text, { maxLength: 200 }) }),
  fc.record({ kind: fc.constant("find" as const), query: text }),
  fc.record({ kind: fc.constant("search" as const), query: text }),
  fc.record({ kind: fc.constant("image" as const), path: text }),
  fc.record({ kind: fc.constant("tool" as const), tool: text }),
  fc.record({ kind: fc.constant("other" as const), name: text }),
  fc.constantFrom({ kind: "list" as const }, { kind: "compaction" as const }),
);
const at = fc.date({ noInvalidDate: true, min: startedAt, max: after(10 ** 9) });
const on = fc.constantFrom("approval" as const, "permission" as const, "question" as const);
const event: fc.Arbitrary<LiveViewEvent> = fc.oneof(
  fc.record({ kind: fc.constant("turn_started" as const), at }),
  fc.record({ kind: fc.constant("text_delta" as const), at, itemId: id, text }),
  fc.record({
    kind: fc.constant("text" as const),
    at,
    itemId: id,
    text,
    phase: fc.constantFrom("commentary" as const, "final" as const, "unknown" as const),
  }),
  fc.record({ kind: fc.constant("step_started" as const), at, itemId: fc.oneof(id, fc.uuid()), step }),
  fc.record({
    kind: fc.constant("step_ended" as const),
    at,
    itemId: fc.oneof(id, fc.uuid()),
    step,
    outcome: fc.constantFrom("ok" as const, "failed" as const, "declined" as const),
    durationMs: fc.option(fc.integer(), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("retrying" as const), at, detail: text }),
  fc.record({ kind: fc.constant("waiting" as const), at, on, attentionId: id }),
  fc.record({
    kind: fc.constant("waits" as const),
    at,
    on: fc.option(on),
    link: fc.option(fc.webUrl(), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("decided" as const), at, attentionId: id, choice: text }),
);

test("whatever happens in whatever order, the view stays small and can be shown", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const state = seen(events);
      expect(state.steps.length).toBeLessThanOrEqual(12);
      expect(state.answer?.text.length ?? 0).toBeLessThanOrEqual(200_000);
      const { text: message, notify } = renderLiveView(state, frame(1_000));
      expect(notify).toBe(false);
      expect(message.length).toBeLessThan(3_000);
      expect(renderDraft(state, frame(1_000)).length).toBeLessThan(9_000);
    }),
    { numRuns: 60 },
  );
});
