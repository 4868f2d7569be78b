/** What a conversation carries along. */
export { threadsActions, threadsForms } from "./actions.ts";
export { compactCommand } from "./compact-command.ts";
