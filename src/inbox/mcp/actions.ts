import type { Action, FormAction } from "../action.ts";

/** What its buttons do, by the action of their tokens. */
export const mcpActions: Readonly<Record<string, Action>> = {};

/** The buttons that ask for something written. */
export const mcpForms: Readonly<Record<string, FormAction>> = {};
