import type { Interaction } from "./events.ts";

/** What a button does is known only to us: the platform carries an opaque single-use token. */
export interface Button {
  readonly label: string;
  readonly token: string;
  readonly style?: "primary" | "danger" | undefined;
  /** A press opens a form (`AdapterDeps.form`) where the platform has them; the token then comes back as a `FormEvent`. */
  readonly opensForm?: boolean | undefined;
}

/** A button that opens an address and tells us nothing. */
export interface Link {
  readonly label: string;
  /** http or https. */
  readonly url: string;
}

/** One of several, from a list; where a platform has no lists, a button each. At most 25 options. */
export interface Select {
  /** What is chosen, as a short heading: at most 60 characters. */
  readonly label: string;
  readonly options: readonly SelectOption[];
}

export interface SelectOption {
  readonly label: string;
  readonly token: string;
  readonly description?: string | undefined;
  /** True for what holds now. */
  readonly current?: boolean | undefined;
}

/** Something a person writes: one field. */
export interface Form {
  /** At most 24 characters, which is what the narrowest platform shows. */
  readonly title: string;
  /** At most 45 characters. */
  readonly label: string;
  readonly value?: string | undefined;
  readonly long: boolean;
  readonly required: boolean;
}

/** Something to say, offered as a button. */
export interface Suggestion {
  readonly title: string;
  readonly text: string;
}

/** Who speaks. `picture` is an https address of an image, or one emoji. */
export interface Persona {
  readonly name: string;
  readonly picture?: string | undefined;
  /** True where the text tells anyway who speaks: no line says it where the platform does not show it by itself. */
  readonly unwritten?: boolean | undefined;
}

/** Shown to nobody else in a shared place. */
export interface OnlyFor {
  readonly userId: string;
  /** What it answers; some platforms show private posts only as an answer to something fresh. */
  readonly interaction?: Interaction | undefined;
}

/** One message we show. Its text is Markdown (GFM); each adapter renders it in its platform's own way. */
export interface Post {
  readonly text: string;
  /** Who speaks, where a place has several teammates or the platform shows personas. */
  readonly persona?: Persona | undefined;
  /** One dim line beneath the text, plain. */
  readonly footer?: string | undefined;
  /** Rows of buttons. */
  readonly buttons?: readonly (readonly Button[])[] | undefined;
  readonly selects?: readonly Select[] | undefined;
  /** Shown as buttons, in a row above the others. */
  readonly links?: readonly Link[] | undefined;
  /** The platform's id of the message this answers. */
  readonly replyTo?: string | undefined;
  /** True where a person should be notified: an answer, a failure, something that waits for them. */
  readonly notify: boolean;
  /** One person's alone, where the platform can (`privatePosts`); elsewhere everybody there sees it. */
  readonly onlyFor?: OnlyFor | undefined;
  /** Asks for a written reply to this very message, for platforms without forms. */
  readonly asksReply?: boolean | undefined;
}

/** A file we show; `path` is absolute and readable by this process. */
export interface OutboundFile {
  readonly path: string;
  readonly name: string;
  readonly mime?: string | undefined;
  readonly caption?: string | undefined;
  readonly replyTo?: string | undefined;
}

/** Receipts shown on a person's message, in the platform's own emoji. */
export type Reaction = "received" | "done" | "failed" | "stopped";
