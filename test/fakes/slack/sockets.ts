import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { SeenSocket, SentEnvelope } from "./api.ts";
import type { Faults } from "./faults.ts";
import type { World } from "./world.ts";

interface Socket {
  readonly id: number;
  readonly ws: WebSocket;
  readonly sent: SentEnvelope[];
  /** `leaving` gets nothing new; `ghost` is believed to listen. */
  state: "open" | "leaving" | "ghost" | "closed";
}

/** One event on its way: the same ids on every try. */
interface Job {
  readonly eventId: string;
  readonly event: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** What became of something that is sent once and wants an answer: an interaction, a command. */
export interface Delivery {
  state: "waiting" | "acked" | "failed";
  ack: Record<string, unknown> | undefined;
}

type SocketFaults = Pick<
  Faults,
  "refresh" | "dropSockets" | "pauseSockets" | "silence" | "duplicate" | "outOfOrder" | "disableEvents" | "clear"
>;

const mostSockets = 10;

/** Socket Mode: each envelope to one of the open sockets in turn, events again when nobody acknowledges them. */
export function createSocketMode(world: World) {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const sockets: Socket[] = [];
  const log: SentEnvelope[] = [];
  const lost: string[] = [];
  const told = new Map<string, Job[]>();
  const pending = new Map<string, (ack: Record<string, unknown>) => void>();
  const timers = new Set<NodeJS.Timeout>();
  let [turn, socketId, twice] = [0, 0, 0];
  let [paused, disabled, closed] = [false, false, false];
  let holding: { readonly jobs: Job[]; readonly count: number } | undefined;

  const later = (ms: number, run: () => void) => {
    if (closed) return undefined;
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
    return timer;
  };
  const cancel = (timer: NodeJS.Timeout | undefined) => {
    clearTimeout(timer);
    if (timer) timers.delete(timer);
  };
  const listening = () => sockets.filter((socket) => socket.state === "open" || socket.state === "ghost");
  const write = (socket: Socket, data: unknown) => {
    if (socket.state !== "ghost") socket.ws.send(JSON.stringify(data));
  };

  /** Puts an envelope on the next socket; tells how it ended. */
  function put(
    type: SentEnvelope["type"],
    about: string,
    payload: Record<string, unknown>,
    more: { eventId?: string; attempt?: number },
    ended: (ack: Record<string, unknown> | undefined) => void,
  ): void {
    const open = listening();
    const socket = open[turn++ % Math.max(1, open.length)];
    if (socket === undefined) {
      ended(undefined);
      return;
    }
    const [id, at, attempt] = [randomUUID(), performance.now(), more.attempt ?? 0];
    const envelope: SentEnvelope = {
      id,
      type,
      about,
      eventId: more.eventId,
      attempt,
      payload,
      ackedAfterMs: undefined,
      ack: undefined,
    };
    socket.sent.push(envelope);
    log.push(envelope);
    const timer = later(world.timing.ackMs, () => {
      pending.delete(id);
      // By then Slack knows that nobody is there.
      if (socket.state === "ghost") socket.state = "closed";
      ended(undefined);
      world.changed();
    });
    pending.set(id, (ack) => {
      cancel(timer);
      pending.delete(id);
      envelope.ackedAfterMs = performance.now() - at;
      envelope.ack = ack;
      ended(ack);
      world.changed();
    });
    const retries =
      type === "events_api" ? { retry_attempt: attempt, retry_reason: attempt === 0 ? "" : "timeout" } : {};
    write(socket, { envelope_id: id, type, accepts_response_payload: type !== "events_api", ...retries, payload });
    world.changed();
  }

  function attempt(job: Job, count: number): void {
    put("events_api", String(job.event.type), callback(world, job), { eventId: job.eventId, attempt: count }, (ack) => {
      if (ack !== undefined) return;
      const delay = world.timing.retryMs[count];
      if (delay === undefined) lost.push(job.eventId);
      else later(delay, () => attempt(job, count + 1));
      world.changed();
    });
  }

  function dispatch(job: Job): void {
    attempt(job, 0);
    if (twice === 0) return;
    twice -= 1;
    attempt(job, 1);
  }

  function send(event: Readonly<Record<string, unknown>>): void {
    const job = { eventId: world.nextId("Ev"), event, at: Math.floor(world.now() / 1000) };
    const key = aboutMessage(event);
    if (key) told.set(key, [...(told.get(key) ?? []), job]);
    if (disabled || closed) {
      lost.push(job.eventId);
      return;
    }
    if (!holding) {
      dispatch(job);
      return;
    }
    holding.jobs.push(job);
    if (holding.jobs.length < holding.count) return;
    const jobs = holding.jobs.reverse();
    holding = undefined;
    for (const one of jobs) dispatch(one);
  }

  /** Something that is sent once: nobody there, or no answer in time, and it has failed. */
  function interact(type: "interactive" | "slash_commands", about: string, payload: object): Delivery {
    const delivery: Delivery = { state: "waiting", ack: undefined };
    put(type, about, payload as Record<string, unknown>, {}, (ack) => {
      delivery.state = ack === undefined ? "failed" : "acked";
      delivery.ack = ack;
    });
    return delivery;
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? "/", "ws://slack");
    const ticket = url.searchParams.get("ticket") ?? "";
    // One ticket opens one connection.
    if (paused || url.pathname !== "/link/" || !tickets.delete(ticket)) {
      stream.end(`HTTP/1.1 ${paused ? "503 Service Unavailable" : "408 Request Timeout"}\r\nConnection: close\r\n\r\n`);
      return;
    }
    server.handleUpgrade(request, stream, head, accept);
  }

