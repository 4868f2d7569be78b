import { type CodexConnection, CodexError, type JsonValue, type ServerRequest } from "../codex/index.ts";
import { redact } from "../shared/index.ts";
import type { McpFailure, Tested } from "./server.ts";
import { startupSeconds } from "./setup.ts";

type Requests = Pick<CodexConnection, "request" | "attach">;

export interface ProbeOptions {
  readonly name: string;
  /** As Codex takes it, with its keys. */
  readonly config: JsonValue;
  /** A folder that exists. */
  readonly folder: string;
  /** What happens with the thread while it is there. */
  readonly onSignedIn?: ((success: boolean) => void) | undefined;
}

/** A thread that has nothing but one server, to look at it through Codex's own eyes. */
export interface Probe extends AsyncDisposable {
  readonly threadId: string;
  test(): Promise<Tested>;
  /** Ends the thread, and with it the server's program. */
  close(): Promise<void>;
}

const answerMs = (startupSeconds + 10) * 1000;
const tidyMs = 5_000;

/** Codex keeps a thread's programs running until the thread is deleted, and deletes none that is ephemeral. */
export async function openProbe(codex: Requests, options: ProbeOptions): Promise<Probe> {
  const { name, config, folder } = options;
  const { thread } = await codex.request(
    "thread/start",
    {
      cwd: folder,
      sandbox: "read-only",
      approvalPolicy: "never",
      config: { [`mcp_servers.${name}`]: config, mcp_oauth_credentials_store: "file" },
    },
    { timeoutMs: answerMs },
  );
  const attachment = codex.attach(thread.id, {
    onNotification(notification) {
      if (notification.method === "mcpServer/oauthLogin/completed") options.onSignedIn?.(notification.params.success);
    },
    onRequest: (request: ServerRequest) => void request.refuse("Nobody is here: a server is being tested."),
  });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    attachment.detach();
    await codex.request("thread/delete", { threadId: thread.id }, { timeoutMs: tidyMs }).catch(ignoreGone);
  };
  return {
    threadId: thread.id,
    test: () => test(codex, thread.id, name),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A Codex that went away took the thread and its programs along. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof CodexError)) throw error;
}

/** Waits until the server started or did not, which Codex bounds by itself. */
async function test(codex: Requests, threadId: string, name: string): Promise<Tested> {
  const { data } = await codex.request(
    "mcpServerStatus/list",
    { threadId, serverName: name, detail: "toolsAndAuthOnly" },
    { timeoutMs: answerMs },
  );
  const server = data.find((each) => each.name === name);
  if (server === undefined) return { state: "failed", failure: { reason: "other" } };
  if (server.runtimeStatus === "authenticationRequired") {
    return { state: server.authStatus === "notLoggedIn" ? "needs_sign_in" : "needs_secret" };
  }
  if (server.toolsError !== null) return failed(server.toolsError);
  return { state: "ready", tools: Object.keys(server.tools).sort() };
}

const longestDetail = 300;

function failed(message: string): Tested {
  if (/Auth(?:orization)? required|\b40[13] (?:Unauthorized|Forbidden)|status(?: code)?:? 40[13]/iu.test(message)) {
    return { state: "needs_secret" };
  }
  const known = knownFailures.find(([pattern]) => pattern.test(message))?.[1];
  const failure: McpFailure = known === undefined ? { reason: "other", detail: lastPart(message) } : { reason: known };
  return { state: "failed", failure };
}

const knownFailures: readonly (readonly [RegExp, McpFailure["reason"]])[] = [
  [/No such file or directory|cannot find the (?:file|path)|Permission denied|program not found/iu, "no_program"],
  [/timed out|deadline has elapsed/iu, "too_slow"],
  [/connection closed: initialize|broken pipe/iu, "program_ended"],
  [/error sending request|dns error|connection refused|tcp connect/iu, "no_answer"],
  [/unexpected (?:content type|server response)|\b4\d\d |\b5\d\d |expect initialized|deserializ/iu, "bad_answer"],
];

/** Codex wraps what went wrong in the names of its own parts. */
function lastPart(message: string): string {
  const told = redact(message).replaceAll(/Transport \[[^\]]*\]+\s*/gu, "");
  const parts = told.split(/: /u);
  return parts.slice(-2).join(": ").slice(0, longestDetail);
}
