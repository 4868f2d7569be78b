/**
 * The outbox room: everything we show in a place, stored before it is sent. Keeps the order of each lane, paces each place
 * and each connection, and decides what a lost response means. It does not know why a post exists.
 */
export { createOutbox } from "./outbox.ts";
export { forgetPosts } from "./posts.store.ts";
export type { Destination, NewPost, Outbox, Sender, SentCard } from "./types.ts";
