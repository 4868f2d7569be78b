/** What a button does is known only to us: the platform carries an opaque single-use token. */
export interface Button {
  readonly label: string;
  readonly token: string;
  readonly style?: "primary" | "danger" | undefined;
}

/** One message we show. Its text is Markdown (GFM); each adapter renders it in its platform's own way. */
export interface Post {
  readonly text: string;
  /** Who speaks, where a place has several teammates or the platform shows personas. */
  readonly persona?: string | undefined;
  /** One dim line beneath the text, plain. */
  readonly footer?: string | undefined;
  /** Rows of buttons. */
  readonly buttons?: readonly (readonly Button[])[] | undefined;
  /** The platform's id of the message this answers. */
  readonly replyTo?: string | undefined;
  /** True where a person should be notified: an answer, a failure, something that waits for them. */
  readonly notify: boolean;
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
