/** The MCP room: servers that give teammates more tools, tested before they are saved. */
export { createMcpServers, type McpServers, type McpSetup } from "./servers.ts";
