/**
 * The MCP room: servers that give teammates more tools, tested before they are saved. What is asked for is a row (a change) until it was
 * carried out where Codex is (`startMcpWork`); keys are sealed, and go to Codex with the settings of a thread (`setupFor`).
 */
export type { ChangeRow as McpChange } from "./changes.store.ts";
export { type KeyName, keyNames, leadsElsewhere, type McpConfig, nameProblem } from "./config.ts";
export type { McpFailure, McpOutcome, McpServer } from "./server.ts";
export { createMcpServers, type McpServers } from "./servers.ts";
export { type McpSetup, withoutAsking } from "./setup.ts";
export { shownPlace } from "./shown.ts";
export {
  addKeys,
  isReference,
  placeOf,
  readAddress,
  readProgram,
  readTyped,
  splitWords,
  type Typed,
  type TypedProblem,
} from "./typed.ts";
export { type McpNews, type McpWork, startMcpWork } from "./work.ts";
