import type { Capabilities, PlaceKind } from "../chat/index.ts";

/** When the next thing may be sent, per place and for the whole connection. All times are milliseconds since 1970. */
export interface Pacing {
  /** Places where nothing may be sent before their limit ends. */
  limited(now: number): readonly string[];
  /** Places that had a post a moment ago: reactions and removals may still go there. */
  resting(now: number): readonly string[];
  /** Kinds of places that need no rest between posts. */
  readonly restless: readonly PlaceKind[];
  /** How many sends may be started at once. */
  readonly batch: number;
  /** From when on the connection may send. */
  readonly connectionReadyAt: () => number;
  /** Books a send; the answer says when to start it. */
  book(channel: string, kind: PlaceKind, paced: boolean, now: number): number;
  /** Nothing goes to this place until then. `asked`: the platform asked for silence there, which may be meant for all of us. */
  limit(channel: string, until: number, asked: boolean): void;
  /** From when on this place may be sent to. */
  readyAt(channel: string, paced: boolean): number;
}

/** Sends booked at once are spread over this long. */
const windowMs = 100;
const largestBatch = 64;
/** So many posts may follow each other at once after a quiet time: a card, its end and the answer. Platforms count per minute. */
const burst = 3;
/** So many limited places at once mean that the whole connection is. */
const placesOfAConnectionLimit = 5;

export function createPacing(capabilities: Pick<Capabilities, "postIntervalMs" | "connectionIntervalMs">): Pacing {
  const { postIntervalMs, connectionIntervalMs } = capabilities;
  const limits = new Map<string, number>();
  /** Those of them that the platform asked for. */
  const silences = new Map<string, number>();
  const rests = new Map<string, number>();
  /** When each place would be at rest had it been sent to one by one. */
  const backlog = new Map<string, number>();
  let connectionAt = 0;
  const kinds: readonly PlaceKind[] = ["dm", "group", "channel", "forum"];
  return {
    limited(now) {
      current(silences, now);
      return current(limits, now);
    },
    resting(now) {
      current(backlog, now);
      return current(rests, now);
    },
    restless: kinds.filter((kind) => postIntervalMs[kind] <= 0),
    batch: connectionIntervalMs > 0 ? Math.max(1, Math.floor(windowMs / connectionIntervalMs)) : largestBatch,
    connectionReadyAt: () => connectionAt,
    book(channel, kind, paced, now) {
      const at = Math.max(now, connectionAt);
      connectionAt = at + connectionIntervalMs;
      const interval = postIntervalMs[kind];
      if (paced && interval > 0) {
        const until = Math.max(at, backlog.get(channel) ?? 0) + interval;
        backlog.set(channel, until);
        rests.set(channel, until - (burst - 1) * interval);
      }
      return at;
    },
    limit(channel, until, asked) {
      limits.set(channel, Math.max(until, limits.get(channel) ?? 0));
      if (!asked) return;
      silences.set(channel, until);
      if (silences.size >= placesOfAConnectionLimit) {
        connectionAt = Math.max(connectionAt, Math.min(...silences.values()));
      }
    },
    readyAt: (channel, paced) => Math.max(limits.get(channel) ?? 0, paced ? (rests.get(channel) ?? 0) : 0),
  };
}

function current(times: Map<string, number>, now: number): readonly string[] {
  for (const [channel, until] of times) if (until <= now) times.delete(channel);
  return [...times.keys()];
}
