/**
 * Writes src/codex/protocol from the pinned Codex binary's own generator: `npm run generate:protocol [folder]`.
 * Only what is reachable from the lists below is kept, so that a new Codex version shows up as a readable diff.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { findCodexBinary } from "../src/codex/binary.ts";

/** Requests we send; the value names the response type where it does not follow from the name of the parameters. */
const requests: Readonly<Record<string, string | undefined>> = {
  initialize: undefined,
  "server/diagnostics": undefined,
  "thread/start": undefined,
  "thread/resume": undefined,
  "thread/fork": undefined,
  "thread/archive": undefined,
  "thread/unarchive": undefined,
  "thread/delete": undefined,
  "thread/unsubscribe": undefined,
  "thread/name/set": undefined,
  "thread/settings/update": undefined,
  "thread/read": undefined,
  "thread/list": undefined,
  "thread/loaded/list": undefined,
  "thread/turns/list": undefined,
  "thread/items/list": undefined,
  "thread/compact/start": undefined,
  "thread/inject_items": undefined,
  "thread/backgroundTerminals/clean": undefined,
  "thread/backgroundTerminals/list": undefined,
  "thread/backgroundTerminals/terminate": undefined,
  "turn/start": undefined,
  "turn/steer": undefined,
  "turn/interrupt": undefined,
  "skills/list": undefined,
  "fs/readFile": undefined,
  "fs/writeFile": undefined,
  "fs/createDirectory": undefined,
  "fs/getMetadata": undefined,
  "fs/readDirectory": undefined,
  "fs/remove": undefined,
  "fs/copy": undefined,
  "model/list": undefined,
  "config/read": undefined,
  "account/read": undefined,
  "account/login/start": undefined,
  "account/login/cancel": undefined,
  "account/logout": "LogoutAccountResponse",
  "account/rateLimits/read": "GetAccountRateLimitsResponse",
  "mcpServerStatus/list": undefined,
  "mcpServer/oauth/login": undefined,
  "config/mcpServer/reload": "McpServerRefreshResponse",
};

/** Notifications we read. All others are switched off at the handshake: they would only cost time. */
const notifications: ReadonlySet<string> = new Set([
  "error",
  "warning",
  "guardianWarning",
  "configWarning",
  "deprecationNotice",
  "thread/started",
  "thread/status/changed",
  "thread/closed",
  "thread/name/updated",
  "thread/settings/updated",
  "thread/tokenUsage/updated",
  "thread/compacted",
  "turn/started",
  "turn/completed",
  "turn/plan/updated",
  "turn/diff/updated",
  "item/started",
  "item/completed",
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/commandExecution/outputDelta",
  "item/fileChange/patchUpdated",
  "item/mcpToolCall/progress",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/summaryPartAdded",
  "serverRequest/resolved",
  "model/rerouted",
  "skills/changed",
  "account/updated",
  "account/rateLimits/updated",
  "account/login/completed",
  "mcpServer/startupStatus/updated",
  "mcpServer/oauthLogin/completed",
]);

/** Types that code outside the three unions names. */
const extraTypes: readonly string[] = [];

const header = `// Generated from "codex app-server generate-ts --experimental" by npm run generate:protocol. Do not edit.\n`;

interface Member {
  method: string;
  params: string;
}

const folder = process.argv[2] ?? join(import.meta.dirname, "../src/codex/protocol");
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeProtocol(folder);

function writeProtocol(target: string): void {
  const binary = findCodexBinary();
  const work = mkdtempSync(join(tmpdir(), "shipmate-protocol-"));
  try {
    execFileSync(binary.path, ["app-server", "generate-ts", "--experimental", "--out", work], { stdio: "ignore" });
    const sources = readSources(work);
    const maps = describeMethods(sources);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "types.ts"), collectTypes(sources, maps.roots));
    writeFileSync(join(target, "methods.ts"), maps.text);
    writeFileSync(join(target, "version.ts"), versionFile(binary.version));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Every generated declaration by its type name. A few names exist twice, in the root and in v2, with different meanings;
 * the root's one is then called `RootName`.
 */
function readSources(work: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const path of readdirSync(work, { recursive: true, encoding: "utf8" })) {
    if (path.endsWith(".ts") && !path.endsWith("index.ts")) files.set(path, readFileSync(join(work, path), "utf8"));
  }
  const sources = new Map<string, string>();
  for (const [path, source] of files) {
    const name = typeName(path, files);
    if (sources.has(name)) throw new Error(`Codex generates two types named ${name}.`);
    sources.set(name, renameDuplicates(path, source, files));
  }
  return sources;
}

function typeName(path: string, files: ReadonlyMap<string, string>): string {
  const name = basename(path, ".ts");
  return path === `${name}.ts` && files.has(join("v2", path)) ? `Root${name}` : name;
}

