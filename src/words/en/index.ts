/** English: one file a topic. */
export * as start from "./start.ts";
