/**
 * The tools room: what a teammate can call while it works, one file a tool.
 * A tool checks its arguments and says its result in a sentence; what it needs of the house comes in its context.
 */
export type { ToolRooms } from "./rooms.ts";
export type {
  ApprovalRequest,
  OutgoingFile,
  OutgoingFiles,
  QuestionRequest,
  RoutineProposal,
  RoutineRunNotes,
  ToolAnswers,
  ToolContext,
  ToolDecision,
  ToolQuestion,
  ToolResult,
} from "./tool.ts";
export { createTools, type Tools, toolNamespace } from "./tools.ts";
