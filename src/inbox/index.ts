/**
 * The inbox room: what adapters hand over becomes stored messages and deliveries, or a stated reason why not.
 * Decides who may ask, who answers, what is one thought, and carries out commands, stop words and buttons.
 */
export { createKeyPage, showSignIn } from "./access/index.ts";
export { commandSpecs } from "./commands/menu.ts";
export { defaultLimits, type InboxDeps, type SystemLine } from "./deps.ts";
export { forgetEvents } from "./inbox.store.ts";
export { createInbox, type Inbox } from "./inbox.ts";
export { createMcpKeyPage, tellMcp } from "./mcp/index.ts";
export { type AskForJson, improveDraft } from "./profiles/index.ts";
export { createCalendarPage, createWebhookPage } from "./routines/index.ts";
export { forgetSeen } from "./seen.store.ts";
