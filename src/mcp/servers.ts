import type { JsonValue } from "../codex/index.ts";
import type { Db } from "../storage/index.ts";

/** The MCP servers of one teammate's threads. */
export interface McpSetup {
  /** As Codex takes them (`mcp_servers.…`). Holds their secrets: never log it. */
  readonly config: Readonly<Record<string, JsonValue>>;
  /** Changes exactly when the set or a setting does; "" without any. */
  readonly fingerprint: string;
}

export interface McpServers {
  setupFor(db: Db, teammateId: string): Promise<McpSetup>;
}

export function createMcpServers(): McpServers {
  return { setupFor: async () => ({ config: {}, fingerprint: "" }) };
}
