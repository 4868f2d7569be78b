/**
 * A real MCP server with a few tools, made with the official SDK: over standard streams and over HTTP on loopback.
 * `mcpStdio()` gives the command that runs it, `startMcpHttp({ bearer })` starts one here. Its tools: see `makeEchoServer`.
 */
import { fileURLToPath } from "node:url";

export { type McpHttpServer, startMcpHttp } from "./http.ts";
export { stdioKey } from "./key.ts";
export { consentUrl } from "./tools.ts";

/** The command that runs the server on standard streams; with `needs`, only where that variable holds `stdioKey`. */
export function mcpStdio(needs?: string): { readonly command: string; readonly args: readonly string[] } {
  const script = fileURLToPath(new URL("stdio.ts", import.meta.url));
  return { command: process.execPath, args: needs === undefined ? [script] : [script, "--needs", needs] };
}
