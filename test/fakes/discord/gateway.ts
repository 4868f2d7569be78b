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
import type { CallFaults, Faults } from "./faults.ts";
import { forSession, refusedIntents } from "./gateway-events.ts";
import { introduceGuild, noFlags } from "./guilds.ts";
import type { Gateway } from "./types.ts";
import type { GatewayEvent, World } from "./world.ts";

interface Session {
  readonly id: string;
  readonly intents: number;
  /** Everything that was sent, for replay; the sequence number is the place in it, from 1. */
  readonly sent: { readonly t: string; readonly d: unknown }[];
  /** Held back to come after the next one. */
  held: { readonly t: string; readonly d: unknown } | undefined;
  connection: Connection | undefined;
}

interface Connection {
  readonly socket: WebSocket;
  session: Session | undefined;
  beat: NodeJS.Timeout | undefined;
}

interface Payload {
  readonly op: number;
  readonly d: unknown;
}

type GatewayFaultNames =
  | "closeGateway"
  | "refuseIdentify"
  | "dropGateway"
  | "invalidSession"
  | "requestReconnect"
  | "silence"
  | "pauseGateway"
  | "resumeGateway"
  | "duplicate"
  | "outOfOrder";

export interface GatewayServer {
  readonly seen: Gateway;
  readonly faults: Pick<Faults, GatewayFaultNames> & { clear(): void };
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Sessions end when the bot closes with one of these; any other code leaves them to be resumed. */
const endsSession = new Set([1000, 1001]);
const fatal = new Set<number>([4003, 4004, 4010, 4011, 4012, 4013, 4014]);

export function createGateway(world: World, token: string, callFaults: CallFaults): GatewayServer {
  const server = new WebSocketServer({ noServer: true });
  const sessions = new Map<string, Session>();
  const connections = new Set<Connection>();
  const identifies: { intents: number; at: Date }[] = [];
  const heartbeatMs = world.options.heartbeatMs ?? 41_250;
  let [resumes, heartbeats, silent, paused] = [0, 0, false, false];
  let refusals: number[] = [];
  let twice: string[] = [];
  let late: string[] = [];

  const send = ({ socket }: Connection, payload: object) => {
    if (!silent) socket.send(JSON.stringify(payload));
  };
  const push = (session: Session, t: string, d: unknown) => {
    session.sent.push({ t, d });
    const s = session.sent.length;
    if (session.connection) send(session.connection, { op: GatewayOpcodes.Dispatch, t, s, d });
  };
  const takeFrom = (list: string[], t: string) => {
    const at = list.indexOf(t);
    if (at !== -1) list.splice(at, 1);
    return at !== -1;
  };
  const deliver = (session: Session, event: GatewayEvent) => {
    const d = forSession(world, event, session.intents);
    if (d === undefined) return;
    const t = event.type;
    if (session.held === undefined && takeFrom(late, t)) {
      session.held = { t, d };
      return;
    }
    const { held } = session;
    session.held = undefined;
    for (let times = takeFrom(twice, t) ? 2 : 1; times > 0; times -= 1) push(session, t, d);
    if (held) push(session, held.t, held.d);
  };
  world.onDispatch((event) => {
    for (const session of sessions.values()) deliver(session, event);
  });

  const shut = (connection: Connection, code: number, reason = "") => {
    if (fatal.has(code) && connection.session) sessions.delete(connection.session.id);
    connection.socket.close(code, reason);
  };
  const invalidate = (connection: Connection, resumable: boolean) => {
    if (!resumable && connection.session) sessions.delete(connection.session.id);
    if (connection.session) connection.session.connection = undefined;
    connection.session = undefined;
    send(connection, { op: GatewayOpcodes.InvalidSession, d: resumable });
  };
  const refused = (given: string): number | undefined => {
    const code = refusals.shift();
    if (code !== undefined) return code;
    return given === token && !callFaults.unauthorized ? undefined : GatewayCloseCodes.AuthenticationFailed;
  };

  const identify = (connection: Connection, { token: given, intents }: GatewayIdentifyData) => {
    if (connection.session) return shut(connection, GatewayCloseCodes.AlreadyAuthenticated, "Already authenticated.");
    identifies.push({ intents, at: new Date() });
    const code = refused(given) ?? refusedIntents(world, intents);
    world.changed();
    if (code !== undefined) return shut(connection, code);
    const session: Session = { id: `session-${world.newId()}`, intents, sent: [], held: undefined, connection };
    connection.session = session;
    sessions.set(session.id, session);
    const joined = [...world.guilds.values()].filter((guild) => guild.joined);
    push(session, "READY", {
      v: 10,
      user: { ...world.bot, verified: true, mfa_enabled: true, email: null },
      guilds: joined.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: `${world.origin.replace("http", "ws")}/gateway`,
      shard: [0, 1],
      application: { id: world.applicationId, flags: noFlags, flags_new: "0" },
    } satisfies GatewayReadyDispatchData);
    for (const guild of joined) deliver(session, { type: "GUILD_CREATE", data: introduceGuild(world, guild) });
    world.changed();
  };
  const resume = (connection: Connection, { token: given, session_id, seq }: GatewayResumeData) => {
    const code = refused(given);
    if (code !== undefined) return shut(connection, code);
    const session = sessions.get(session_id);
    if (!session) return invalidate(connection, false);
    if (seq > session.sent.length) return shut(connection, GatewayCloseCodes.InvalidSeq);
    session.connection?.socket.terminate();
    connection.session = session;
    session.connection = connection;
    session.sent.slice(seq).forEach(({ t, d }, at) => {
      send(connection, { op: GatewayOpcodes.Dispatch, t, s: seq + at + 1, d });
    });
    push(session, "RESUMED", {});
    resumes += 1;
    world.changed();
  };

  /** A client that misses its heartbeats is cut off, as it would be. */
  const expectBeat = (connection: Connection) => {
    clearTimeout(connection.beat);
    connection.beat = setTimeout(
      () => shut(connection, GatewayCloseCodes.SessionTimedOut, "Session timed out."),
      heartbeatMs * 2,
    );
    connection.beat.unref();
  };
  const hear = (connection: Connection, { op, d }: Payload) => {
    switch (op) {
      case GatewayOpcodes.Heartbeat:
        heartbeats += 1;
        expectBeat(connection);
        world.changed();
        return send(connection, { op: GatewayOpcodes.HeartbeatAck });
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
    const connection: Connection = { socket, session: undefined, beat: undefined };
    connections.add(connection);
    expectBeat(connection);
    socket.on("message", (data) => {
      if (silent) return;
      const payload = readPayload(`${data}`);
      if (payload) hear(connection, payload);
      else shut(connection, GatewayCloseCodes.DecodeError);
    });
    socket.on("error", () => undefined);
    socket.on("close", (code) => {
      clearTimeout(connection.beat);
      connections.delete(connection);
      const { session } = connection;
      if (session?.connection === connection) session.connection = undefined;
      if (session && endsSession.has(code) && !closedByUs.has(connection)) sessions.delete(session.id);
      world.changed();
    });
    send(connection, { op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatMs } });
    world.changed();
  };
  const closedByUs = new WeakSet<Connection>();
  const open = () => [...connections];
  const cut = () => {
    for (const connection of open()) {
      if (connection.session) connection.session.connection = undefined;
      connection.socket.terminate();
    }
  };

  return {
    seen: {
      get connections() {
        return connections.size;
      },
      get identifies() {
        return [...identifies];
      },
      get resumes() {
        return resumes;
      },
      get heartbeats() {
        return heartbeats;
      },
      get ready() {
        return [...sessions.values()].some((session) => session.connection !== undefined);
      },
    },
    upgrade: (request, socket, head) => {
      if (paused || !request.url?.startsWith("/gateway")) {
        socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        return;
      }
      server.handleUpgrade(request, socket, head, accept);
    },
    close: () => {
      cut();
      server.close();
    },
    faults: {
      closeGateway: (code, reason) => {
        for (const connection of open()) {
          closedByUs.add(connection);
          if (connection.session) connection.session.connection = undefined;
          shut(connection, code, reason);
        }
      },
      refuseIdentify: (code, { times = 1 } = {}) => {
        refusals.push(...Array.from({ length: times }, () => code));
      },
      dropGateway: cut,
      invalidSession: (resumable) => {
        for (const connection of open()) invalidate(connection, resumable);
      },
      requestReconnect: () => {
        for (const connection of open()) send(connection, { op: GatewayOpcodes.Reconnect, d: null });
      },
      silence: () => {
        silent = true;
        return () => {
          silent = false;
        };
      },
      pauseGateway: () => {
        paused = true;
        sessions.clear();
        cut();
      },
      resumeGateway: () => {
        paused = false;
      },
      duplicate: (event, { times = 1 } = {}) => {
        twice.push(...Array.from({ length: times }, () => event));
      },
      outOfOrder: (event) => void late.push(event),
      clear: () => {
        [silent, paused, refusals, twice, late] = [false, false, [], [], []];
      },
    },
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
