import type { Action, FormAction } from "../action.ts";

/** What its buttons do, by the action of their tokens. */
export const instructionsActions: Readonly<Record<string, Action>> = {};

/** The buttons that ask for something written. */
export const instructionsForms: Readonly<Record<string, FormAction>> = {};
