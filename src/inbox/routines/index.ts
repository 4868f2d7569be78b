/** Work that happens by itself, as people see and press it: `/routine`, `/routines`, the card of a new one, the list, and the log. */
export { routinesActions, routinesForms } from "./actions.ts";
export { verbs } from "./by-command.ts";
export { createCalendarPage } from "./calendar.ts";
export { checkInDraft, mayCheckIn } from "./check-in.ts";
export { routineCommand } from "./routine-command.ts";
export { routinesCommand } from "./routines-command.ts";
export { createWebhookPage } from "./webhook-page.ts";
