import { setTimeout as sleep } from "node:timers/promises";
import {
  type Account,
  type Adapter,
  type AdapterDeps,
  type Adapters,
  ConnectionError,
  type ConnectionState,
} from "../chat/index.ts";
import { commandSpecs, defaultLimits } from "../inbox/index.ts";
import type { Sender } from "../outbox/index.ts";
import {
  type Connection,
  connectionState,
  ensureConnection,
  knownPlaces,
  setConnectionState,
} from "../places/index.ts";
import type { Log } from "../shared/index.ts";
import { inTransaction, isPassing, type Lease, type Storage } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import type { Rooms } from "./rooms.ts";

/** A bot identity to connect, as the settings name it. */
export interface ConnectionSpec {
  readonly platform: string;
  /** The handle of the teammate whose own bot it is, or a word that tells it from others of the platform. */
  readonly name?: string | undefined;
  create(deps: AdapterDeps): Promise<Adapter>;
  /** True where whoever talks to it owns this machine anyway: the person there becomes the owner without a code. */
  readonly local?: boolean | undefined;
}

/** A connection that is up. */
export interface LiveConnection {
  readonly spec: ConnectionSpec;
  readonly connection: Connection;
  readonly account: Account;
  readonly adapter: Adapter;
}

export interface Gateway extends Adapters {
  readonly connected: readonly LiveConnection[];
  /** Sentences about connections that do not work now. */
  readonly problems: readonly string[];
  /** Signs in everywhere, side by side. One platform's failure never stops another. */
  connect(): Promise<void>;
  /** Receives and sends, on every connection whose lease is free; waits for the others. */
  serve(rooms: Rooms, holder: string): Promise<void>;
  /** Takes nothing more in; what is being sent is finished. */
  stopReceiving(): Promise<void>;
  /** Resolves when nothing more can be sent now, or after a few seconds. */
  settle(): Promise<void>;
  stopSending(): Promise<void>;
}

export interface GatewayDeps {
  readonly storage: Storage;
  readonly specs: readonly ConnectionSpec[];
  readonly log: Log;
  readonly say: (line: string) => void;
}

const leaseMs = 15_000;
const retryMs = 5_000;
const leaseRetryMs = 1_000;
const settleMs = 5_000;

interface Served {
  readonly live: LiveConnection;
  readonly lease: Lease;
  readonly sender: Sender;
}

