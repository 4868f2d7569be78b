/** A teammate's own instructions: read, edited, uploaded, and what it changed itself. */
export { instructionsActions, instructionsForms } from "./actions.ts";
export { instructionsCommand } from "./instructions-command.ts";
