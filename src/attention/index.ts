/**
 * The attention room: what waits for a person. Cards, single-use button tokens, decisions (the first one counts, from someone allowed,
 * on exactly what was shown), reminders, deadlines, and the rules that "Always" makes. Everything is read from rows: a restart loses nothing.
 */
export { type Attention, createAttention } from "./attention.ts";
export { forgetCardFiles } from "./card-files.ts";
export { peekToken, useToken } from "./press.ts";
export type { Answer, AnswerCheck, Question, QuestionOption } from "./question.ts";
export { listRules, matchingRule, matchingToolRule, revokeRule } from "./rules.ts";
export type { Secrets } from "./secrets.ts";
export { forgetTokens } from "./tokens.store.ts";
export { issueTokens, type NewTokens } from "./tokens.ts";
export type {
  ApprovalRule,
  AttentionDetails,
  AttentionItem,
  Decision,
  NewAttention,
  PressResult,
} from "./types.ts";
