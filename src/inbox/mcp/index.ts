/** The MCP servers: the list, and its buttons and forms. */
export { mcpActions, mcpForms } from "./actions.ts";
export { createMcpKeyPage } from "./key.ts";
export { mcpCommand } from "./mcp-command.ts";
export { stateWords as mcpStateWords } from "./server-words.ts";
export { tellMcp } from "./tell.ts";
