/**
 * What people see of their colleagues: `/team`, `/agent`, the card that changes a profile, and the draft of somebody new.
 * Who may change what is the teammates room's to decide.
 */

export { profileActions, profileForms } from "./actions.ts";
export { agentCommand } from "./agent-command.ts";
export { type AskForJson, improveDraft } from "./better-draft.ts";
export { teamCommand } from "./team-command.ts";
export { teamLines } from "./team-lines.ts";
