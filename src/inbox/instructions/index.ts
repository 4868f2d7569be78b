/** A teammate's own instructions: read, edited, uploaded, and what it changed itself. */
export { instructionsActions, instructionsForms } from "./actions.ts";
export { expiry, longestForm, withFile } from "./card.ts";
export { instructionsCommand } from "./instructions-command.ts";
export { takeInstructionsFile } from "./saving.ts";
