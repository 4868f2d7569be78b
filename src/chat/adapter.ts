import type { InboundFile, Interaction, Sink } from "./events.ts";
import type { Address, PlaceKind } from "./place.ts";
import type { Form, OutboundFile, Post, Reaction, Suggestion } from "./post.ts";
import type { Receipt } from "./receipt.ts";

/** What a platform can do, as data. What it can do at all is a method that exists on its adapter. */
export interface Capabilities {
  /** How progress is shown, by kind of place: an animated draft, an edited message, a status line, or text that simply appears. */
  readonly progress: Readonly<Record<PlaceKind, "draft" | "edit" | "status" | "print">>;
  /** The shortest time between two changes of one live view, in milliseconds, by kind of place. */
  readonly progressIntervalMs: Readonly<Record<PlaceKind, number>>;
  /** The shortest time between two posts in one place, and between any two posts of the connection, in milliseconds. */
  readonly postIntervalMs: Readonly<Record<PlaceKind, number>>;
  readonly connectionIntervalMs: number;
  readonly limits: {
    /** Files we can take in and send out, in bytes. */
    readonly fileInBytes: number;
    readonly fileOutBytes: number;
    /** Characters of a button's label. */
    readonly buttonLabel: number;
  };
  /**
   * True where the same `post` may be sent again with the same key and appears once: by the platform's own key, or
   * because the adapter looks for the first copy when it is told that there may be one.
   */
  readonly idempotentPosts: boolean;
  /**
   * True where any message can have a thread beneath it that nobody sees until they open it: a long report stands in the
   * place as one message, and what more there is beneath it.
   */
  readonly threadsBeneath?: boolean | undefined;
  /** How a place is told who speaks: by the platform itself, or by a line in the text. */
  readonly persona: "native" | "line";
  /** True where a post can be shown to one person only in a shared place (`Post.onlyFor`). */
  readonly privatePosts: boolean;
  /** True where a button can open a form (`Button.opensForm`); elsewhere its press arrives as an ordinary one. */
  readonly forms: boolean;
  /**
   * True where an answer to a press is a message that its presser has to put away: what the card itself shows is not said
   * once more there.
   */
  readonly answersStay?: boolean | undefined;
  /** What people type before a command's name, where that is not "/". */
  readonly commandPrefix?: string | undefined;
}

/** Who we are on a connection, once it is up. */
export interface Account {
  readonly botId: string;
  readonly name: string;
  /** How a person writes to us. */
  readonly link?: string | undefined;
  /** Where the owner adds us to a place of theirs, where nobody can write to us before that. */
  readonly addLink?: string | undefined;
  /** What limits us here and how to mend it, in sentences for the owner. */
  readonly notes: readonly string[];
}

/** A command as the platform shows it. The everyday ones come first; those with `menu: false` work but stay out of short menus. */
export interface CommandSpec {
  readonly name: string;
  readonly description: string;
  readonly menu: boolean;
  /** What may follow the name, for platforms with fields: their values are joined by a space into `CommandEvent.argument`. */
  readonly fields: readonly CommandField[];
}

export interface CommandField {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Values are offered while somebody types. */
  readonly completes?: Completion | undefined;
}

/** What can be completed. */
export type Completion = "teammate" | "skill" | "model" | "routine";

/** A message that was said before, as a platform's history tells it. Text from outside. */
export interface PastMessage {
  readonly messageId: string;
  readonly authorName: string;
  readonly authorKind: "person" | "bot" | "us";
  readonly text: string;
  readonly sentAt: Date;
}

/** Where we were last seen to listen: what was said there since then may have been missed. */
export interface KnownPlace {
  readonly channel: string;
  readonly kind: PlaceKind;
  /** Threads in it that are ours and were used lately. */
  readonly threads: readonly string[];
  /** When the last event from there was stored, and never longer ago than we would still answer. */
  readonly since: Date;
}

/** What the adapter keeps between starts; the connection's row holds it. */
export interface AdapterState {
  load(key: string): Promise<string | undefined>;
  save(key: string, value: string): Promise<void>;
}

export type ConnectionState =
  | "connecting"
  | "connected"
  | "reconnecting"
  | "rate_limited"
  | "misconfigured"
  | "stopped";

/** Told whenever the connection changes; `detail` is a sentence for the owner that says what to do. */
export type StateListener = (state: ConnectionState, detail?: string) => void;

/** The same listener, told only of what is not as it was. */
export function onlyChanges(listener: StateListener): StateListener {
  let last: string | undefined;
  return (state, detail) => {
    const now = `${state} ${detail ?? ""}`;
    if (now === last) return;
    last = now;
    listener(state, detail);
  };
}