  function accept(ws: WebSocket): void {
    if (listening().length >= mostSockets) {
      ws.send(JSON.stringify({ type: "disconnect", reason: "too_many_websockets", debug_info: { host: "stand-in" } }));
      ws.close();
      return;
    }
    socketId += 1;
    const socket: Socket = { id: socketId, ws, sent: [], state: "open" };
    sockets.push(socket);
    ws.on("error", () => ws.terminate());
    ws.on("close", () => {
      clearInterval(pings);
      socket.state = "closed";
      world.changed();
    });
    ws.on("message", (data) => acknowledge(String(data)));
    const pings = setInterval(() => {
      if (socket.state === "open") ws.ping(`Ping from applink-${socket.id}`);
    }, world.timing.pingMs);
    write(socket, {
      type: "hello",
      num_connections: listening().length,
      debug_info: { host: "stand-in", build_number: 1, approximate_connection_time: 18_060 },
      connection_info: { app_id: world.appId },
    });
    world.changed();
  }

  function acknowledge(data: string): void {
    const { envelope_id, payload } = JSON.parse(data) as { envelope_id?: string; payload?: Record<string, unknown> };
    pending.get(envelope_id ?? "")?.(payload ?? {});
  }

  const leave = (socket: Socket, graceMs: number) => {
    write(socket, { type: "disconnect", reason: "refresh_requested", debug_info: { host: "stand-in" } });
    if (socket.state === "open") socket.state = "leaving";
    later(graceMs, () => socket.ws.close(1000));
  };
  const drop = () => {
    for (const socket of sockets) socket.ws.terminate();
  };
  const faults: SocketFaults = {
    refresh: ({ socket, warnMs, graceMs = 100 } = {}) => {
      for (const one of listening().filter(({ id }) => socket === undefined || id === socket)) {
        if (warnMs === undefined) leave(one, graceMs);
        else {
          write(one, { type: "disconnect", reason: "warning", debug_info: { host: "stand-in" } });
          later(warnMs, () => leave(one, graceMs));
        }
      }
    },
    dropSockets: drop,
    pauseSockets: () => {
      paused = true;
      drop();
      return () => {
        paused = false;
      };
    },
    silence: () => {
      for (const socket of sockets.filter(({ state }) => state === "open")) {
        socket.state = "ghost";
        socket.ws.pause();
      }
    },
    duplicate: (message, { times = 1 } = {}) => {
      if (message === undefined) twice += times;
      else for (const job of told.get(`${message.channel}:${message.ts}`) ?? []) attempt(job, 1);
    },
    outOfOrder: (count = 2) => {
      holding = { jobs: [], count };
    },
    disableEvents: () => {
      disabled = true;
      return () => {
        disabled = false;
      };
    },
    clear: () => {
      [paused, disabled, twice] = [false, false, 0];
      holding = undefined;
    },
  };

  return {
    send,
    interact,
    upgrade,
    faults,
    lost,
    log,
    /** `apps.connections.open`. */
    connect: () => {
      const ticket = randomUUID();
      tickets.add(ticket);
      return { url: `${world.origin.replace("http", "ws")}/link/?ticket=${ticket}&app_id=${world.appId}` };
    },
    drop,
    seen: (): SeenSocket[] =>
      sockets.map(({ id, state, sent }) => ({ id, open: state === "open" || state === "leaving", sent })),
    close: () => {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      drop();
      server.close();
    },
  };
}

function callback(world: World, { event, eventId, at }: Job): Record<string, unknown> {
  return {
    token: "stand-in",
    team_id: world.team.id,
    context_team_id: world.team.id,
    context_enterprise_id: null,
    api_app_id: world.appId,
    event,
    type: "event_callback",
    event_id: eventId,
    event_time: at,
    authorizations: [
      {
        enterprise_id: null,
        team_id: world.team.id,
        user_id: world.bot.id,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${eventId}`,
  };
}

/** The message an event brings; changes and deletions are about another one. */
function aboutMessage(event: Readonly<Record<string, unknown>>): string | undefined {
  if (event.type !== "message" && event.type !== "app_mention") return undefined;
  return `${event.channel}:${event.ts}`;
}
