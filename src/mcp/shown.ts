import { redact } from "../shared/index.ts";
import type { McpConfig } from "./config.ts";

/** Where a server is, as people may read it: the address without user, query and fragment, or the command line with known secrets masked. */
export function shownPlace(config: McpConfig): string {
  switch (config.transport) {
    case "http":
      return redact(config.url);
    case "stdio":
      return redact([config.command, ...config.args].map(asWord).join(" "));
  }
}

function asWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
