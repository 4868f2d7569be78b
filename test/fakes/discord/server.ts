import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type RequestBody, readBody } from "./body.ts";
import { ApiFailure, rateLimited, unauthorized } from "./failure.ts";
import type { CallFaults } from "./faults.ts";
import { fileAt } from "./files.ts";
import { createRates } from "./rates.ts";
import { type Match, matchRoute } from "./routing.ts";
import type { Call } from "./types.ts";
import type { World } from "./world.ts";

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The HTTP face on a free loopback port: REST under `/api/v10`, the CDN under `/attachments`, the gateway by upgrade. */
export async function serve(world: World, token: string, faults: CallFaults, upgrade: Upgrade) {
  const calls: Call[] = [];
  const rates = createRates(world);
  let server: Server | undefined;
  let port = 0;
  const open = async () => {
    if (server) return;
    const next = createServer((request, response) => {
      handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    // Never closes an idle connection by itself: a post into it at that moment would be a fault nobody asked for.
    next.keepAliveTimeout = 0;
    next.on("upgrade", upgrade);
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

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", world.origin);
    if (url.pathname.startsWith("/attachments/")) return sendFile(world, url, response);
    let call: Call | undefined;
    try {
      const path = /^\/api\/v10(\/.*)$/.exec(url.pathname)?.[1];
      if (path === undefined) throw new ApiFailure(400, 50041, "Invalid API version provided.");
      const body = await readBody(request);
      const match = matchRoute(world, request.method ?? "GET", path);
      call = record(match, path, url, body);
      await answer(request, response, match, url, body, call);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      fail(response, call, error);
    }
    world.changed();
  }

  function record({ route }: Match, path: string, url: URL, body: RequestBody): Call {
    const call: Call = {
      route,
      path,
      query: Object.fromEntries(url.searchParams),
      body: body.json,
      files: body.files.map((file) => file.name),
      at: new Date(),
      status: undefined,
      result: undefined,
    };
    if (world.options.recordCalls !== false) calls.push(call);
    world.changed();
    return call;
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    match: Match,
    url: URL,
    { json, files }: RequestBody,
    call: Call,
  ): Promise<void> {
    const fault = faults.take(match.route, call.path);
    if (fault?.kind === "reject") throw fault.failure;
    if (fault?.kind === "hold") await fault.released;
    if (match.signedIn && request.headers.authorization !== `Bot ${token}`) throw unauthorized();
    const pace = rates.take(match.route, match.major, match.route.startsWith("POST /interactions"));
    for (const [name, value] of Object.entries(pace.headers)) response.setHeader(name, value);
    if (pace.retryAfter !== undefined) throw rateLimited(pace.retryAfter, pace.global);
    const result = match.handler({ world, params: match.params, query: url.searchParams, json, files });
    if (fault?.kind === "slow") await delay(fault.ms);
    if (fault?.kind === "lose") return void response.socket?.destroy();
    Object.assign(call, { status: result === undefined ? 204 : match.status, result });
    // Discord's 204 names no content type; with a JSON one clients would try to read a body.
    if (result === undefined) response.writeHead(204).end();
    else sendJson(response, match.status, result);
  }

  await open();
  world.origin = `http://127.0.0.1:${port}`;
  return { calls, open, close };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, call: Call | undefined, failure: ApiFailure): void {
  const { status, code, message, errors, retryAfter, global } = failure;
  const limited = { message, retry_after: retryAfter, global };
  const body = retryAfter === undefined ? { message, code, ...(errors ? { errors } : {}) } : limited;
  if (retryAfter !== undefined) {
    response.setHeader("retry-after", `${Math.ceil(retryAfter)}`);
    response.setHeader("x-ratelimit-scope", global ? "global" : "user");
    if (global) response.setHeader("x-ratelimit-global", "true");
    else response.setHeader("x-ratelimit-reset-after", `${retryAfter}`);
  }
  if (call) Object.assign(call, { status, result: body });
  sendJson(response, status, body);
}

function sendFile(world: World, url: URL, response: ServerResponse): void {
  const file = fileAt(world, url);
  if (!file) return void response.writeHead(404).end("This content is no longer available.");
  const type = file.mime ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-length": file.bytes.length }).end(file.bytes);
}
