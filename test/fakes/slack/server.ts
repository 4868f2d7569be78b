import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { authTest } from "./accounts.ts";
import type { Call } from "./api.ts";
import { readBytes, readFields } from "./body.ts";
import { needScope } from "./conversations.ts";
import { ApiFailure } from "./failure.ts";
import type { createCallFaults } from "./faults.ts";
import type { Fields } from "./fields.ts";
import { sendFile, takeUpload } from "./files.ts";
import { methods } from "./methods.ts";
import type { createResponseUrls } from "./respond.ts";
import type { createSocketMode } from "./sockets.ts";
import type { World } from "./world.ts";

interface Parts {
  readonly world: World;
  readonly sockets: ReturnType<typeof createSocketMode>;
  readonly responses: ReturnType<typeof createResponseUrls>;
  readonly take: ReturnType<typeof createCallFaults>["take"];
  readonly recordCalls: boolean;
}

/** The HTTP face: `/api/<method>`, files, uploads, response addresses, and the upgrade to Socket Mode, on a free loopback port. */
export async function serve({ world, sockets, responses, take, recordCalls }: Parts) {
  const calls: Call[] = [];
  let server: Server | undefined;
  let port = 0;
  const open = async () => {
    if (server) return;
    const next = createServer((request, response) => {
      handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    next.on("upgrade", sockets.upgrade);
    // Never closes an idle connection by itself: a post into it at that moment would be a fault nobody asked for.
    next.keepAliveTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      next.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    port = (next.address() as AddressInfo).port;
    world.origin = `http://127.0.0.1:${port}`;
    server = next;
  };
  const close = async () => {
    const closing = server;
    server = undefined;
    sockets.drop();
    closing?.closeAllConnections();
    await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()));
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://slack");
    const authorization = request.headers.authorization ?? "";
    const upload = /^\/upload\/v1\/(\w+)$/.exec(url.pathname)?.[1];
    if (upload) return takeUpload(world, upload, request, response);
    if (url.pathname.startsWith("/files-pri/")) return sendFile(world, url.pathname, authorization, response);
    const raw = await readBytes(request);
    const type = request.headers["content-type"] ?? "";
    const address = /^\/actions\/\w+\/(\w+)$/.exec(url.pathname)?.[1];
    if (address) return useResponseUrl(address, await readFields(raw, type, url.searchParams), response);
    const name = /^\/api\/([\w.]+)$/.exec(url.pathname)?.[1];
    if (name === undefined) return void response.writeHead(404).end();
    const { token: inBody, ...payload } = await readFields(raw, type, url.searchParams);
    const given = authorization.replace(/^Bearer /, "") || String(inBody ?? "");
    const call: Call = {
      method: name,
      payload,
      token: kindOf(given),
      at: new Date(),
      status: undefined,
      result: undefined,
    };
    if (recordCalls) {
      calls.push(call);
      world.changed();
    }
    await answer(call, type.startsWith("application/json"), response);
    world.changed();
  }

  function kindOf(token: string): Call["token"] {
    if (token === "") return "none";
    return token === world.botToken ? "bot" : token === world.appToken ? "app" : "unknown";
  }

  async function answer(call: Call, json: boolean, response: ServerResponse): Promise<void> {
    const fault = take(call.method);
    if (fault?.kind === "reject") return refuse(response, call, fault.failure);
    if (fault?.kind === "hold") await fault.released;
    let result: object;
    try {
      result = run(call, json);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return refuse(response, call, error);
    }
    if (fault?.kind === "slow") await delay(fault.ms);
    if (fault?.kind === "lose") return void response.socket?.destroy();
    reply(response, call, { ok: true, ...result });
  }

  function run({ method: name, payload, token }: Call, json: boolean): object {
    if (token === "none") throw new ApiFailure("not_authed");
    if (token === "unknown") throw new ApiFailure("invalid_auth");
    if (name === "apps.connections.open") {
      if (token !== "app") throw new ApiFailure("not_allowed_token_type");
      return sockets.connect();
    }
    const method = methods.get(name);
    if (!method) throw new ApiFailure("unknown_method", { fields: { req_method: name } });
    if (token === "app") {
      if (name === "auth.test") return authTest(world, "app");
      throw new ApiFailure("not_allowed_token_type");
    }
    if (method.scopes.length > 0) needScope(world, ...method.scopes);
    // Reading methods take no JSON: their arguments are as good as not given.
    const fields: Fields = json && !method.json ? {} : payload;
    return method.run(world, fields);
  }

  function refuse(response: ServerResponse, call: Call, failure: ApiFailure): void {
    reply(response, call, { ok: false, error: failure.message, ...failure.fields }, failure.status, failure.headers);
  }

  function reply(
    response: ServerResponse,
    call: Call,
    body: Record<string, unknown>,
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    Object.assign(call, { status, result: body });
    const scopes = call.token === "bot" ? [...world.scopes].join(",") : "connections:write";
    const accepted = methods.get(call.method)?.scopes.join(",") ?? "";
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      ...(call.token === "bot" || call.token === "app" ? { "x-oauth-scopes": scopes } : {}),
      ...(accepted === "" ? {} : { "x-accepted-oauth-scopes": accepted }),
      ...headers,
    });
    response.end(JSON.stringify(body));
  }

  function useResponseUrl(id: string, fields: Fields, response: ServerResponse): void {
    const fault = take("response_url");
    const call: Call = {
      method: "response_url",
      payload: fields,
      token: "none",
      at: new Date(),
      status: 200,
      result: undefined,
    };
    if (recordCalls) calls.push(call);
    try {
      if (fault?.kind === "reject") throw fault.failure;
      responses.use(id, fields);
      if (fault?.kind === "lose") return void response.socket?.destroy();
      response.writeHead(200, { "content-type": "text/plain" }).end("ok");
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      call.status = error.status === 200 ? 400 : error.status;
      response.writeHead(call.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ ok: false, error: error.message, ...error.fields }));
    }
    world.changed();
  }

  await open();
  return { calls, open, close };
}
