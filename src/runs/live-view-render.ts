import { closeOpenMarkdown, type Inline, type Persona, type Post, toMarkdown } from "../chat/index.ts";
import { redact } from "../shared/index.ts";
import { toolNamespace } from "../tools/index.ts";
import type { Words } from "../words/index.ts";
import type { LiveViewState, ShownStep } from "./live-view-reducer.ts";
import { endOfWords } from "./redacted-stream.ts";
import type { Step } from "./types.ts";

export interface LiveViewFrame {
  readonly name: string;
  readonly persona?: Persona | undefined;
  readonly startedAt: Date;
  readonly now: Date;
  readonly words: Words;
  readonly stopToken?: string | undefined;
  readonly replyTo?: string | undefined;
}

const shownSteps = 5;
const stepsAboveAnswer = 3;
const longestLine = 100;
/** A draft holds 4,096 characters on the strictest platform; what is left is for the lines above. */
const longestPreview = 3_000;

/** The progress message: a line that says who, what and since when, then the last steps. Never notifies. */
export function renderLiveView(state: LiveViewState, frame: LiveViewFrame): Post {
  const { stopToken, replyTo, words, persona } = frame;
  return {
    text: progress(state, frame, shownSteps),
    notify: false,
    ...(persona !== undefined && { persona }),
    ...(stopToken !== undefined && { buttons: [[{ label: words.live.stop, token: stopToken }]] }),
    ...(replyTo !== undefined && { replyTo }),
  };
}

/** The preview of a draft: the same, and beneath it the answer as far as it was said. */
export function renderDraft(state: LiveViewState, frame: LiveViewFrame): string {
  const answer = state.answer === null ? "" : preview(state.answer.text);
  if (answer === "") return progress(state, frame, shownSteps);
  return `${progress(state, frame, stepsAboveAnswer)}\n\n${answer}`;
}

/** A status line beside the conversation, which names us itself: plain, at most 100 characters. `topic` changes when more than the time does. */
export function renderStatus(
  state: LiveViewState,
  { startedAt, now, words }: LiveViewFrame,
): { readonly text: string; readonly topic: string } {
  const { live } = words;
  if (state.waiting !== null) {
    const since = live.roughly(now.getTime() - state.waiting.since.getTime());
    return { text: line(`${live.status.waiting} · ${since}`), topic: live.status.waiting };
  }
  const took = live.tens(now.getTime() - startedAt.getTime());
  if (state.retrying) return { text: statusOf(live.status.retrying, took), topic: live.status.retrying };
  const current = state.steps.findLast((shown) => shown.outcome === "running");
  const doing = current === undefined ? undefined : live.status.step(stepWords(current.step, words).doing);
  const topic = doing ?? (state.answer === null ? "" : live.status.writing);
  return { text: statusOf(live.status.working, took, topic), topic };
}

function statusOf(...parts: readonly string[]): string {
  return line(parts.filter((part) => part !== "").join(" · "));
}

/** One finished step, for places where text simply appears. */
export function renderStep(shown: ShownStep, words: Words): string {
  return markdown([[{ type: "text", value: stepLine(shown, words) }]]);
}

function progress(state: LiveViewState, frame: LiveViewFrame, mostSteps: number): string {
  const { words } = frame;
  const lines: Inline[][] = [header(state, frame)];
  if (state.note !== null) lines.push([{ type: "emphasis", children: [{ type: "text", value: line(state.note) }] }]);
  // What waits for a decision does not run yet: its card says what it is.
  const steps = state.waiting === null ? state.steps : state.steps.filter(({ outcome }) => outcome !== "running");
  for (const shown of steps.slice(-mostSteps)) lines.push([{ type: "text", value: stepLine(shown, words) }]);
  return markdown(lines);
}

function header(state: LiveViewState, { name, startedAt, now, words }: LiveViewFrame): Inline[] {
  const { waiting } = state;
  if (waiting !== null) {
    const since = words.live.roughly(now.getTime() - waiting.since.getTime());
    const text: Inline = { type: "text", value: [line(name), words.live.waitingForYou, since].join(" · ") };
    if (waiting.link === null) return [text];
    const link: Inline = {
      type: "link",
      url: waiting.link,
      children: [{ type: "text", value: words.live.decideHere }],
    };
    return [text, { type: "text", value: " · " }, link];
  }
  const parts = [line(name), state.retrying ? words.live.retrying : words.live.working];
  parts.push(words.live.duration(now.getTime() - startedAt.getTime()));
  if (state.stepCount > 0) parts.push(words.live.steps(state.stepCount));
  return [{ type: "text", value: parts.join(" · ") }];
}

const marks = { running: "▸", ok: "✓", failed: "✗", declined: "✗" } as const;
/** Shorter than this a step's duration says nothing. */
const shownDurationMs = 2_000;

function stepLine({ step, outcome, durationMs }: ShownStep, words: Words): string {
  const { doing, did } = stepWords(step, words);
  const what = { running: doing, ok: did, failed: did, declined: words.live.notDone(doing) }[outcome];
  const text = `${marks[outcome]} ${line(what)}`;
  return durationMs !== null && durationMs >= shownDurationMs ? `${text} · ${words.live.duration(durationMs)}` : text;
}

function stepWords(step: Step, { live }: Words): { readonly doing: string; readonly did: string } {
  switch (step.kind) {
    case "command":
      return live.command(step.command);
    case "read":
      return live.read(step.names);
    case "list":
      return live.list;
    case "find":
      return live.find(step.query);
    case "edit":
      return live.edit(step.paths.map(lastSegments));
    case "search":
      return live.search(step.query);
    case "image":
      return live.image(lastSegments(step.path));
    case "tool":
      if (step.server === toolNamespace && step.tool === "request_approval") return live.askApproval;
      if (step.server === toolNamespace && step.tool === "ask_user") return live.askQuestion;
      if (step.server === toolNamespace && step.tool === "attach_files_to_response") return live.attachFiles;
      return live.tool(step.tool);
    case "compaction":
      return live.compaction;
    case "other":
      return live.other(step.name);
  }
}

/** Absolute paths are of no use to a reader and say where we live: their last two segments do. */
function lastSegments(path: string): string {
  return path.startsWith("/") ? path.split("/").filter(Boolean).slice(-2).join("/") : path;
}

/** One line of text, redacted before it is cut. */
function line(text: string): string {
  const flat = redact(text).replaceAll(/\s+/gu, " ").trim();
  return flat.length <= longestLine
    ? flat
    : `${flat
        .slice(0, longestLine - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** The end of what was said: it is what changes. The word in the making may be half a secret and waits. */
function preview(raw: string): string {
  const text = redact(raw);
  const said = text.slice(0, endOfWords(text)).trimEnd();
  if (said.length <= longestPreview) return closeOpenMarkdown(said);
  const cut = said.indexOf("\n", said.length - longestPreview);
  const from = cut === -1 ? said.length - longestPreview : cut + 1;
  const insideCode = (said.slice(0, from).match(/^```/gmu)?.length ?? 0) % 2 === 1;
  return closeOpenMarkdown(`…\n${insideCode ? "```\n" : ""}${said.slice(from).toWellFormed()}`);
}

function markdown(lines: readonly Inline[][]): string {
  const children = lines.flatMap((inline, index): Inline[] => (index === 0 ? inline : [{ type: "break" }, ...inline]));
  return toMarkdown({ type: "root", children: [{ type: "paragraph", children }] });
}
