import { sep } from "node:path";
import {
  addKeys,
  leadsElsewhere,
  type McpConfig,
  type McpServer,
  type McpServers,
  readAddress,
  readProgram,
  shownPlace,
  type Typed,
} from "../mcp/index.ts";
import { wordsFor } from "../words/index.ts";
import type { McpArgs } from "./mcp.ts";
import { problemText } from "./mcp-results.ts";

type Request = Parameters<McpServers["request"]>[1];

/** What a teammate wants, read and without anything secret. */
export interface ReadWish {
  readonly kind: "wish";
  readonly name: string;
  readonly request: Pick<Request, "proposal" | "serverId" | "baseRevision"> & {
    readonly kind: "add" | "change" | "remove";
  };
  readonly teammateId: string | null;
  /** As it is now; undefined where it is not there. */
  readonly server: McpServer | undefined;
}

export interface WishContext {
  readonly name: string;
  readonly server: McpServer | undefined;
  /** Whose wish it is. */
  readonly teammateId: string;
}

type Read = ReadWish | { readonly kind: "problem"; readonly text: string };

export function readWish(given: McpArgs, { name, server, teammateId }: WishContext): Read {
  if (given.action === "add" && server !== undefined) return problem("There is one of that name already. Use change.");
  if (given.action !== "add" && server === undefined) return problem("There is no such server of yours.");
  const whose =
    given.for === undefined
      ? (server?.teammateId ?? (server ? null : teammateId))
      : given.for === "me"
        ? teammateId
        : null;
  const about = server === undefined ? {} : { serverId: server.id, baseRevision: server.revision };
  if (given.action === "remove") {
    return { kind: "wish", name, teammateId: whose, server, request: { kind: "remove", ...about } };
  }
  const config = configOf(given, server);
  if (config.kind === "problem") return config;
  const proposal = { name, teammateId: whose, config: config.config };
  const kind = server === undefined ? ("add" as const) : ("change" as const);
  return { kind: "wish", name, teammateId: whose, server, request: { kind, ...about, proposal } };
}

function problem(text: string): { kind: "problem"; text: string } {
  return { kind: "problem", text };
}

function configOf(
  given: McpArgs,
  server: McpServer | undefined,
): { kind: "config"; config: McpConfig } | { kind: "problem"; text: string } {
  const place = placeOf(given, server);
  if (place === null) return problem("Give either a url or a command.");
  if (place.kind === "problem") return problem(problemText(place.problem));
  // What a card does not show is nothing anybody agreed to.
  if (place.secrets.url !== undefined) {
    return problem(
      "Give the address without user, password and query. Where it needs them, the owner adds it with /mcp.",
    );
  }
  const read = addKeys(
    place,
    (given.keys ?? []).map((name) => ({ name, value: "" })),
  );
  return read.kind === "problem" ? problem(problemText(read.problem)) : { kind: "config", config: read.config };
}

function placeOf({ url, command, args, folder }: McpArgs, server: McpServer | undefined): Typed | null {
  if ((url === undefined) === (command === undefined)) {
    const asItIs = url === undefined && args === undefined && folder === undefined ? server : undefined;
    return asItIs === undefined ? null : { kind: "config", config: asItIs.config, secrets: { values: {} } };
  }
  if (url !== undefined) return readAddress(url);
  return readProgram({ command: command ?? "", args: args ?? [], cwd: folder });
}

/** What the card says: exactly what is run or contacted, and for whom. */
export function wishCard(wish: ReadWish, whose: string | null): { readonly title: string; readonly details: string } {
  const { wish: words, token } = wordsFor(undefined).mcp;
  const { name, server, request } = wish;
  const title = words[request.kind](name);
  const { proposal } = request;
  if (proposal === undefined) return { title, details: words.removes };
  const { config } = proposal;
  const keys = config.transport === "http" ? [...(config.bearer ? [token] : []), ...config.headers] : config.env;
  const drops = server?.holdsSecrets === true && leadsElsewhere(server.config, config);
  const lines = [
    where(config),
    ...(liesInWorkspace(config) ? [words.inWorkspace] : []),
    ...(server === undefined ? [] : [words.before(shownPlace(server.config))]),
    ...(keys.length === 0 ? [] : [words.keys(keys)]),
    ...(drops ? [words.dropsKeys] : []),
    words.whose(whose),
  ];
  return { title, details: lines.join("\n") };
}

function where(config: McpConfig): string {
  const { wish: words } = wordsFor(undefined).mcp;
  const place = shownPlace(config);
  return config.transport === "http" ? words.contacts(place) : words.runs(place, config.cwd ?? words.ownFolder);
}

/** Whether a teammate could change what the program does, by writing where it works. */
function liesInWorkspace(config: McpConfig): boolean {
  if (config.transport === "http") return false;
  return [config.command, config.cwd ?? "", ...config.args].some((each) => each.split(sep).includes("workspaces"));
}
