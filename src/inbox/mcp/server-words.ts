import { type KeyName, type McpFailure, type McpServer, shownPlace } from "../../mcp/index.ts";
import type { Words } from "../../words/index.ts";
import { plain } from "../scene.ts";

/** How a server is, in a few words. */
export function stateWords(server: Pick<McpServer, "enabled" | "state" | "failure" | "tools">, words: Words): string {
  const { mcp } = words;
  if (!server.enabled) return mcp.state.off;
  switch (server.state) {
    case "unknown":
      return mcp.state.unknown;
    case "ready":
      return mcp.state.ready(server.tools.length);
    case "needs_secret":
      return mcp.state.needs_secret;
    case "needs_sign_in":
      return mcp.state.needs_sign_in;
    case "failed":
      return mcp.state.failed(server.failure === null ? mcp.why.other(null) : failureWords(server.failure, words));
  }
}

export function failureWords({ reason, detail }: McpFailure, { mcp: { why } }: Words): string {
  switch (reason) {
    case "no_variable":
      return why.no_variable(plain(detail ?? ""));
    case "other":
      return why.other(detail === undefined ? null : plain(detail));
    default:
      return why[reason];
  }
}

export function keyWords(key: KeyName, { mcp }: Words): string {
  return key === null ? mcp.token : plain(key);
}

/** Where it is, as a line of Markdown that shows it letter by letter. */
export function whereWords({ config, folder }: Pick<McpServer, "config" | "folder">, { mcp }: Words): string {
  const place = plain(shownPlace(config));
  return folder === null ? place : mcp.runs(place, plain(folder));
}

/** Null where it is everybody's. */
export function whoseWords(
  { teammateId }: McpServer,
  names: ReadonlyMap<string, string>,
  { mcp }: Words,
): string | null {
  return teammateId === null ? null : mcp.forOne(plain(names.get(teammateId) ?? ""));
}
