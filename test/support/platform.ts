import {
  type Adapter,
  type Address,
  type Button,
  type Capabilities,
  type Link,
  type OnlyFor,
  type Persona,
  type PlaceKind,
  type Post,
  type Receipt,
  type Select,
  type SendErrorKind,
  toParts,
} from "../../src/chat/index.ts";

/** A message as people see it on the stand-in. */
export interface PlatformMessage {
  readonly id: string;
  readonly channel: string;
  /** The thread it stands in. */
  readonly thread: string | undefined;
  readonly text: string;
  readonly footer: string | undefined;
  readonly persona: Persona | undefined;
  readonly onlyFor: OnlyFor | undefined;
  readonly buttons: readonly Button[];
  readonly selects: readonly Select[];
  readonly links: readonly Link[];
  readonly replyTo: string | undefined;
  readonly notify: boolean;
  /** The name of the file, where it is one. */
  readonly file: string | undefined;
}

export interface PlatformCall {
  readonly op: "post" | "edit" | "remove" | "react" | "upload" | "open_thread";
  readonly channel: string;
  readonly text: string;
  readonly key: string | undefined;
}

/** What goes wrong with a call: refused in one of the known ways, carried out without a response, or neither carried out nor answered. */
export type Fault =
  | { readonly refuse: SendErrorKind; readonly retryAfterMs?: number }
  | "response lost"
  | "request lost";

export interface PlatformOptions {
  /** Characters of one message. */
  readonly textLimit?: number;
  readonly postIntervalMs?: number;
  readonly connectionIntervalMs?: number;
  readonly idempotentPosts?: boolean;
  readonly canEdit?: boolean;
  readonly persona?: Capabilities["persona"];
  readonly forms?: boolean;
  readonly threadsBeneath?: boolean;
  /** Where it says so it is another platform. */
  readonly name?: string;
}

/** How the ids of threads begin that were made on nobody's message. */
const made = "made-thread-";