/** The part of the process log an adapter uses. */
export interface AdapterLog {
  warn(data: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * One bot identity on one platform. Sending works without `start`; `start` begins to receive.
 * No method throws for what the platform answered: that is a receipt.
 */
export interface Adapter {
  readonly platform: string;
  readonly capabilities: Capabilities;

  /** Signs in without receiving. Rejects with a `ConnectionError` when the token is wrong. */
  connect(): Promise<Account>;
  /** Receives until `stop`. Every event is handed to the sink, in order per place, and confirmed to the platform only after it resolved. */
  start(sink: Sink): Promise<void>;
  stop(): Promise<void>;

  /** Cuts a post into posts that each fit one message when rendered. Pure. Buttons and footer go to the last part. */
  split(post: Post): readonly Post[];
  /**
   * Sends one post that fits. `key` is stable over retries, at most 25 characters, for platforms with idempotency keys.
   * `again`: an earlier try may have arrived, perhaps before a restart.
   */
  post(address: Address, post: Post, key: string, again?: boolean): Promise<Receipt>;
  edit?(address: Address, messageId: string, post: Post): Promise<Receipt>;
  remove?(address: Address, messageId: string): Promise<Receipt>;
  /**
   * Removes our message with a button whose token passes the test, where its id is not known; `delivered` too where there is
   * none among the latest messages, or where we may not read them.
   */
  removeByButton?(address: Address, test: (token: string) => boolean): Promise<Receipt>;
  react?(address: Address, messageId: string, reaction: Reaction): Promise<Receipt>;
  upload?(address: Address, file: OutboundFile, key: string): Promise<Receipt>;
  /**
   * Makes a thread of that name in a place; the receipt's message id is the thread's. With a thread in the address that one
   * gets the name. `key` and `again` as with `post`.
   */
  openThread?(address: Address, title: string, key: string, again?: boolean): Promise<Receipt>;
  /** A live preview of an answer in the making (Markdown); the same id animates. Never a message of its own. */
  draft?(address: Address, draftId: number, text: string): Promise<Receipt>;
  /** One line that says what we are doing, beside the conversation; null takes it away. A post takes it away too. */
  status?(address: Address, line: string | null): Promise<Receipt>;
  /** Shows that we are busy, for a few seconds. */
  typing?(address: Address): Promise<void>;
  /** Answers an interaction at once, to its presser only; without a text it only stops the spinner. With `stays`, until they took note. */
  answer?(interaction: Interaction, text?: string, stays?: boolean): Promise<void>;
  /** The bytes of a file somebody sent. Rejects with a `DownloadError`. */
  download?(file: Pick<InboundFile, "id">, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** A link that opens a message, where the platform has them. */
  link?(address: Address, messageId: string): string | undefined;
  /** At most `limit` messages said in a thread (or channel) before that one, oldest first. Rejects when they cannot be had. */
  history?(address: Address, before: string, limit: number, signal: AbortSignal): Promise<readonly PastMessage[]>;
  /** Shows a person their own page, where the platform has one (`HomeEvent`): these posts, one under another. */
  home?(userId: string, page: readonly Post[]): Promise<Receipt>;
  /** Offers first things to say in an empty conversation (`HomeEvent` with `conversation`). */
  suggest?(address: Address, suggestions: readonly Suggestion[]): Promise<Receipt>;
}

/** What an adapter is made with. */
export interface AdapterDeps {
  readonly state: AdapterState;
  readonly commands: readonly CommandSpec[];
  readonly onState: StateListener;
  /** The places of this connection, for catching up. Ask before receiving begins: each stored event moves `since`. */
  known(): Promise<readonly KnownPlace[]>;
  /** The form that a button with `opensForm` opens, filled in as things stand; undefined when it is of no use to this person any more. */
  form(token: string, userId: string): Promise<Form | undefined>;
  /** Values for a field that somebody is typing in, best first, at most 25. Nothing for strangers. */
  complete(what: Completion, typed: string, userId: string): Promise<readonly string[]>;
  /** Whether this person may ask there as things stand: nobody has us show a question who may not. */
  mayAsk(place: Address, userId: string): Promise<boolean>;
}

/** The connection cannot work as configured; the message says what to do. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly kind: "invalid_token" | "unreachable";
  constructor(kind: "invalid_token" | "unreachable", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** A file could not be fetched; `kind` says why, in terms a person understands. */
export class DownloadError extends Error {
  override readonly name = "DownloadError";
  readonly kind: "too_large" | "gone" | "unavailable";
  constructor(kind: "too_large" | "gone" | "unavailable", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
