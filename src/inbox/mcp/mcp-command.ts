import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const mcpCommand: Command<"mcp"> = {
  name: "mcp",
  who: "admin",
  run: async () => handled,
};
