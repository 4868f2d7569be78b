import type { Address, OutboundFile, Persona, PlaceKind, Post, Reaction } from "../chat/index.ts";
import type { Db, PostPurpose, Unit } from "../storage/index.ts";

/** Where a post goes: one bot identity, one place (and thread) there. */
export interface Destination {
  readonly connectionId: string;
  readonly address: Address;
  readonly placeKind: PlaceKind;
}

/** What an edit or a removal is about: one of our posts (its platform id is read when this is sent), or a message by its platform id. */
export type PostTarget = { readonly postId: string } | { readonly messageId: string };

/** A message whose id nobody knows, by the hash of the token that one of its buttons carries. */
interface ButtonTarget {
  readonly buttonHash: string;
}

export type Outgoing =
  | { readonly op: "post"; readonly post: Post }
  | { readonly op: "edit"; readonly target: PostTarget; readonly post: Post }
  | { readonly op: "remove"; readonly target: PostTarget | ButtonTarget }
  | { readonly op: "react"; readonly messageId: string; readonly reaction: Reaction }
  | { readonly op: "upload"; readonly file: OutboundFile }
  /** Makes a thread in the place, or renames the one of the address. */
  | { readonly op: "open_thread"; readonly title: string };

export type NewPost = Outgoing & {
  readonly to: Destination;
  readonly purpose: PostPurpose;
  /** Who speaks, shown only where the platform shows it by itself. A persona in the post is shown everywhere, as a line if need be. */
  readonly speaker?: Persona | undefined;
  /** Posts of one lane go out strictly one after another: `conversation:<id>`, `place:<id>`, `react:<message id>`, `live:<run id>`, `report:<routine id>:<place id>:<thread>` and others of one sender each. */
  readonly lane: string;
  /** A second post with the same key is the first one. */
  readonly dedupKey: string;
  readonly conversationId?: string | undefined;
  readonly runId?: string | undefined;
  readonly attentionId?: string | undefined;
  /** Sent only once that post was, and dropped when it was not: the removal of a live view waits for the answer. */
  readonly requiresPostId?: string | undefined;
  /** Goes into the thread that this post makes or begins, once it was sent; where it was not, to the address as it stands. */
  readonly threadPostId?: string | undefined;
  /** Where it takes several messages, the further ones go into the thread that the first one begins. */
  readonly restBeneath?: boolean | undefined;
};

/** One copy of a card, as the outbox knows it. */
export interface SentCard {
  readonly postId: string;
  readonly to: Destination;
  readonly lane: string;
  readonly conversationId: string | null;
  /** The platform's id, once it was sent. */
  readonly messageId: string | null;
}

export interface Sender {
  /** Takes nothing more, waits for what is being sent, and stores its receipts. */
  stop(): Promise<void>;
  /** Looks for posts now. */
  wake(): void;
  /** Resolves when nothing is being sent and nothing could be sent right now. */
  idle(): Promise<void>;
}

export interface Outbox {
  /**
   * Stores a post in the caller's transaction; the sender is woken after the commit. Every text is redacted, then cut by the adapter:
   * one row per message, in order. The same dedup key again changes nothing and returns the first ids.
   */
  enqueue(unit: Unit, post: NewPost): Promise<{ readonly postIds: readonly string[] }>;
  /** Sends what is due on this connection until it is stopped. One sender per connection: the caller holds its lease. */
  startSender(connectionId: string): Sender;
  /** At boot, before the sender starts: what was being sent when we ended may or may not have arrived. */
  recover(db: Db, connectionId: string): Promise<void>;
  /** The posts with the buttons of an attention item, oldest first. */
  cardsOf(db: Db, attentionId: string): Promise<readonly SentCard[]>;
  /** A place got another id: what waits for it goes there. */
  moveUnsent(unit: Unit, connectionId: string, from: string, to: string): Promise<void>;
}

/** Where the owner is told what could not be posted. */
export interface OwnerDirectory {
  owners(db: Db): Promise<readonly { readonly id: string; readonly locale: string | null }[]>;
  dmOf(db: Db, personId: string, connectionId?: string): Promise<Destination | null>;
}
