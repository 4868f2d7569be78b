/** An MCP server over its standard streams whose one tool, `survey`, asks for more than a card can show. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "survey", version: "1.0.0" });
const properties = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`q${index}`, { type: "string" as const, title: `Question ${index}` }]),
);
server.registerTool("survey", { description: "Asks a person twelve things." }, async () => {
  const requestedSchema = { type: "object" as const, properties };
  const { action } = await server.server.elicitInput({ mode: "form", message: "Twelve questions", requestedSchema });
  return { content: [{ type: "text", text: `survey: ${action}` }] };
});
await server.connect(new StdioServerTransport());
