import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  GatewayCloseCodes,
  type GatewayIdentifyData,
  GatewayOpcodes,
  type GatewayReadyDispatchData,
  type GatewayResumeData,
} from "discord-api-types/v10";
import { type WebSocket, WebSocketServer } from "ws";
import { applicationFlags } from "./application-routes.ts";
import type { CallFaults, Faults } from "./faults.ts";
import { refusedIntents } from "./gateway-events.ts";
import { createSessions, type Outlet, type Session } from "./gateway-sessions.ts";
import { introduceGuild } from "./guilds.ts";
import type { Gateway } from "./types.ts";
import type { World } from "./world.ts";

interface Connection extends Outlet {
  readonly socket: WebSocket;
  session: Session | undefined;
  beat: NodeJS.Timeout | undefined;
  closedByUs: boolean;
}

interface Payload {
  readonly op: number;
  readonly d: unknown;
}

type GatewayFaults = Pick<
  Faults,
  | "closeGateway"
  | "refuseIdentify"
  | "dropGateway"
  | "invalidSession"
  | "requestReconnect"
  | "silence"
  | "pauseGateway"
  | "resumeGateway"
  | "duplicate"
  | "outOfOrder"
>;

export interface GatewayServer {
  readonly seen: Gateway;
  readonly faults: GatewayFaults & { clear(): void };
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** A session ends when the bot closes with one of these; any other code leaves it to be resumed. */
const leavesForGood = new Set([1000, 1001]);
/** A session ends when Discord closes with one of these. */
const fatal = new Set([4003, 4004, 4010, 4011, 4012, 4013, 4014]);

export function createGateway(world: World, token: string, callFaults: CallFaults): GatewayServer {
  const server = new WebSocketServer({ noServer: true });
  const sessions = createSessions(world);
  const connections = new Set<Connection>();
  const identifies: { intents: number; at: Date }[] = [];
  const heartbeatMs = world.options.heartbeatMs ?? 41_250;
  const counts = { resumes: 0, heartbeats: 0 };
  let [silent, paused] = [false, false];
  let refusals: number[] = [];

  const detach = (connection: Connection) => {
    if (connection.session?.outlet === connection) connection.session.outlet = undefined;
  };
  const shut = (connection: Connection, code: number, reason = "") => {
    connection.closedByUs = true;
    if (fatal.has(code)) sessions.forget(connection.session);
    detach(connection);
    connection.socket.close(code, reason);
  };
  const invalidate = (connection: Connection, resumable: boolean) => {
    if (!resumable) sessions.forget(connection.session);
    detach(connection);
    connection.session = undefined;
    connection.send({ op: GatewayOpcodes.InvalidSession, d: resumable });
  };
  const refusedToken = (given: string): number | undefined =>
    refusals.shift() ??
    (given === token && !callFaults.unauthorized ? undefined : GatewayCloseCodes.AuthenticationFailed);

  const identify = (connection: Connection, { token: given, intents }: GatewayIdentifyData) => {
    if (connection.session) return shut(connection, GatewayCloseCodes.AlreadyAuthenticated, "Already authenticated.");
    identifies.push({ intents, at: new Date() });
    const code = refusedToken(given) ?? refusedIntents(world, intents);
    if (code !== undefined) return shut(connection, code);
    const session = sessions.open(intents, connection);
    connection.session = session;
    sessions.tell(session, "READY", welcome(world, session.id));
    for (const guild of world.guilds.values()) {
      if (guild.joined) sessions.introduce(session, { type: "GUILD_CREATE", data: introduceGuild(world, guild) });
    }
  };
  const resume = (connection: Connection, { token: given, session_id, seq }: GatewayResumeData) => {
    const code = refusedToken(given);
    const session = sessions.find(session_id);
    if (code !== undefined) return shut(connection, code);
    if (!session) return invalidate(connection, false);
    if (seq > session.sent.length) return shut(connection, GatewayCloseCodes.InvalidSeq);
    connection.session = session;
    counts.resumes += 1;
    sessions.resume(session, connection, seq);
  };
  /** A client that misses its heartbeats is cut off, as it would be. */
  const expectBeat = (connection: Connection) => {
    clearTimeout(connection.beat);
    const timedOut = () => shut(connection, GatewayCloseCodes.SessionTimedOut, "Session timed out.");
    connection.beat = setTimeout(timedOut, heartbeatMs * 2).unref();
  };
  const hear = (connection: Connection, { op, d }: Payload) => {
    switch (op) {
      case GatewayOpcodes.Heartbeat:
        counts.heartbeats += 1;
        expectBeat(connection);
        return connection.send({ op: GatewayOpcodes.HeartbeatAck });
      case GatewayOpcodes.Identify:
        return identify(connection, d as GatewayIdentifyData);
      case GatewayOpcodes.Resume:
        return resume(connection, d as GatewayResumeData);
      case GatewayOpcodes.PresenceUpdate:
      case GatewayOpcodes.VoiceStateUpdate:
      case GatewayOpcodes.RequestGuildMembers:
        return connection.session ? undefined : shut(connection, GatewayCloseCodes.NotAuthenticated);
      default:
        return shut(connection, GatewayCloseCodes.UnknownOpcode);
    }
  };
  const accept = (socket: WebSocket) => {
    const connection: Connection = {
      socket,
      session: undefined,
      beat: undefined,
      closedByUs: false,
      send: (payload) => {
        if (!silent) socket.send(JSON.stringify(payload));
      },
      cut: () => socket.terminate(),
    };
    connections.add(connection);
    expectBeat(connection);
    socket.on("message", (data) => {
      if (silent) return;
      const payload = readPayload(`${data}`);
      if (payload) hear(connection, payload);
      else shut(connection, GatewayCloseCodes.DecodeError);
      world.changed();
    });
    socket.on("error", () => undefined);
    socket.on("close", (code) => {
      clearTimeout(connection.beat);
      connections.delete(connection);
      detach(connection);
      if (leavesForGood.has(code) && !connection.closedByUs) sessions.forget(connection.session);
      world.changed();
    });
    connection.send({ op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatMs } });
    world.changed();
  };
  const eachConnection = (act: (connection: Connection) => void) => {
    for (const connection of [...connections]) act(connection);
  };
  const cutAll = () =>
    eachConnection((connection) => {
      detach(connection);
      connection.cut();
    });

