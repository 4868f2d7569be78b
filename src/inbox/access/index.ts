/** Signing in, keys, and which model answers. */
export { accessActions, accessForms } from "./actions.ts";
export { loginCommand } from "./login-command.ts";
export { modelCommand } from "./model-command.ts";
