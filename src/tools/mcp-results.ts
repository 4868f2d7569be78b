import type { McpChange, McpOutcome, McpServer, nameProblem, TypedProblem } from "../mcp/index.ts";

type Problem = TypedProblem | NonNullable<ReturnType<typeof nameProblem>>;

/** Servers as a teammate may know them: what they are called, how they are, what they offer. */
export function describeServers(servers: readonly McpServer[]): string {
  if (servers.length === 0) return "There are no MCP servers yet.";
  return servers.map((each) => `- ${describeServer(each)}`).join("\n");
}

function describeServer(server: McpServer): string {
  const whose = server.teammateId === null ? "everyone's" : "yours";
  const tools = server.tools.length === 0 ? "" : `; tools: ${server.tools.join(", ")}`;
  return `${server.name} (${whose}): ${stateText(server)}${tools}`;
}

function stateText({ enabled, state, failure }: McpServer): string {
  if (!enabled) return "switched off by a person";
  switch (state) {
    case "ready":
      return "ready";
    case "needs_secret":
      return "needs a key, which the owner sets with /mcp";
    case "needs_sign_in":
      return "needs a person to sign in, with /mcp";
    case "failed":
      return `does not work (${failure === null ? "unknown" : failureText(failure)})`;
    case "unknown":
      return "not tested yet";
  }
}

function failureText({ reason, detail }: NonNullable<McpServer["failure"]>): string {
  return detail === undefined ? reason.replaceAll("_", " ") : `${reason.replaceAll("_", " ")}: ${detail}`;
}

export function outcomeText(change: McpChange, outcome: McpOutcome, server: McpServer | undefined): string {
  switch (outcome.kind) {
    case "done":
      return doneText(change, outcome.dropped, server);
    case "unreachable":
      return `${change.kind === "test" ? "It could not be tested" : "Nothing was saved: the server could not be reached"} (${failureText(outcome.failure)}).`;
    case "name_taken":
      return "Nothing was saved: that name, or one that differs in a dash only, is taken.";
    case "too_many":
      return "Nothing was saved: there are 32 servers already, and that is the most.";
    case "gone":
    case "sign_in_over":
      return "Nothing was changed: the server was removed or changed meanwhile. Look with the action list.";
    case "denied":
      return "A person said no. Nothing was changed.";
  }
}

function doneText(change: McpChange, dropped: boolean, server: McpServer | undefined): string {
  if (server === undefined) return "The server is removed.";
  const keys = dropped ? " Its keys were removed, as they would have gone elsewhere." : "";
  const saved = change.kind === "test" ? "" : "Saved. Its tools are there from the next turn on. ";
  return `${saved}${describeServer(server)}.${keys}`;
}

export function problemText(problem: Problem): string {
  return `Nothing was changed: ${problems[problem]}`;
}

const problems: Readonly<Record<Problem, string>> = {
  name_letters: "a name has at most 32 small letters, digits, dashes and underscores.",
  name_reserved: "that name is reserved.",
  empty: "give a url or a command.",
  quote_open: "a quotation mark is not closed.",
  bad_address: "that is no address; it begins with http:// or https://.",
  bad_key_name: "that is no name for a key: a header's over HTTP, a variable's for a program.",
  key_in_clear: "that contains a key. Leave it out, name its place in keys, and the owner sets it with /mcp.",
  folder_relative: "the folder has to be absolute.",
  too_long: "something in it is too long, or no address.",
};
