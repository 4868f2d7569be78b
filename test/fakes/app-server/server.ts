import { createServer, type IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { protocolVersion, type RequestId } from "../../../src/codex/index.ts";
import { completeLogin, type FakeAccount, makeAccount } from "./account.ts";
import { type Answer, answerRequest, type World } from "./answers.ts";
import type { OpenRequest, TurnScript } from "./thread.ts";

export interface FakeAppServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string | undefined;
  /** How often each method was called, overloaded and unanswered calls included. */
  readonly calls: ReadonlyMap<string, number>;
  readonly connections: number;
  /** Answers of clients to requests, oldest first. */
  readonly replies: readonly { id: RequestId; result: unknown; error: unknown }[];
  /** Who is signed in, and what becomes of a sign-in; its fields may be changed. */
  readonly account: FakeAccount;
  /** Somebody used the code of a sign-in, or it came to nothing for the reason given. */
  completeLogin(outcome: { readonly plan: string } | { readonly error: string }): void;
  /** Replaces what happens in turns. */
  use(script: TurnScript): void;
  /** Rejects the next requests as overloaded (-32001). */
  overload(count: number): void;
  /** Never answers a method; `undefined` answers all again. */
  ignore(method: string | undefined): void;
  /** Refuses the handshake. */
  refuseHandshake(message: string | undefined): void;
  /** Asks every connected client something, for any thread. */
  ask(method: string, params: unknown): RequestId;
  /** Sends a text as it is to every connected client. */
  sendRaw(text: string): void;
  /** Cuts every connection; turns go on and open requests stay open. */
  drop(): void;
  close(): Promise<void>;
}

export interface FakeAppServerOptions {
  script?: TurnScript | undefined;
  token?: string | undefined;
  port?: number | undefined;
  /** The version it claims to be; default the one our types were made from. */
  version?: string | undefined;
  /** Stands for one on another machine, which sees none of our files. */
  otherMachine?: boolean | undefined;
  /** Methods that it does not know, as an older one would not. */
  unknown?: readonly string[] | undefined;
}

/** A turn that says two words at once. */
const defaultScript: TurnScript = (turn) => turn.say("Done", ".");

/**
 * A stand-in for `codex app-server`: same handshake, same order of messages, no model and no work. It is for measuring
 * our own cost and for faults the real one does not produce on demand, and proves nothing about Codex.
 */
export async function startFakeAppServer(options: FakeAppServerOptions = {}): Promise<FakeAppServer> {
  const sockets = new Set<WebSocket>();
  const calls = new Map<string, number>();
  const replies: { id: RequestId; result: unknown; error: unknown }[] = [];
  const openRequests = new Map<RequestId, OpenRequest>();
  let overloads = 0;
  let ignored: string | undefined;
  let refusal: string | undefined;
  let nextRequestId = 0;
  let connections = 0;

  const sendToAll = (message: string) => {
    for (const socket of sockets) socket.send(message);
  };

  const open: World["open"] = ({ method, params, answered, failed }) => {
    const id = nextRequestId++;
    const message = JSON.stringify({ id, method, params });
    openRequests.set(id, { id, message, answered, failed });
    sendToAll(message);
    return id;
  };

  const world: World = {
    version: options.version ?? protocolVersion,
    threads: new Map(),
    otherMachine: options.otherMachine ?? false,
    account: makeAccount(),
    unknown: new Set(options.unknown),
    script: options.script ?? defaultScript,
    outlet: { send: sendToAll },
    open,
    close: (id) => void openRequests.delete(id),
  };

  const onReply = (id: RequestId, result: unknown, error: unknown) => {
    replies.push({ id, result, error });
    const request = openRequests.get(id);
    openRequests.delete(id);
    if (error === undefined) request?.answered(result);
    else request?.failed("refused");
  };

  const answer = (method: string, params: Record<string, unknown>): Answer | undefined => {
    calls.set(method, (calls.get(method) ?? 0) + 1);
    if (method === ignored) return undefined;
    if (method === "initialize" && refusal !== undefined) return { error: { code: -32600, message: refusal } };
    if (method !== "initialize" && overloads > 0) {
      overloads -= 1;
      return { error: { code: -32001, message: "Server overloaded; retry later." } };
    }
    return answerRequest(world, method, params);
  };

  const onMessage = (socket: WebSocket, text: string) => {
    const { id, method, params, result, error } = JSON.parse(text);
    if (id === undefined) return;
    if (method === undefined) {
      onReply(id, result, error);
      return;
    }
    const given = answer(method, params ?? {});
    if (given === undefined) return;
    const { after, ...reply } = given;
    socket.send(JSON.stringify({ id, ...reply }));
    after?.();
    // As app-server does: whoever joins a thread gets its open requests again, under the same ids.
    if (method !== "thread/resume") return;
    for (const { message } of openRequests.values()) if (message.includes(params.threadId)) socket.send(message);
  };

  const http = createServer((_request, response) => response.writeHead(200).end());
  const wss = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024, perMessageDeflate: false });
  http.on("upgrade", (request, socket, head) => {
    const code = refuseUpgrade(request, options.token);
    if (code !== undefined) {
      socket.end(`HTTP/1.1 ${code} Refused\r\nconnection: close\r\n\r\n`);
      return;
    }
    wss.handleUpgrade(request, socket, head, (client) => {
      connections += 1;
      sockets.add(client);
      client.on("message", (data) => onMessage(client, data.toString()));
      client.on("error", () => client.terminate());
      client.on("close", () => sockets.delete(client));
    });
  });
  const port = await new Promise<number>((resolve, reject) => {
    http.once("error", reject);
    http.listen(options.port ?? 0, "127.0.0.1", () => {
      const address = http.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });

  const drop = () => {
    for (const socket of sockets) socket.terminate();
  };
  const close = async () => {
    drop();
    wss.close();
    await new Promise<void>((resolve) => http.close(() => resolve()));
  };

  return {
    url: `ws://127.0.0.1:${port}`,
    token: options.token,
    calls,
    replies,
    get connections() {
      return connections;
    },
    account: world.account,
    completeLogin: (outcome) => completeLogin(world, outcome),
    use: (script) => {
      world.script = script;
    },
    overload: (count) => {
      overloads = count;
    },
    ignore: (method) => {
      ignored = method;
    },
    refuseHandshake: (message) => {
      refusal = message;
    },
    ask: (method, params) => open({ method, params, answered: () => {}, failed: () => {} }),
    sendRaw: sendToAll,
    drop,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Any Origin header is refused before the token is looked at. */
function refuseUpgrade(request: IncomingMessage, token: string | undefined): number | undefined {
  if (request.headers.origin !== undefined) return 403;
  if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) return 401;
  return undefined;
}
