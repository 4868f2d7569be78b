/** Signing in, keys, and which model answers. */
export { accessActions, accessForms } from "./actions.ts";
export { createKeyPage } from "./key-page.ts";
export { loginCommand } from "./login-command.ts";
export { modelCommand } from "./model-command.ts";
export { isKeyAlone, keepKeyOut } from "./pasted-key.ts";
export { showSignIn } from "./sign-in-card.ts";
