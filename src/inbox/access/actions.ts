import type { Action, FormAction } from "../action.ts";
import { offerKeyPage } from "./key-page.ts";
import { cancelHeld, cancelSignIn, choosePayer, forgetKey, signOut, startSignIn, useKey } from "./login-actions.ts";
import { addBackup, backToOwnModel, removeBackup, setEffort, setModel, viewModel } from "./model-actions.ts";

/** What its buttons do, by the action of their tokens. */
export const accessActions: Readonly<Record<string, Action>> = {
  access_sign_in: startSignIn,
  access_sign_in_cancel: cancelSignIn,
  access_sign_out: signOut,
  access_set_key: offerKeyPage,
  access_forget_key: forgetKey,
  access_prefer: choosePayer,
  access_use_key: useKey,
  access_cancel: cancelHeld,
  access_model_view: viewModel,
  access_model: setModel,
  access_effort: setEffort,
  access_backup_add: addBackup,
  access_backup_remove: removeBackup,
  access_model_back: backToOwnModel,
};

/** None of them asks for something written: what is secret has a page, and models are chosen. */
export const accessForms: Readonly<Record<string, FormAction>> = {};
