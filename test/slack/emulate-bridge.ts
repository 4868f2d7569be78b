import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createEmulator } from "emulate";
import { type WebSocket, WebSocketServer } from "ws";

type Body = Readonly<Record<string, unknown>>;

/** A message as emulate tells it. */
export interface TheirMessage {
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly thread_ts?: string;
  readonly blocks?: readonly { readonly elements?: readonly { readonly text: { readonly text: string } }[] }[];
  readonly reactions?: readonly { readonly name: string }[];
}

const bot = { token: "xoxb-emulate", app: "xapp-emulate", user: "U0SHIPMATE", id: "B0SHIPMATE" };
const adasToken = "xoxp-ada";
/** `scopes`: all that the bot is allowed; everything when absent. */
const seed = (scopes?: readonly string[]) => ({
  strict_scopes: scopes !== undefined,
  users: [{ name: "ada", real_name: "Ada" }],
  channels: [{ name: "harbour" }],
  oauth_apps: [
    { client_id: "1.2", client_secret: "secret", app_id: "A0SHIPMATE", name: "Shipmate", redirect_uris: [] },
  ].map((app) => ({ ...app, bot_id: bot.id, bot_user_id: bot.user, bot_name: "shipmate" })),
  tokens: [
    { token: bot.token, type: "bot", user_id: bot.user, bot_id: bot.id, app_id: "A0SHIPMATE", scopes },
    { token: adasToken, type: "user", user: "ada" },
  ],
});

/**
 * Vercel's `emulate` as Slack, with the half it lacks: Socket Mode. All state and every answer of the Web API are theirs.
 * The events it makes go only to subscribers, whom its API does not let in; the bridge makes the same ones from its answers.
 */
export async function createOtherSlack(scopes?: readonly string[]) {
  const slack = await createEmulator({ service: "slack", port: 0, seed: { slack: seed(scopes) } });
  const sockets = new Set<WebSocket>();
  const unacknowledged = new Set<string>();
  /** The methods it does not know, by how often we asked for them. */
  const unknown = new Map<string, number>();
  const server = createServer((request, response) => void answer(request, response));
  const upgrades = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => upgrades.handleUpgrade(request, socket, head, greet));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  function greet(socket: WebSocket): void {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("message", (data) => {
      unacknowledged.delete((JSON.parse(String(data)) as { envelope_id: string }).envelope_id);
    });
    const hello = { type: "hello", num_connections: sockets.size, connection_info: { app_id: "A0SHIPMATE" } };
    socket.send(JSON.stringify({ ...hello, debug_info: { host: "emulate" } }));
  }

  /** To one of the sockets; to nobody where nobody listens, as after Slack's last retry. */
  function send(type: "events_api" | "interactive", payload: Body): void {
    const [socket] = sockets;
    if (socket === undefined) return;
    const envelope_id = randomUUID();
    unacknowledged.add(envelope_id);
    const retries = type === "events_api" ? { retry_attempt: 0, retry_reason: "" } : {};
    socket.send(
      JSON.stringify({ envelope_id, type, accepts_response_payload: type === "interactive", payload, ...retries }),
    );
  }

  function happened(event: Body): void {
    const about = { team_id: "T000000001", event_id: `Ev${randomUUID()}`, event_time: Math.floor(Date.now() / 1000) };
    const authorizations = [{ team_id: about.team_id, user_id: bot.user, is_bot: true }];
    send("events_api", { type: "event_callback", ...about, api_app_id: "A0SHIPMATE", authorizations, event });
  }

  async function forward(
    method: string,
    headers: Record<string, string>,
    body: Uint8Array<ArrayBuffer> | string,
  ): Promise<{ status: number; text: string }> {
    const answered = await fetch(`${slack.url}/api/${method}`, { method: "POST", headers, body });
    const text = await answered.text();
    if (answered.status === 404) unknown.set(method, (unknown.get(method) ?? 0) + 1);
    const { ok, channel, message } = answered.status === 200 ? JSON.parse(text) : {};
    if (ok && method === "chat.postMessage") {
      const said = { ...message, channel, event_ts: message.ts };
      happened({ ...said, type: "message" });
      if (message.text.includes(`<@${bot.user}>`)) happened({ ...said, type: "app_mention" });
    }
    return { status: answered.status, text };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const method = (request.url ?? "").split("/api/")[1] ?? "";
    const { authorization = "", "content-type": type = "" } = request.headers;
    const { status, text } =
      method === "apps.connections.open"
        ? { status: 200, text: JSON.stringify({ ok: true, url: `ws://${host}/link` }) }
        : await forward(method, { authorization, "content-type": type }, Buffer.concat(chunks));
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  }

  /** What Ada's own client asks. */
  async function ask(method: string, body: Body): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${adasToken}`, "content-type": "application/json" };
    const answered = JSON.parse((await forward(method, headers, JSON.stringify(body))).text);
    if (answered.ok !== true) throw new Error(`${method}: ${answered.error}`);
    return answered;
  }

  const { user_id: ada } = await ask("auth.test", {});
  const { channels } = (await ask("conversations.list", {})) as { channels: { id: string; name: string }[] };
  const { channel: dm } = (await ask("conversations.open", { users: bot.user })) as { channel: { id: string } };

  return {
    env: { SLACK_BOT_TOKEN: bot.token, SLACK_APP_TOKEN: bot.app, SLACK_API_URL: `http://${host}/api/` },
    mention: `<@${bot.user}>`,
    harbour: channels.find(({ name }) => name === "harbour")?.id ?? "",
    dm: dm.id,
    unknown,
    unacknowledged,
    /** Ada says something; resolves with its `ts`. */
    async say(channel: string, text: string, thread?: string): Promise<string> {
      const reply = thread === undefined ? {} : { thread_ts: thread };
      return String((await ask("chat.postMessage", { channel, text, ...reply })).ts);
    },
    /** What its own history says: of a channel, or of a thread, oldest first. */
    async messages(channel: string, thread?: string): Promise<TheirMessage[]> {
      if (thread !== undefined)
        return (await ask("conversations.replies", { channel, ts: thread })).messages as TheirMessage[];
      return ((await ask("conversations.history", { channel })).messages as TheirMessage[]).toReversed();
    },
    /** Ada presses a button; emulate knows no presses. */
    press(channel: string, message: TheirMessage, label: string): void {
      const elements = (message.blocks ?? []).flatMap((block) => block.elements ?? []);
      const action = elements.find((element) => element.text.text === label);
      if (action === undefined) throw new Error(`no button ${label} on ${JSON.stringify(message)}`);
      const container = { type: "message", message_ts: message.ts, channel_id: channel, is_ephemeral: false };
      const who = { user: { id: ada }, team: { id: "T000000001" }, channel: { id: channel } };
      const actions = [{ ...action, action_ts: message.ts, block_id: "b" }];
      send("interactive", { type: "block_actions", ...who, trigger_id: randomUUID(), container, message, actions });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      server.close();
      server.closeAllConnections();
      await slack.close();
    },
  };
}

export type OtherSlack = Awaited<ReturnType<typeof createOtherSlack>>;
