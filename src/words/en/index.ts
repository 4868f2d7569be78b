/** English: one file a topic. */

export * as access from "./access.ts";
export * as approval from "./approval.ts";
export * as commands from "./commands.ts";
export * as deletion from "./deletion.ts";
export * as files from "./files.ts";
export * as history from "./history.ts";
export * as inbox from "./inbox.ts";
export * as instructions from "./instructions.ts";
export * as live from "./live.ts";
export * as mailbox from "./mailbox.ts";
export * as mcp from "./mcp.ts";
export * as memory from "./memory.ts";
export * as outbox from "./outbox.ts";
export * as pages from "./pages.ts";
export * as people from "./people.ts";
export * as places from "./places.ts";
export * as questions from "./questions.ts";
export * as routineTalk from "./routine-talk.ts";
export * as runs from "./runs.ts";
export * as skills from "./skills.ts";
export * as start from "./start.ts";
export * as teammates from "./teammates.ts";
export * as threads from "./threads.ts";
export * as usage from "./usage.ts";
