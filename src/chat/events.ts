import type { Author, InboundPlace } from "./place.ts";

/** A file somebody sent. The bytes are fetched later with `Adapter.download`; size is in bytes. */
export interface InboundFile {
  /** What the adapter needs to fetch it again, also after a restart. */
  readonly id: string;
  readonly name: string;
  readonly mime?: string | undefined;
  readonly size?: number | undefined;
  readonly kind: "photo" | "document" | "voice" | "audio" | "video";
}

/** The message that another one answers. */
export interface Quote {
  readonly messageId: string;
  readonly text?: string | undefined;
  readonly authorName?: string | undefined;
  /** True where the quoted message is one of ours. */
  readonly fromUs: boolean;
}

/**
 * How a message was addressed to us: a direct message, our name, a reply to one of our messages, or not at all
 * (`ambient`). Whether it goes on in a thread of ours is the core's business: only it remembers which those are.
 */
export type Addressing = "direct" | "mention" | "reply" | "ambient";

/** Messages with the same `key` that arrive within `waitMs` of each other are one thought: an album, or a paste the client cut in two. */
export interface Collect {
  readonly key: string;
  readonly kind: "album" | "paste";
  readonly waitMs: number;
}

interface EventBase {
  /** Unique per connection for ever; a second event with the same key is dropped. */
  readonly key: string;
  readonly place: InboundPlace;
}

export interface MessageEvent extends EventBase {
  readonly kind: "message";
  readonly author: Author;
  readonly messageId: string;
  /** Plain text or Markdown, our own mention removed, up to 100,000 characters. */
  readonly text: string;
  readonly sentAt: Date;
  readonly addressed: Addressing;
  /** True where it mentions somebody else and not us: then it is hardly meant for us, even in a thread of ours. */
  readonly mentionsOthers?: boolean | undefined;
  readonly quote?: Quote | undefined;
  /** Who wrote the text first, when this is a forwarded message: then it is not the sender's own word. */
  readonly forwardedFrom?: string | undefined;
  readonly files: readonly InboundFile[];
  readonly collect?: Collect | undefined;
}

/** A command: `/name argument` where the platform has them as text, or a native one. Names are lower-case, without the slash. */
export interface CommandEvent extends EventBase {
  readonly kind: "command";
  readonly author: Author;
  readonly messageId?: string | undefined;
  readonly name: string;
  readonly argument: string;
  readonly sentAt: Date;
  readonly interaction?: Interaction | undefined;
  /** The message a command was given on ("Ask about this"). */
  readonly quote?: Quote | undefined;
  readonly files?: readonly InboundFile[] | undefined;
  /** True where the platform takes no commands inside threads: it is about every thread of the place then. */
  readonly wholePlace?: boolean | undefined;
}

export interface EditEvent extends EventBase {
  readonly kind: "edit";
  readonly author: Author;
  readonly messageId: string;
  readonly text: string;
  readonly editedAt: Date;
}

export interface DeletionEvent extends EventBase {
  readonly kind: "deletion";
  readonly messageId: string;
}

/** A press on one of our buttons. */
export interface ButtonEvent extends EventBase {
  readonly kind: "button";
  readonly author: Author;
  readonly messageId: string;
  readonly token: string;
  readonly interaction: Interaction;
  /** True where only the presser sees the message with the button. */
  readonly private?: boolean | undefined;
}

/** A form was filled in that one of our buttons had opened. */
export interface FormEvent extends EventBase {
  readonly kind: "form";
  readonly author: Author;
  /** The message with the button; absent where the platform does not say. */
  readonly messageId?: string | undefined;
  readonly token: string;
  /** What was written, up to 4,000 characters. */
  readonly value: string;
  readonly interaction: Interaction;
  readonly private?: boolean | undefined;
}

/** Somebody opened their own page with us, or an empty conversation. */
export interface HomeEvent extends EventBase {
  readonly kind: "home";
  readonly author: Author;
  readonly shows: "page" | "conversation";
}

/** The platform's own stop control on a native draft (`Adapter.draft`). */
export interface StopEvent extends EventBase {
  readonly kind: "stop";
  readonly author: Author;
  readonly draftId: number;
}

/** We were added to a place, removed from it, or the place got another id. */
export interface MembershipEvent extends EventBase {
  readonly kind: "membership";
  readonly author: Author;
  readonly change: "added" | "removed" | "moved";
  /** The new channel id, for `moved`. */
  readonly movedTo?: string | undefined;
}

/** Something that the platform wants answered at once, such as the press of a button. Only its adapter knows what is inside. */
export interface Interaction {
  readonly id: string;
  readonly payload?: string | undefined;
}

export type InboundEvent =
  | MessageEvent
  | CommandEvent
  | EditEvent
  | DeletionEvent
  | ButtonEvent
  | FormEvent
  | HomeEvent
  | StopEvent
  | MembershipEvent;

/**
 * Takes an event over. Resolves once it is stored; until then the adapter must not tell the platform
 * that it was received. Rejects when storing failed: the adapter then offers the same event again.
 */
export type Sink = (event: InboundEvent) => Promise<void>;
