import type { Action, FormAction } from "../action.ts";

/** What its buttons do, by the action of their tokens. */
export const threadsActions: Readonly<Record<string, Action>> = {};

/** The buttons that ask for something written. */
export const threadsForms: Readonly<Record<string, FormAction>> = {};
