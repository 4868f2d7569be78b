import type { FileUpdateChange, Notification, ThreadItem, TokenUsageBreakdown, TurnError } from "../codex/index.ts";

export interface Usage {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly reasoning: number;
}

type AgentMessage = Extract<ThreadItem, { type: "agentMessage" }>;

/** What one turn said, used and changed: filled from its own notifications, read when it ends. */
export interface TurnRecord {
  take(notification: Notification): void;
  /** The answer: the last message meant as one, else the last that is no commentary, else the last. Undefined when nothing was said. */
  answer(): string | undefined;
  /** Everything said so far, also what is still being written. */
  partial(): string;
  /** The sum over the turn's model calls; undefined when none was reported. */
  usage(): Usage | undefined;
  /** What a patch would change: its approval request does not say. */
  changes(itemId: string): readonly FileUpdateChange[];
  /** True once the turn said or did something: made again, it would do so twice. */
  worked(): boolean;
  /** The last error that Codex will not retry. */
  error(): TurnError | undefined;
}

/** What can happen twice without anybody noticing. */
const harmless: ReadonlySet<ThreadItem["type"]> = new Set(["userMessage", "reasoning", "contextCompaction"]);

export function createTurnRecord(): TurnRecord {
  const said = new Map<string, Said & { readonly done: boolean }>();
  const changes = new Map<string, readonly FileUpdateChange[]>();
  let usage: Usage | undefined;
  let counted: number | undefined;
  let worked = false;
  let error: TurnError | undefined;

  function item(each: ThreadItem, done: boolean): void {
    if (!harmless.has(each.type)) worked = true;
    if (each.type === "fileChange") changes.set(each.id, each.changes);
    if (each.type === "agentMessage") said.set(each.id, { ...saidBy(each), done });
  }

  return {
    take(notification) {
      switch (notification.method) {
        case "item/started":
          return item(notification.params.item, false);
        case "item/completed":
          return item(notification.params.item, true);
        case "item/agentMessage/delta": {
          const { itemId, delta } = notification.params;
          const known = said.get(itemId);
          if (known?.done) return;
          const { phase = null, meanwhile = false } = known ?? {};
          said.set(itemId, { text: (known?.text ?? "") + delta, phase, meanwhile, done: false });
          return;
        }
        case "thread/tokenUsage/updated": {
          const { total, last } = notification.params.tokenUsage;
          // Whoever joins a thread again is told the last count once more; the total tells that it is no new one.
          if (total.totalTokens !== counted) usage = add(usage, last);
          counted = total.totalTokens;
          return;
        }
        case "error":
          if (!notification.params.willRetry) error = notification.params.error;
          return;
      }
    },
    answer: () => pickAnswer([...said.values()].filter((each) => each.done)),
    partial: () =>
      [...said.values()]
        .map((each) => each.text.trim())
        .filter((text) => text !== "")
        .join("\n\n"),
    usage: () => usage,
    changes: (itemId) => changes.get(itemId) ?? [],
    worked: () => worked,
    error: () => error,
  };
}

/** One message, as it is told. */
export interface Said extends Pick<AgentMessage, "text" | "phase"> {
  /** Said on the way, to be read at once: no part of the answer, and all the same for the person. */
  readonly meanwhile?: boolean | undefined;
}

/** What a message says, with the questions that some models ask in it and that have no card of their own. */
export function saidBy({ text, phase, delivery, questions }: AgentMessage): Said {
  const asked = (questions ?? []).map(({ title, options }) =>
    [title, ...(options ?? []).map((option) => `- ${option}`)].join("\n"),
  );
  const missing = asked.filter((each) => !text.includes(each));
  return {
    text: [text, ...missing].filter((part) => part !== "").join("\n\n"),
    phase,
    meanwhile: delivery === "async",
  };
}

/** From completed messages only: joined deltas may lack what was streamed while we were away. What was said on the way comes first. */
export function pickAnswer(messages: readonly Said[]): string | undefined {
  const meanwhile = messages.filter((each) => each.meanwhile && each.text.trim() !== "");
  const answer = lastAnswer(messages.filter((each) => !each.meanwhile));
  const all = [...meanwhile.map(({ text }) => text.trim()), ...(answer === undefined ? [] : [answer])];
  return all.length === 0 ? undefined : all.join("\n\n");
}

function lastAnswer(messages: readonly Said[]): string | undefined {
  const spoken = messages.filter((each) => each.text.trim() !== "");
  const last =
    spoken.findLast((each) => each.phase === "final_answer") ??
    spoken.findLast((each) => each.phase !== "commentary") ??
    spoken.at(-1);
  return last?.text.trim();
}

function add(sum: Usage | undefined, last: TokenUsageBreakdown): Usage {
  return {
    input: (sum?.input ?? 0) + last.inputTokens,
    cachedInput: (sum?.cachedInput ?? 0) + last.cachedInputTokens,
    output: (sum?.output ?? 0) + last.outputTokens,
    reasoning: (sum?.reasoning ?? 0) + last.reasoningOutputTokens,
  };
}

/** The turn a notification belongs to, where it belongs to one. */
export function turnOf(notification: Notification): string | undefined {
  const params: object = notification.params;
  if ("turnId" in params && typeof params.turnId === "string") return params.turnId;
  if (notification.method === "turn/started" || notification.method === "turn/completed") {
    return notification.params.turn.id;
  }
  return undefined;
}
