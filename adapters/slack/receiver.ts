import { setTimeout as delay } from "node:timers/promises";
import type { App, Receiver } from "@slack/bolt";
import type { ConnectionState } from "../../src/chat/index.ts";
import { describe } from "./errors.ts";
import { type Intake, NotStored } from "./intake.ts";
import { type Envelope, openSockets, type SocketTiming } from "./sockets.ts";

export interface ReceiverTiming extends SocketTiming {
  /** After this long the press of a button is acknowledged although it is not stored yet: Slack shows a failure after 3 s. */
  readonly interactiveAckMs: number;
}

export interface ReceiverDeps {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly timing: ReceiverTiming;
  readonly intake: Intake;
  readonly stopping: AbortSignal;
  readonly onState: (state: ConnectionState, detail?: string) => void;
  readonly warn: (message: string, detail: string) => void;
  /** As of the sockets. */
  readonly onDeaf: (silently: boolean) => () => void;
}

export interface StoringReceiver extends Receiver {
  /** Resolves when both sockets are open for the first time. */
  opened(): Promise<void>;
}

/**
 * Bolt's receiver over our sockets. Bolt says "ack" before its listeners have run; here that means nothing, and Slack
 * hears it only after every listener is done, which is when the event is stored.
 */
export function createReceiver(deps: ReceiverDeps): StoringReceiver {
  const { intake, stopping, warn, timing } = deps;
  /** What is being stored, by what Slack calls it: a redelivered envelope waits for the first one. */
  const running = new Map<string, Promise<boolean>>();
  const opened = Promise.withResolvers<void>();
  let app: App | undefined;
  let sockets: ReturnType<typeof openSockets> | undefined;

  return {
    init: (made: App) => {
      app = made;
    },
    start: async () => {
      sockets = openSockets({ ...deps, onEnvelope: (envelope) => void take(envelope) });
      void sockets.opened.then(opened.resolve);
      await sockets.settled;
    },
    stop: async () => {
      await sockets?.stop();
    },
    opened: () => opened.promise,
  };

  async function take(envelope: Envelope): Promise<void> {
    // What comes now is Slack's to keep: it is not acknowledged, and comes again.
    if (stopping.aborted || !isKnown(envelope)) return;
    const id = nameOf(envelope);
    const storing = running.get(id) ?? process(envelope);
    running.set(id, storing);
    void storing.then(() => running.delete(id));
    const ready = isInteractive(envelope)
      ? Promise.race([storing, delay(timing.interactiveAckMs, true, { ref: false })])
      : storing;
    if (!(await ready)) return;
    // Not heard: it comes again, and is known by its key.
    await envelope.ack().catch(() => undefined);
  }

  /** True once there is nothing left to store. Never rejects. */
  async function process(envelope: Envelope): Promise<boolean> {
    const handle = () =>
      app?.processEvent({
        body: envelope.body,
        ack: async () => undefined,
        ...(envelope.retry_num === undefined ? {} : { retryNum: envelope.retry_num }),
        ...(envelope.retry_reason === undefined ? {} : { retryReason: envelope.retry_reason }),
      }) ?? Promise.resolve();
    try {
      // Forms must open within three seconds, so that interactions wait for their place only when they are stored.
      await (isInteractive(envelope)
        ? handle()
        : intake.lanes.run(laneOf(envelope.body), handle, timeOf(envelope.body)));
      return true;
    } catch (error) {
      if (isNotStored(error)) return false;
      // An event of a shape nobody foresaw must not come again and again.
      warn("an event could not be read", describe(error));
      return true;
    }
  }
}

/** Slack adds kinds of envelopes now and then; what has no content is nothing to us. */
function isKnown({ body }: { readonly body: unknown }): boolean {
  return typeof body === "object" && body !== null;
}

function isInteractive({ type }: Envelope): boolean {
  return type !== "events_api";
}

function nameOf({ envelope_id: id, body }: Envelope): string {
  return typeof body.event_id === "string" ? body.event_id : id;
}

/** The conversation an event belongs to. */
function laneOf(body: Record<string, unknown>): string {
  const event = body.event;
  if (typeof event !== "object" || event === null || !("channel" in event)) return "";
  const { channel } = event;
  if (typeof channel === "string") return channel;
  return typeof channel === "object" && channel !== null && "id" in channel ? String(channel.id) : "";
}

/** When it happened, by Slack's clock. */
function timeOf({ event }: Record<string, unknown>): number {
  const isRecord = typeof event === "object" && event !== null;
  const time = isRecord && "event_ts" in event ? Number(event.event_ts) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

/** Bolt wraps what a listener threw. */
function isNotStored(error: unknown): boolean {
  if (error instanceof NotStored) return true;
  return typeof error === "object" && error !== null && "original" in error && error.original instanceof NotStored;
}
