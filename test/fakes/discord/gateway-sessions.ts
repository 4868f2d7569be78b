import { GatewayOpcodes } from "discord-api-types/v10";
import { forSession } from "./gateway-events.ts";
import type { GatewayEvent, World } from "./world.ts";

/** Where the events of a session go now. */
export interface Outlet {
  send(payload: object): void;
  /** Ends it without a word. */
  cut(): void;
}

export interface Session {
  readonly id: string;
  readonly intents: number;
  /** Everything that was sent, for replay; the sequence number is the place in it, from 1. */
  readonly sent: Event[];
  /** Held back to come after the next one. */
  held: Event | undefined;
  outlet: Outlet | undefined;
}

interface Event {
  readonly t: string;
  readonly d: unknown;
}

/** Sessions live on without a connection, until they are forgotten; what happens meanwhile is kept for them. */
export function createSessions(world: World) {
  const sessions = new Map<string, Session>();
  let twice: string[] = [];
  let late: string[] = [];

  const push = (session: Session, t: string, d: unknown) => {
    session.sent.push({ t, d });
    session.outlet?.send({ op: GatewayOpcodes.Dispatch, t, s: session.sent.length, d });
  };
  const deliver = (session: Session, event: GatewayEvent, isLate: boolean, times: number) => {
    const d = forSession(world, event, session.intents);
    if (d === undefined) return;
    const { held } = session;
    session.held = isLate ? { t: event.type, d } : undefined;
    for (let at = 0; at < times && !isLate; at += 1) push(session, event.type, d);
    if (held) push(session, held.t, held.d);
  };
  world.onDispatch((event) => {
    const isLate = takeFrom(late, event.type);
    const times = takeFrom(twice, event.type) ? 2 : 1;
    for (const session of sessions.values()) deliver(session, event, isLate, times);
  });

  return {
    find: (id: string): Session | undefined => sessions.get(id),
    open: (intents: number, outlet: Outlet): Session => {
      const session: Session = { id: `session-${world.newId()}`, intents, sent: [], held: undefined, outlet };
      sessions.set(session.id, session);
      return session;
    },
    /** An event for one session alone. */
    tell: push,
    introduce: (session: Session, event: GatewayEvent) => deliver(session, event, false, 1),
    /** Gives a connection what its session missed. */
    resume: (session: Session, outlet: Outlet, seq: number) => {
      session.outlet?.cut();
      session.outlet = outlet;
      session.sent.slice(seq).forEach(({ t, d }, at) => {
        outlet.send({ op: GatewayOpcodes.Dispatch, t, s: seq + at + 1, d });
      });
      push(session, "RESUMED", {});
    },
    forget: (session: Session | undefined) => session && sessions.delete(session.id),
    forgetAll: () => sessions.clear(),
    areReady: () => [...sessions.values()].some((session) => session.outlet !== undefined),
    duplicate: (type: string, times: number) => {
      twice.push(...Array.from({ length: times }, () => type));
    },
    delay: (type: string) => void late.push(type),
    clear: () => {
      [twice, late] = [[], []];
    },
  };
}

function takeFrom(list: string[], type: string): boolean {
  const at = list.indexOf(type);
  if (at !== -1) list.splice(at, 1);
  return at !== -1;
}
