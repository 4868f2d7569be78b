import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** Where a client learns that and how one signs in to the server. Everybody who comes is let in at once, as who was signed in before. */
export interface SignIn {
  /** What a signed-in client sends as its bearer token. */
  readonly token: string;
  /** For the 401 answer. */
  readonly challenge: string;
  /** Answers a request that is about signing in; false when it is about something else. */
  answer(url: URL, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** `origin` such as `http://127.0.0.1:1234`; the tools are at `/mcp` there. */
export function makeSignIn(origin: string): SignIn {
  const token = `signed-in-${randomUUID()}`;
  const codes = new Set<string>();

  function authorize(url: URL, response: ServerResponse): void {
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    const code = randomUUID();
    codes.add(code);
    back.searchParams.set("code", code);
    back.searchParams.set("state", url.searchParams.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  }

  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = new URLSearchParams(await text(request));
    if (!codes.delete(given.get("code") ?? "")) return sendJson(response, { error: "invalid_grant" }, 400);
    sendJson(response, { access_token: token, token_type: "Bearer", expires_in: 3600 });
  }

  async function register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wanted: object = JSON.parse(await text(request));
    sendJson(response, { ...wanted, client_id: "shipmate-test", token_endpoint_auth_method: "none" }, 201);
  }

  return {
    token,
    challenge: `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
    async answer(url, request, response) {
      if (url.pathname.startsWith("/.well-known/oauth-protected-resource")) {
        sendJson(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
      } else if (url.pathname.startsWith("/.well-known/oauth-authorization-server")) {
        sendJson(response, metadata(origin));
      } else if (url.pathname === "/register") await register(request, response);
      else if (url.pathname === "/authorize") authorize(url, response);
      else if (url.pathname === "/token") await giveToken(request, response);
      else return false;
      return true;
    },
  };
}

function metadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
  };
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
