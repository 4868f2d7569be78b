import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/** What a tool was called with, as the server saw it. */
export interface McpCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the person answered, where the tool asked. */
  readonly answer?: ElicitResult | undefined;
}

/** The address the `consent` tool sends a person to. */
export const consentUrl = "https://accounts.example/consent?request=42";

/**
 * A server of three tools: `echo {text}` says it again, `ask {message}` asks a person to fill in a form, `consent {message}`
 * asks a person to open an address. `onCall` is told when a tool is done.
 */
export function makeEchoServer(onCall: (call: McpCall) => void = () => {}): McpServer {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Says it again.", inputSchema: { text: z.string() } },
    async ({ text }) => {
      onCall({ tool: "echo", args: { text } });
      return textResult(`echo: ${text}`);
    },
  );
  server.registerTool(
    "ask",
    { description: "Asks a person for an order.", inputSchema: { message: z.string() } },
    async ({ message }) => {
      const answer = await server.server.elicitInput({ mode: "form", message, requestedSchema: orderForm });
      onCall({ tool: "ask", args: { message }, answer });
      return textResult(`answer: ${JSON.stringify({ action: answer.action, content: answer.content ?? null })}`);
    },
  );
  server.registerTool(
    "consent",
    { description: "Asks a person for consent elsewhere.", inputSchema: { message: z.string() } },
    async ({ message }) => {
      const answer = await server.server.elicitInput({
        mode: "url",
        message,
        url: consentUrl,
        elicitationId: "consent-42",
      });
      onCall({ tool: "consent", args: { message }, answer });
      return textResult(`consent: ${answer.action}`);
    },
  );
  return server;
}

function textResult(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

/** One field of each kind that a form can have. */
const orderForm = {
  type: "object" as const,
  properties: {
    size: { type: "string" as const, title: "Size", enum: ["small", "large"], enumNames: ["Small", "Large"] },
    amount: { type: "integer" as const, title: "How many", minimum: 1, maximum: 9 },
    gift: { type: "boolean" as const, title: "As a gift", default: false },
    note: { type: "string" as const, title: "Note", maxLength: 100 },
  },
  required: ["size", "amount"],
};