/** A chat platform in memory, as strict and as unreliable as it is told to be. */
export function createPlatform(options: PlatformOptions = {}) {
  const textLimit = options.textLimit ?? 2_000;
  const messages = new Map<string, PlatformMessage>();
  const byKey = new Map<string, string>();
  const threads = new Map<string, { readonly channel: string; readonly name: string }>();
  const reactions: { channel: string; messageId: string; reaction: string }[] = [];
  const calls: PlatformCall[] = [];
  const holds = new Map<string, { promise: Promise<void>; release: () => void }>();
  let fault: (call: PlatformCall) => Fault | undefined = () => undefined;
  let lastId = 0;
  let lastThread = 0;

  async function carryOut(call: PlatformCall, effect: () => Receipt): Promise<Receipt> {
    calls.push(call);
    await holds.get(call.channel)?.promise;
    const wrong = fault(call);
    if (wrong === "request lost") return { outcome: "unknown", detail: "connection reset" };
    if (wrong !== undefined && wrong !== "response lost") {
      const { refuse: kind, retryAfterMs } = wrong;
      return { outcome: "failed", error: { kind, detail: `${kind} by the stand-in`, retryAfterMs } };
    }
    const receipt = effect();
    return wrong === "response lost" ? { outcome: "unknown", detail: "connection reset" } : receipt;
  }

  function add({ channel, thread }: Address, body: Partial<Post>, key: string, file?: string): Receipt {
    const known = byKey.get(key);
    if (options.idempotentPosts && known !== undefined) return { outcome: "delivered", messageId: known };
    if ((body.text ?? "").length > textLimit)
      return { outcome: "failed", error: { kind: "rejected", detail: "too long" } };
    // Some threads hang on messages; those that were made can also be deleted.
    if (thread?.startsWith(made) && !threads.has(thread)) return gone;
    lastId += 1;
    const id = `m${lastId}`;
    byKey.set(key, id);
    messages.set(id, { ...seen(id, channel, body, file), thread });
    return { outcome: "delivered", messageId: id };
  }

  const seen = (id: string, channel: string, body: Partial<Post>, file?: string): PlatformMessage => ({
    id,
    channel,
    thread: undefined,
    text: body.text ?? "",
    footer: body.footer,
    persona: body.persona,
    onlyFor: body.onlyFor,
    buttons: (body.buttons ?? []).flat(),
    selects: body.selects ?? [],
    links: body.links ?? [],
    replyTo: body.replyTo,
    notify: body.notify ?? false,
    file,
  });

  const gone: Receipt = { outcome: "failed", error: { kind: "gone", detail: "no such message" } };
  const adapter: Adapter = {
    platform: options.name ?? "stand-in",
    capabilities: {
      progress: everywhere("edit"),
      progressIntervalMs: everywhere(0),
      postIntervalMs: everywhere(options.postIntervalMs ?? 0),
      connectionIntervalMs: options.connectionIntervalMs ?? 0,
      limits: { fileInBytes: 1e6, fileOutBytes: 1e6, buttonLabel: 40 },
      idempotentPosts: options.idempotentPosts ?? false,
      persona: options.persona ?? "line",
      privatePosts: false,
      forms: options.forms ?? false,
      threadsBeneath: options.threadsBeneath ?? false,
    },
    connect: async () => ({ botId: "bot", name: "Shipmate", notes: [] }),
    start: async () => undefined,
    stop: async () => undefined,
    split: (post) => toParts(post, pieces(post.text, textLimit), options.persona === "native" ? "each" : "first"),
    post: (address, post, key) =>
      carryOut({ op: "post", channel: address.channel, text: post.text, key }, () => add(address, post, key)),
    openThread: ({ channel, thread }, title, key) =>
      carryOut({ op: "open_thread", channel, text: title, key }, () => {
        const known = options.idempotentPosts ? byKey.get(key) : undefined;
        if (thread === undefined && known === undefined) lastThread += 1;
        const id = thread ?? known ?? `${made}${lastThread}`;
        byKey.set(key, id);
        threads.set(id, { channel, name: title });
        return { outcome: "delivered", messageId: id };
      }),
    edit: ({ channel }, id, post) =>
      carryOut({ op: "edit", channel, text: post.text, key: undefined }, () => {
        if (!messages.has(id)) return gone;
        messages.set(id, { ...seen(id, channel, post), thread: messages.get(id)?.thread });
        return { outcome: "delivered", messageId: id };
      }),
    remove: ({ channel }, id) =>
      carryOut({ op: "remove", channel, text: "", key: undefined }, () => {
        messages.delete(id);
        return { outcome: "delivered", messageId: id };
      }),
    removeByButton: ({ channel }, test) =>
      carryOut({ op: "remove", channel, text: "", key: undefined }, () => {
        const found = [...messages.values()].find(({ buttons }) => buttons.some(({ token }) => test(token)));
        messages.delete(found?.id ?? "");
        return { outcome: "delivered", messageId: found?.id ?? "" };
      }),
    react: ({ channel }, messageId, reaction) =>
      carryOut({ op: "react", channel, text: reaction, key: undefined }, () => {
        reactions.push({ channel, messageId, reaction });
        return { outcome: "delivered", messageId };
      }),
    upload: (address, file, key) =>
      carryOut({ op: "upload", channel: address.channel, text: file.caption ?? "", key }, () =>
        add(address, { text: file.caption ?? "", notify: false, replyTo: file.replyTo }, key, file.name),
      ),
    link: ({ channel }, messageId) => `https://chat.example/${channel}/${messageId}`,
  };

  return {
    adapter,
    calls,
    reactions,
    /** The threads that were made, with their names. */
    threads,
    /** What stands in a place, oldest first. */
    seen: (channel: string) => [...messages.values()].filter((message) => message.channel === channel),
    texts: (channel: string) =>
      [...messages.values()].filter((message) => message.channel === channel).map((message) => message.text),
    /** An empty platform again, without faults. */
    clear(): void {
      messages.clear();
      threads.clear();
      reactions.length = 0;
      calls.length = 0;
      fault = () => undefined;
    },
    /** Decides for every call what goes wrong with it. */
    breaks(decide: (call: PlatformCall) => Fault | undefined): void {
      fault = decide;
    },
    /** The next calls go wrong like this, one after another. */
    breaksNext(...faults: readonly Fault[]): void {
      const left = [...faults];
      fault = () => left.shift();
    },
    works(): void {
      fault = () => undefined;
    },
    /** Calls in this place get no answer until the returned function is called. */
    holds(channel: string): () => void {
      let release = () => {};
      const promise = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.set(channel, { promise, release });
      return () => {
        holds.delete(channel);
        release();
      };
    },
  };
}

export type Platform = ReturnType<typeof createPlatform>;

function everywhere<T>(value: T): Record<PlaceKind, T> {
  return { dm: value, group: value, channel: value, forum: value };
}

function pieces(text: string, limit: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += limit) parts.push(text.slice(at, at + limit));
  return parts.length === 0 ? [text] : parts;
}
