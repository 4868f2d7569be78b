/**
 * The access room: who pays for the model, decided before each run, and which model answers. `accounts` holds the plan and
 * the key as the worker last knew them; keys are sealed. `createAccess` decides; `createAccountWatch` learns from Codex.
 */
export {
  type Access,
  type AccessSettings,
  createAccess,
  isLeaveCause,
  type NoAccess,
  type UsableAccess,
} from "./access.ts";
export { cover, planWindows, prefer, readAccounts } from "./accounts.store.ts";
export { type Account, type Accounts, blockOf, firstOf, isThere, otherOf, type Payer, whoPays } from "./accounts.ts";
export {
  type Backup,
  changeBackups,
  isSameBackup,
  type ModelLeft,
  mostBackups,
  readBackups,
  saveLeft,
} from "./backups.store.ts";
export { createKeys, type Keys } from "./keys.ts";
export { type ListedModel, listModels } from "./models.store.ts";
export { askSignIn, endSignIn, type SignIn, setSignInPost } from "./sign-ins.store.ts";
export { createSignIns, endLateSignIns, type SignInProblem, type SignIns } from "./sign-ins.ts";
export { type AccountWatch, createAccountWatch } from "./watch.ts";
export type { PlanWindow } from "./windows.ts";
