/** What was used, by whom and of what is left. */
export { usageActions, usageForms } from "./actions.ts";
export { usageCommand } from "./usage-command.ts";
