/** The MCP servers: the list, and its buttons and forms. */
export { mcpActions, mcpForms } from "./actions.ts";
export { mcpCommand } from "./mcp-command.ts";