/** Makes a declaration use the unique names: its own, and those of what it imports. */
function renameDuplicates(path: string, source: string, files: ReadonlyMap<string, string>): string {
  const own = `export type ${basename(path, ".ts")} `;
  let result = source.replace(own, `export type ${typeName(path, files)} `);
  for (const [, name = "", from = ""] of source.matchAll(/^import type \{ (\w+) \} from "([^"]+)"/gm)) {
    const unique = typeName(join(dirname(path), `${from}.ts`), files);
    if (unique !== name) result = result.replaceAll(new RegExp(`(?<!")\\b${name}\\b(?!")`, "g"), unique);
  }
  return result;
}

function describeMethods(sources: Map<string, string>): { text: string; roots: string[] } {
  const requestMembers = pick(members(sources, "ClientRequest"), new Set(Object.keys(requests)), "request");
  const allNotifications = members(sources, "ServerNotification");
  const notificationMembers = pick(allNotifications, notifications, "notification");
  const serverMembers = members(sources, "ServerRequest");
  const requestLines = requestMembers.map((member) =>
    pairLine(sources, member, requests[member.method] ?? responseName(member.params)),
  );
  const serverLines = serverMembers.map((member) => pairLine(sources, member, responseName(member.params)));
  const notificationLines = notificationMembers.map(({ method, params }) => `  "${method}": ${params};`);
  const unread = allNotifications.map(({ method }) => method).filter((method) => !notifications.has(method));
  const body = [
    "/** Requests that we send. */",
    `export interface Methods {\n${requestLines.join("\n")}\n}`,
    "/** Requests that Codex sends and that must be answered. */",
    `export interface ServerRequests {\n${serverLines.join("\n")}\n}`,
    "/** Notifications that we read. */",
    `export interface Notifications {\n${notificationLines.join("\n")}\n}`,
    list("serverRequestMethods", "Every request Codex may send.", serverMembers, "keyof ServerRequests"),
    list("notificationMethods", "Every notification we read.", notificationMembers, "keyof Notifications"),
    list(
      "unreadNotificationMethods",
      "Notifications Codex knows and we do not read.",
      unread.map((method) => ({ method })),
      "string",
    ),
  ].join("\n\n");
  const names = [...new Set(body.match(/\b[A-Z][A-Za-z0-9]+\b/g) ?? [])].filter((name) => sources.has(name)).sort();
  const imports = `import type {\n${names.map((name) => `  ${name},`).join("\n")}\n} from "./types.ts";\n`;
  return { text: `${header}${imports}\n${body}\n`, roots: [...names, ...extraTypes] };
}

/** Reads `{ "method": "a/b", id: RequestId, params: Type }` members out of a generated union. */
function members(sources: Map<string, string>, union: string): Member[] {
  const source = sources.get(union);
  if (source === undefined) throw new Error(`Codex no longer generates ${union}.`);
  const pattern = /"method": "([^"]+)"(?:, id: RequestId)?, "?params"?\??: ([A-Za-z0-9]+)/g;
  return Array.from(source.matchAll(pattern), ([, method = "", params = ""]) => ({ method, params }));
}

function pick(all: readonly Member[], wanted: ReadonlySet<string>, noun: string): Member[] {
  const known = new Set(all.map(({ method }) => method));
  const gone = [...wanted].filter((method) => !known.has(method));
  if (gone.length > 0) throw new Error(`This Codex has no ${noun} ${gone.join(", ")}.`);
  return all.filter(({ method }) => wanted.has(method));
}

function responseName(params: string): string {
  return params.replace(/Params$/, "Response");
}

function pairLine(sources: Map<string, string>, { method, params }: Member, result: string): string {
  if (!sources.has(result))
    throw new Error(`Codex generates no ${result} for ${method}; name its response in the list.`);
  return `  "${method}": { params: ${params}; result: ${result} };`;
}

function list(name: string, doc: string, entries: readonly { method: string }[], type: string): string {
  const lines = entries.map(({ method }) => `  "${method}",`);
  return `/** ${doc} */\nexport const ${name}: readonly (${type})[] = [\n${lines.join("\n")}\n];`;
}

function collectTypes(sources: Map<string, string>, roots: readonly string[]): string {
  const wanted = new Set<string>();
  const queue = [...roots];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    const source = sources.get(name);
    if (source === undefined) throw new Error(`Codex generates no type ${name}.`);
    queue.push(...Array.from(source.matchAll(/^import type \{ (\w+) \}/gm), ([, imported = ""]) => imported));
  }
  const declarations = [...wanted].sort().map((name) => declaration(sources.get(name) ?? ""));
  return `${header}\n${declarations.join("\n\n")}\n`;
}

function declaration(source: string): string {
  return source
    .split("\n")
    .filter((line) => !line.startsWith("import ") && !line.startsWith("// "))
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

function versionFile(version: string | undefined): string {
  if (version === undefined) throw new Error("The installed Codex does not tell its version.");
  return `${header}\n/** The Codex version these types were made from. */\nexport const protocolVersion = "${version}";\n`;
}
