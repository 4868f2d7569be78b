/** What a teammate remembers: the list, and its buttons and forms. */
export { memoryActions, memoryForms } from "./actions.ts";
export { memoryCommand, teammateHere } from "./memory-command.ts";
