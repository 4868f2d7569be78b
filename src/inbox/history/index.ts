/** What was said: finding it, and taking it back. */
export { historyActions, historyForms } from "./actions.ts";
export { deleteCommand } from "./delete-command.ts";
export { findAnswer } from "./erase.store.ts";
export { eraseAnswer, eraseMessage } from "./erase.ts";
export { historyCommand } from "./history-command.ts";
