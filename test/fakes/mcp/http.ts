import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { makeSignIn, type SignIn } from "./sign-in.ts";
import { type McpCall, makeEchoServer } from "./tools.ts";

export interface McpHttpOptions {
  /** Only who sends this as a bearer token is let in. */
  readonly bearer?: string | undefined;
  /** Only who sends these headers is let in; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Only who signed in (OAuth, here on the same address) is let in. */
  readonly signIn?: boolean | undefined;
}

/** The echo server over HTTP, on loopback. */
export interface McpHttpServer extends AsyncDisposable {
  /** Where it answers, such as `http://127.0.0.1:1234/mcp`. */
  readonly url: string;
  /** Calls of its tools, in order. */
  readonly calls: readonly McpCall[];
  /** Requests that were let in and such that were not. */
  readonly requests: { readonly taken: number; readonly refused: number };
  /** From now on another token is wanted; undefined: none. */
  want(bearer: string | undefined): void;
  close(): Promise<void>;
}

export async function startMcpHttp(options: McpHttpOptions = {}): Promise<McpHttpServer> {
  const calls: McpCall[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let wanted = options.bearer;
  let signIn: SignIn | undefined;
  let taken = 0;
  let refused = 0;

  function isLetIn({ headers }: IncomingMessage): boolean {
    if (wanted !== undefined && headers.authorization !== `Bearer ${wanted}`) return false;
    return Object.entries(options.headers ?? {}).every(([name, value]) => headers[name] === value);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (await signIn?.answer(url, request, response)) return;
    if (url.pathname !== "/mcp") {
      response.writeHead(404).end();
      return;
    }
    if (!isLetIn(request)) {
      refused += 1;
      response.writeHead(401, { "www-authenticate": signIn?.challenge ?? "Bearer" }).end("not let in");
      return;
    }
    taken += 1;
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? sessions.get(id) : undefined;
    await (session ?? (await openSession())).handleRequest(request, response);
  }

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    // The SDK's own types of the two disagree under exactOptionalPropertyTypes.
    await makeEchoServer((call) => calls.push(call)).connect(transport as Parameters<McpConnect>[0]);
    return transport;
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  if (options.signIn) {
    signIn = makeSignIn(`http://127.0.0.1:${port}`);
    wanted = signIn.token;
  }

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([...sessions.values()].map((each) => each.close()));
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    get requests() {
      return { taken, refused };
    },
    want(bearer) {
      wanted = bearer;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type McpConnect = ReturnType<typeof makeEchoServer>["connect"];
