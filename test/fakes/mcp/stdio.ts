/**
 * The echo server over its standard streams: `node test/fakes/mcp/stdio.ts [--needs NAME]`.
 * With `--needs` it only starts where the variable of that name holds "let-me-in-please".
 */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { stdioKey } from "./key.ts";
import { makeEchoServer } from "./tools.ts";

const needs = process.argv[2] === "--needs" ? process.argv[3] : undefined;
if (needs !== undefined && process.env[needs] !== stdioKey) {
  process.stderr.write(`${needs} is missing or wrong\n`);
  process.exit(1);
}
await makeEchoServer().connect(new StdioServerTransport());
