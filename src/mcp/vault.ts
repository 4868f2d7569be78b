import type { Log, Seal } from "../shared/index.ts";
import { type McpSecrets, mcpSecretsSchema, noSecrets } from "./config.ts";

/** Keys of servers, as they are stored. */
export interface Vault {
  close(secrets: McpSecrets): Buffer | null;
  open(sealed: Buffer | null): McpSecrets;
}

export function createVault({ seal, log }: { readonly seal: Seal; readonly log: Log }): Vault {
  return {
    close(secrets) {
      const isEmpty =
        Object.keys(secrets.values).length === 0 && secrets.bearer === undefined && secrets.url === undefined;
      return isEmpty ? null : seal.close(JSON.stringify(secrets));
    },
    open(sealed) {
      if (sealed === null) return noSecrets;
      try {
        return mcpSecretsSchema.parse(JSON.parse(seal.open(sealed)));
      } catch (error) {
        // The data folder got another key: the servers are there, and each says that its own is missing.
        log.error({ err: error }, "the keys of an MCP server cannot be read any more; they have to be set again");
        return noSecrets;
      }
    },
  };
}
