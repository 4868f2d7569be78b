import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type RequestBody, readBody } from "./body.ts";
import { ApiFailure } from "./failure.ts";
import { createFaults } from "./faults.ts";
import { methods } from "./methods.ts";
import { createPolling } from "./polling.ts";
import type { World } from "./world.ts";

/** One call the bot made, in the order they arrived. */
export interface Call {
  readonly method: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: Date;
  /** The HTTP status we answered with; undefined while it runs or when the response was lost. */
  status: number | undefined;
  /** What the method returned, where it did. */
  result: unknown;
}

/** The HTTP face: `POST /bot<token>/<method>` and `GET /file/bot<token>/<path>` on a free loopback port. */
export async function serve(world: World, token: string, recordCalls: boolean) {
  const calls: Call[] = [];
  const polling = createPolling(world);
  let server: Server | undefined;
  let port = 0;
  const open = async () => {
    if (server) return;
    const next = createServer((request, response) => {
      handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    // Never closes an idle connection by itself: a post into it at that moment would be a fault nobody asked for.
    next.keepAliveTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      next.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    port = (next.address() as AddressInfo).port;
    server = next;
  };
  const close = async () => {
    const closing = server;
    server = undefined;
    closing?.closeAllConnections();
    await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()));
  };
  const faults = createFaults({ open, close });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://telegram");
    const path = decodeURIComponent(url.pathname);
    const file = /^\/file\/bot([^/]+)\/files\/(.+)$/.exec(path);
    if (file) return sendFile(world, response, file[1] === token, file[2] ?? "");
    const [, given, name] = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(path) ?? [];
    const body = await readBody(request, url);
    if (given === undefined || name === undefined || !/^\d+:.+$/.test(given)) {
      return reply(response, undefined, new ApiFailure(404, "Not Found"));
    }
    if (given !== token) return reply(response, undefined, new ApiFailure(401, "Unauthorized"));
    const call: Call = { method: name, payload: body.fields, at: new Date(), status: undefined, result: undefined };
    if (recordCalls) {
      calls.push(call);
      world.changed();
    }
    await answer(call, body, response);
    world.changed();
  }

  async function answer(call: Call, body: RequestBody, response: ServerResponse): Promise<void> {
    const fault = faults.take(call.method);
    if (fault?.kind === "reject") return reply(response, call, fault.failure);
    if (fault?.kind === "hold") await fault.released;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    let result: unknown;
    try {
      result = await run(call.method, body, gone.signal);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return reply(response, call, error);
    }
    if (fault?.kind === "slow") await delay(fault.ms);
    if (fault?.kind === "lose") return void response.socket?.destroy();
    reply(response, call, undefined, result);
  }

  async function run(name: string, body: RequestBody, gone: AbortSignal): Promise<unknown> {
    if (name.toLowerCase() === "getupdates") return polling.getUpdates(body.fields, gone);
    const method = methods.get(name.toLowerCase());
    if (!method) throw new ApiFailure(404, "Not Found: method not found");
    return method(world, body.fields, body.files);
  }

  await open();
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    faults: faults.api,
    close: async () => {
      polling.close();
      await close();
    },
  };
}

function reply(response: ServerResponse, call: Call | undefined, failure?: ApiFailure, result?: unknown): void {
  const status = failure?.code ?? 200;
  if (call) Object.assign(call, { status, result });
  const parameters = failure?.parameters ? { parameters: failure.parameters } : {};
  const body = failure
    ? { ok: false, error_code: status, description: failure.message, ...parameters }
    : { ok: true, result };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendFile(world: World, response: ServerResponse, authorized: boolean, id: string): void {
  const file = world.files.get(id);
  if (authorized && file) response.writeHead(200, { "content-length": file.bytes.length }).end(file.bytes);
  else reply(response, undefined, new ApiFailure(404, "Not Found"));
}
