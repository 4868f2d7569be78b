/** English: one file a topic. */

export * as mailbox from "./mailbox.ts";
export * as start from "./start.ts";
