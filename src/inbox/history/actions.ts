import type { Action, FormAction } from "../action.ts";

/** What its buttons do, by the action of their tokens. */
export const historyActions: Readonly<Record<string, Action>> = {};

/** The buttons that ask for something written. */
export const historyForms: Readonly<Record<string, FormAction>> = {};