export function createGateway({ storage, specs, log, say }: GatewayDeps): Gateway {
  const { db, leases } = storage;
  const words = wordsFor(undefined).start;
  const connected: LiveConnection[] = [];
  const served: Served[] = [];
  /** What each connection last said of itself. */
  const states = new Map<ConnectionSpec, { readonly state: ConnectionState; readonly detail: string | undefined }>();
  const stopping = new AbortController();
  const waiting: Promise<void>[] = [];
  let start: ((live: LiveConnection) => Promise<void>) | undefined;
  let inbox: Rooms["inbox"] | undefined;

  /** The adapter reports its state before its row is known: then the report is kept until it is. */
  async function create(spec: ConnectionSpec): Promise<{
    adapter: Adapter;
    bind(connection: Connection, account: Account): Promise<void>;
  }> {
    let id: string | undefined;
    let notes: string | undefined;
    let last: readonly [ConnectionState, string | undefined] = ["connecting", undefined];
    // What a working connection cannot do is worth knowing; what is wrong with another one comes first.
    const store = (connectionId: string) =>
      setConnectionState(db, connectionId, last[0], last[1] ?? (last[0] === "connected" ? notes : undefined)).catch(
        (error: unknown) => log.warn({ err: error }, "the state of a connection was not stored"),
      );
    const known = (): string => {
      if (id === undefined) throw new Error("an adapter used its state before it was connected");
      return id;
    };
    const adapter: Adapter = await spec.create({
      commands: commandSpecs(),
      known: () => knownPlaces(db, known(), defaultLimits.staleAfterMs, adapter.capabilities.threadsBeneath === true),
      form: async (token, userId) => inbox?.form(known(), token, userId),
      complete: async (what, typed, userId) => (await inbox?.complete(known(), what, typed, userId)) ?? [],
      mayAsk: async (place, userId) => (await inbox?.mayAsk(known(), place, userId)) ?? false,
      state: {
        load: (key) => connectionState(db, known()).load(key),
        save: (key, value) => connectionState(db, known()).save(key, value),
      },
      onState: (state, detail) => {
        last = [state, detail];
        states.set(spec, { state, detail });
        if (id === undefined) return;
        void store(id);
        // Nothing will mend this but a person at the settings.
        if (state === "misconfigured" && detail !== undefined) say(detail);
      },
    });
    return {
      adapter,
      async bind(connection, account) {
        id = connection.id;
        notes = account.notes.join(" ") || undefined;
        await store(connection.id);
      },
    };
  }

  async function connectOne(spec: ConnectionSpec): Promise<LiveConnection> {
    const { adapter, bind } = await create(spec);
    const account = await adapter.connect();
    const connection = await inTransaction(db, log, (unit) =>
      ensureConnection(unit, {
        platform: spec.platform,
        botId: account.botId,
        name: account.name,
        link: account.link,
        teammateHandle: spec.name,
      }),
    );
    await bind(connection, account);
    const live = { spec, connection, account, adapter };
    connected.push(live);
    return live;
  }

  /** A platform that is out of reach now is tried again until it answers; a wrong token is not. */
  async function connectLater(spec: ConnectionSpec): Promise<void> {
    for (;;) {
      await sleep(retryMs, undefined, { signal: stopping.signal });
      try {
        const live = await connectOne(spec);
        say(words.connectedAgain(spec));
        await start?.(live);
        return;
      } catch (error) {
        if (!(error instanceof ConnectionError && error.kind === "unreachable")) throw error;
      }
    }
  }

  function inBackground(work: Promise<void>): void {
    waiting.push(
      work.catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, "a connection could not be started");
      }),
    );
  }

  async function serveOne(live: LiveConnection, rooms: Rooms, holder: string): Promise<void> {
    const lease = await takeOver(live, rooms, holder);
    const sender = rooms.outbox.startSender(live.connection.id);
    served.push({ live, lease, sender });
    await live.adapter.start(rooms.inbox.sink(live.connection.id));
  }

  /** Also through times in which the database is away: whoever gives up here is deaf until the next start. */
  async function takeOver(live: LiveConnection, rooms: Rooms, holder: string): Promise<Lease> {
    for (;;) {
      try {
        const lease = await takeLease(live, holder);
        await rooms.outbox.recover(db, live.connection.id);
        return lease;
      } catch (error) {
        if (stopping.signal.aborted || !isPassing(error)) throw error;
        log.warn(
          { err: error, connectionId: live.connection.id },
          "a connection cannot be served yet; it is tried again",
        );
      }
      await sleep(leaseRetryMs, undefined, { signal: stopping.signal });
    }
  }

  /** One poller a token: a second process waits here until the first one is gone. */
  async function takeLease(live: LiveConnection, holder: string): Promise<Lease> {
    for (let first = true; ; first = false) {
      const lease = await leases.acquire({
        key: `connection:${live.connection.id}`,
        holder,
        ttlMs: leaseMs,
        onLost: () => void withdraw(live),
      });
      if (lease.status === "held") return lease;
      if (first) say(words.takenElsewhere(live.account.name));
      await sleep(leaseRetryMs, undefined, { signal: stopping.signal });
    }
  }

  /** The lease is gone (the database was out of reach for too long): somebody else may poll now, so we do not. */
  async function withdraw(live: LiveConnection): Promise<void> {
    log.error(
      { connectionId: live.connection.id },
      "the lease of a connection was lost; it is given up and taken again",
    );
    const index = served.findIndex((each) => each.live === live);
    const [gone] = index < 0 ? [] : served.splice(index, 1);
    await live.adapter.stop();
    await gone?.sender.stop();
    if (!stopping.signal.aborted && start) inBackground(start(live));
  }

  return {
    connected,
    get problems() {
      const broken = [...states.values()].filter(({ state }) => state === "misconfigured" || state === "reconnecting");
      return broken.map(({ state, detail }) => detail ?? state);
    },
    get: (connectionId) => connected.find((live) => live.connection.id === connectionId)?.adapter,
    async connect() {
      const outcomes = await Promise.allSettled(specs.map(connectOne));
      outcomes.forEach((outcome, index) => {
        const spec = specs[index];
        if (outcome.status === "fulfilled" || spec === undefined) return;
        if (!(outcome.reason instanceof ConnectionError)) throw outcome.reason;
        const state = outcome.reason.kind === "unreachable" ? "reconnecting" : "misconfigured";
        states.set(spec, { state, detail: outcome.reason.message });
        if (outcome.reason.kind === "unreachable") inBackground(connectLater(spec));
      });
    },
    async serve(rooms, holder) {
      inbox = rooms.inbox;
      start = (live) => serveOne(live, rooms, holder);
      // A taken lease must not keep the other connections waiting.
      const first = connected.map((live) => serveOne(live, rooms, holder));
      for (const each of first) inBackground(each);
      await Promise.race([Promise.allSettled(first), sleep(1_000, undefined, { ref: false })]);
    },
    async stopReceiving() {
      stopping.abort();
      await Promise.all(connected.map((live) => live.adapter.stop()));
      await Promise.all(waiting);
    },
    async settle() {
      const idle = Promise.all(served.map(({ sender }) => sender.idle()));
      await Promise.race([idle, sleep(settleMs, undefined, { ref: false })]);
    },
    async stopSending() {
      await Promise.all(served.map(({ sender }) => sender.stop()));
      await Promise.all(served.map(({ lease }) => lease.release()));
    },
  };
}
