import type { Adapter, Capabilities, Post, Receipt, SendErrorKind } from "../../src/chat/index.ts";

export interface Call {
  readonly method: "post" | "edit" | "draft" | "status" | "remove" | "typing";
  readonly messageId?: string | undefined;
  readonly text?: string | undefined;
  readonly post?: Post | undefined;
}

/** A platform that remembers what it was asked, answers as told, and can keep a caller waiting. */
export interface StandIn {
  readonly adapter: Adapter;
  readonly calls: Call[];
  readonly messages: Map<string, Post>;
  /** The most calls of a view that were in flight at a time. */
  readonly mostInFlight: () => number;
  /** The answer to the next call of a method; several wait in line. */
  answerNext(method: Call["method"], receipt: Receipt): void;
  /** Calls wait until the returned function is called. */
  hold(): () => void;
  download: NonNullable<Adapter["download"]>;
}

export function failed(kind: SendErrorKind, retryAfterMs?: number): Receipt {
  return { outcome: "failed", error: { kind, detail: "stand-in", retryAfterMs } };
}

export function standIn(progress: "draft" | "edit" | "status" | "print", more: Partial<Capabilities> = {}): StandIn {
  const calls: Call[] = [];
  const messages = new Map<string, Post>();
  const answers = new Map<Call["method"], Receipt[]>();
  let gate: Promise<void> = Promise.resolve();
  let [inFlight, most, nextId] = [0, 0, 100];

  const call = async (entry: Call, take: () => string): Promise<Receipt> => {
    calls.push(entry);
    inFlight += 1;
    most = Math.max(most, inFlight);
    await gate;
    inFlight -= 1;
    const answer = answers.get(entry.method)?.shift();
    if (answer !== undefined && answer.outcome !== "delivered") return answer;
    return { outcome: "delivered", messageId: take() };
  };
  const every = <T>(value: T) => ({ dm: value, group: value, channel: value, forum: value });
  const capabilities: Capabilities = {
    progress: every(progress),
    progressIntervalMs: every(5),
    postIntervalMs: every(0),
    connectionIntervalMs: 0,
    limits: { fileInBytes: 1_000, fileOutBytes: 1_000, buttonLabel: 40 },
    idempotentPosts: false,
    persona: "line",
    privatePosts: false,
    forms: false,
    ...more,
  };
  const self: StandIn = {
    calls,
    messages,
    mostInFlight: () => most,
    answerNext: (method, receipt) => answers.set(method, [...(answers.get(method) ?? []), receipt]),
    hold: () => {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return () => {
        gate = Promise.resolve();
        held.resolve();
      };
    },
    download: async () => {
      throw new Error("nothing to download");
    },
    adapter: {
      platform: "telegram",
      capabilities,
      connect: async () => ({ botId: "1", name: "Milo", notes: [] }),
      start: async () => {},
      stop: async () => {},
      split: (post) => [post],
      post: (_address, post) =>
        call({ method: "post", post, text: post.text }, () => {
          const messageId = String(nextId++);
          messages.set(messageId, post);
          return messageId;
        }),
      edit: (_address, messageId, post) =>
        call({ method: "edit", messageId, post, text: post.text }, () => {
          messages.set(messageId, post);
          return messageId;
        }),
      remove: (_address, messageId) =>
        call({ method: "remove", messageId }, () => {
          messages.delete(messageId);
          return messageId;
        }),
      draft: (_address, draftId, text) => call({ method: "draft", messageId: String(draftId), text }, () => "draft"),
      status: (_address, line) => call({ method: "status", text: line ?? "" }, () => "status"),
      typing: async () => void calls.push({ method: "typing" }),
      download: (file, signal) => self.download(file, signal),
    },
  };
  return self;
}
