import { setTimeout as delay } from "node:timers/promises";
import type { WebClient } from "@slack/web-api";
import {
  type AdapterDeps,
  backoff,
  type ConnectionState,
  type KnownPlace,
  persist,
  type Sink,
} from "../../src/chat/index.ts";
import { createBoltApp } from "./bolt.ts";
import { catchUp } from "./catch-up.ts";
import type { SignedIn } from "./connect.ts";
import type { Directory } from "./directory.ts";
import { describe } from "./errors.ts";
import { createIntake } from "./intake.ts";
import { createInteractions } from "./interactions.ts";
import { createOccurrences } from "./occurrences.ts";
import type { Privately } from "./privately.ts";
import { createReceiver, type ReceiverTiming } from "./receiver.ts";
import type { Sender } from "./send.ts";
import { words } from "./words.ts";

export interface ReceivingTiming extends ReceiverTiming {
  readonly formMs: number;
  readonly settleMs: number;
}

export interface ReceivingDeps {
  readonly appToken: string;
  readonly botToken: string;
  readonly apiUrl: string;
  readonly client: WebClient;
  readonly directory: Directory;
  readonly sender: Sender;
  readonly privately: Privately;
  readonly deps: AdapterDeps;
  readonly onState: (state: ConnectionState, detail?: string) => void;
  readonly warn: (message: string, detail: string) => void;
  readonly now: () => number;
  readonly timing: ReceivingTiming;
  /** Signs in, unless that was done already. Rejects with a `ConnectionError`. */
  signedIn(): Promise<SignedIn>;
}

export interface Receiving {
  /** Resolves as soon as it is known whether Slack can be reached. */
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

const shortGapMs = 5_000;

/** Receives until `stop`; goes on trying where Slack cannot be reached. */
export function startReceiving(all: ReceivingDeps, sink: Sink): Receiving {
  const { deps, onState, warn, timing } = all;
  const stopping = new AbortController();
  const { signal } = stopping;
  const intake = createIntake({ sink, stopping: signal, warn, ...timing });
  const settled = Promise.withResolvers<void>();
  let receiver: ReturnType<typeof createReceiver> | undefined;
  const running = run().finally(settled.resolve);

  return {
    started: settled.promise,
    stop: async () => {
      stopping.abort();
      settled.resolve();
      // What is being stored is stored before the sockets close, and then acknowledged in the same turn of the loop.
      await Promise.race([intake.lanes.settled(), delay(timing.stopMs, undefined, { ref: false })]);
      await new Promise(setImmediate);
      await receiver?.stop();
      await Promise.race([running, delay(timing.stopMs, undefined, { ref: false })]);
    },
  };

  async function run(): Promise<void> {
    // Before anything is received: each stored event moves the time from which a place is caught up.
    const known = await deps.known().catch((error: unknown) => {
      warn("the places to catch up with are not known", describe(error));
      return [];
    });
    const signedIn = await persistently();
    if (signedIn === undefined || signal.aborted) return;
    const { self } = signedIn;
    const reader = { self, directory: all.directory };
    receiver = createReceiver({ ...all, intake, stopping: signal, onDeaf });
    const app = createBoltApp({
      ...all,
      receiver,
      self,
      occurrences: createOccurrences(reader, intake.store),
      onRevoked: () => onState("misconfigured", words.botTokenRevoked),
      interactions: createInteractions({
        ...all,
        self,
        intake,
        form: deps.form,
        mayAsk: deps.mayAsk,
        formMs: timing.formMs,
      }),
    });
    // Each known place begins with what was missed there; what comes live waits behind it.
    const opened = receiver.opened().then(() => true);
    catchUpWith(known, opened);
    await app.start();

    /** A short gap is Slack's to fill: it repeats at once, after a minute and after five. A longer one may be longer than that. */
    function onDeaf(silently: boolean): () => void {
      const from = performance.now();
      const hearing = Promise.withResolvers<boolean>();
      const onFailure = (error: unknown) => warn("the places to catch up with are not known", describe(error));
      persist(deps.known, { ...timing, signal, onFailure }).then(
        (places) => catchUpWith(places, hearing.promise),
        () => undefined,
      );
      return () => hearing.resolve(silently || performance.now() - from >= shortGapMs);
    }

    /** Fetches what was missed, once it is known whether that is needed. */
    function catchUpWith(places: readonly KnownPlace[], needed: Promise<boolean>): void {
      const decided = Promise.race([needed, whenAborted(signal).then(() => false)]);
      for (const place of places) {
        intake.lanes
          .run(place.channel, async () => {
            if (await decided) await catchUp(place, { ...all, reader, intake, stopping: signal });
          })
          .catch((error: unknown) => {
            if (!signal.aborted) warn(`catching up in ${place.channel} ended early`, describe(error));
          });
      }
    }
  }

  /** Signing in, until it succeeds; undefined when stopped before. */
  async function persistently(): Promise<SignedIn | undefined> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        return await all.signedIn();
      } catch (error) {
        settled.resolve();
        const misconfigured = error instanceof Error && "kind" in error && error.kind === "invalid_token";
        onState(misconfigured ? "misconfigured" : "reconnecting", describe(error));
        const pause = misconfigured ? timing.retryMaxMs : backoff(timing, attempt);
        await delay(pause, undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