  return {
    seen: {
      get connections() {
        return connections.size;
      },
      get identifies() {
        return [...identifies];
      },
      get resumes() {
        return counts.resumes;
      },
      get heartbeats() {
        return counts.heartbeats;
      },
      get ready() {
        return sessions.areReady();
      },
    },
    upgrade: (request, socket, head) => {
      if (!paused && request.url?.startsWith("/gateway")) server.handleUpgrade(request, socket, head, accept);
      else socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    },
    close: () => {
      cutAll();
      server.close();
    },
    faults: {
      closeGateway: (code, reason) => eachConnection((connection) => shut(connection, code, reason)),
      refuseIdentify: (code, { times = 1 } = {}) => {
        refusals.push(...Array.from({ length: times }, () => code));
      },
      dropGateway: cutAll,
      invalidSession: (resumable) => eachConnection((connection) => invalidate(connection, resumable)),
      requestReconnect: () =>
        eachConnection((connection) => connection.send({ op: GatewayOpcodes.Reconnect, d: null })),
      silence: () => {
        silent = true;
        return () => {
          silent = false;
        };
      },
      pauseGateway: () => {
        paused = true;
        sessions.forgetAll();
        cutAll();
      },
      resumeGateway: () => {
        paused = false;
      },
      duplicate: (event, { times = 1 } = {}) => sessions.duplicate(event, times),
      outOfOrder: sessions.delay,
      clear: () => {
        [silent, paused, refusals] = [false, false, []];
        sessions.clear();
      },
    },
  };
}

function welcome(world: World, session_id: string): GatewayReadyDispatchData {
  const flags = applicationFlags(world);
  return {
    v: 10,
    user: { ...world.bot, verified: true, mfa_enabled: true, email: null },
    guilds: [...world.guilds.values()].filter(({ joined }) => joined).map(({ id }) => ({ id, unavailable: true })),
    session_id,
    resume_gateway_url: `${world.origin.replace("http", "ws")}/gateway`,
    shard: [0, 1],
    application: { id: world.applicationId, flags, flags_new: `${flags}` },
  };
}

function readPayload(text: string): Payload | undefined {
  try {
    const payload = JSON.parse(text) as Partial<Payload>;
    return typeof payload.op === "number" ? { op: payload.op, d: payload.d } : undefined;
  } catch {
    return undefined;
  }
}
